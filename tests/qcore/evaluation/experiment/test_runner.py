"""The runner: killed and resumed it gives the files of a run that was not, whatever fails is recorded, Dask gives the same."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from qcore import InvalidInput, load_dataset, make_quantifiers
from qcore.__main__ import main
from qcore.evaluation.experiment import (
    ExperimentFolder,
    ExperimentSettings,
    Pair,
    Problem,
    Sampling,
    compared_losses,
    mean_losses,
    read_experiment,
    run_experiment,
)
from qcore.evaluation.experiment.cell import Cell, cells, run_cell
from qcore.evaluation.experiment.folder import Failure, Origin, parquet_of
from qcore.evaluation.significance import compare
from qcore.losses import ORDERED_LOSSES
from qcore.scoring.training_part import TrainingPart
from tests.browser.server import ROOT

NB = "Gaussian naive Bayes"
SMALL = ExperimentSettings(
    "small",
    (Problem("iris", "versicolor"), Problem("wine", "1"), Problem("wdbc", "malignant")),
    (Pair(NB, "CC"), Pair(NB, "AC"), Pair(NB, "EMQ"), Pair(NB, "BL")),
    Sampling(folds=5),
)


class Half:
    """A quantifier of one's own: a half, whatever the sample."""

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def fit(self, scores, labels):
        return self

    def predict(self, scores):
        return np.full(np.shape(scores)[:-1], self.share)


def contents(folder):
    """What is in the folder of cells; where each comes from stands beside it."""
    return {path.name: path.read_bytes() for path in sorted((folder / "cells").iterdir())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    summary = run_experiment(SMALL, folder, n_jobs=1)
    assert (summary.finished, summary.found, summary.failures) == (15, 0, {})
    return folder


@pytest.fixture
def finished(whole, tmp_path):
    """A copy of it, to change."""
    return shutil.copytree(whole, tmp_path / "finished")


class TestResults:
    def test_each_fold_has_its_largest_samples(self, whole):
        settings, table = read_experiment(whole)
        assert settings == SMALL
        assert set(table.method) == {f"{key} ({NB})" for key in ("CC", "AC", "EMQ", "BL")}
        per_cell = table.groupby(["data", "draw", "method"]).size()
        assert set(per_cell) == {11}
        assert len(per_cell) == 15 * 4
        assert (table[table.target.isin([0.0, 1.0])].prevalence == table[table.target.isin([0.0, 1.0])].target).all()

    def test_methods_that_learn_from_labels_alone_cost_no_folds(self, monkeypatch):
        monkeypatch.setattr(TrainingPart, "out_of_fold", lambda _: 1 / 0)
        pairs = tuple(Pair(NB, key) for key in ("CC", "PCC", "EMQ"))
        table = run_cell(replace(SMALL, pairs=pairs), Cell(0, 0))
        assert table.method.nunique() == 3
        with pytest.raises(ZeroDivisionError):
            run_cell(replace(SMALL, pairs=(Pair(NB, "EMQ"), Pair(NB, "AC"))), Cell(0, 0))

    def test_a_cell_is_what_the_functions_give(self):
        result = run_cell(SMALL, Cell(0, 0))
        labels = load_dataset("iris").binary_labels("versicolor")
        # Of the five folds 40 are trained on, a third of them versicolor.
        assert result[result.method == f"BL ({NB})"].estimate.unique().tolist() == [pytest.approx(1 / 3)]
        assert result["size"].max() <= len(labels) // 5
        assert result[result.method == f"AC ({NB})"].eval("abs(estimate - prevalence)").mean() < 0.15

    def test_losses_are_averaged_over_the_folds_and_compared(self, whole):
        settings, table = read_experiment(whole)
        losses = mean_losses(table, settings, "KLD", "half_count")
        assert len(losses) == 3 * 11 * 4
        one = table[(table.data == "wine 1") & (table.method == f"AC ({NB})") & (table.target == 0.5)]
        ours = mean_losses(table, settings).set_index(["data", "method", "prevalence"]).loss
        assert ours["wine 1", f"AC ({NB})", 0.5] == pytest.approx((one.estimate - one.prevalence).abs().mean())
        assert compare(losses).mean_ranks.index[-1] == f"BL ({NB})"

    def test_two_runs_are_byte_identical_in_parallel_too(self, whole, tmp_path):
        run_experiment(SMALL, tmp_path / "again", n_jobs=2)
        assert contents(tmp_path / "again") == contents(whole)

    def test_combined_they_are_one_file_and_the_same_table(self, whole, finished):
        folder = ExperimentFolder.open(finished)
        folder.combine()
        assert not list((finished / "cells").iterdir())
        pd.testing.assert_frame_equal(folder.read(), read_experiment(whole)[1])
        assert run_experiment(SMALL, finished, n_jobs=1).finished == 0


class TestProtocols:
    @pytest.mark.parametrize("protocol", ["APP", "UPP", "NPP", "Beta"])
    def test_samples_of_a_pool(self, protocol):
        settings = replace(SMALL, sampling=Sampling(protocol, sizes=(10, 20, 5000), grid=5, repeats=2), draws=2)
        assert len(cells(settings)) == 6
        table = run_cell(settings, Cell(2, 1))
        assert set(table["size"]) == {10, 20}
        n = 2 * 5 * 2 if protocol == "APP" else 2 * 200
        assert len(table) == n * 4
        assert not table.equals(run_cell(settings, Cell(2, 0)))
        if protocol == "Beta":
            assert table.target.mean() < 0.25

    def test_no_size_that_fits_is_a_failure_with_its_reason(self, tmp_path):
        settings = replace(SMALL, problems=SMALL.problems[:2], sampling=Sampling("APP", sizes=(60,), repeats=1))
        summary = run_experiment(settings, tmp_path / "run", n_jobs=1)
        assert summary.finished == 0
        assert all("sample size must fit into a pool" in reason for reason in summary.failures.values())

    def test_training_sizes_and_prevalences(self):
        sampling = Sampling("APP", sizes=(20,), grid=3, repeats=1)
        settings = replace(SMALL, sampling=sampling, training_sizes=(20, 60), training_prevalences=(0.2, 0.5))
        table = pd.concat([run_cell(settings, Cell(2, 0, size)) for size in (0, 1)])
        result = table[["training_size", "training_prevalence"]].drop_duplicates()
        assert sorted(result.training_size) == [20, 20, 60, 60]
        assert sorted(result.training_prevalence.round(1)) == [0.2, 0.2, 0.5, 0.5]

    def test_features_are_scaled_as_the_problem_says(self):
        pair = (Pair("KNN", "CC", "k"),)
        tables = [
            run_cell(replace(SMALL, problems=(Problem("wine", "1", features),), pairs=pair), Cell(0, 0))
            for features in ("standardised", "as they are", "deviation 0.5")
        ]
        errors = [(one.estimate - one.prevalence).abs().mean() for one in tables]
        # Proline in the hundreds drowns all else; with one deviation or a half of it the neighbours are nearly the same.
        assert errors[1] > 2 * max(errors[0], errors[2])


class TestOnesOwn:
    def test_a_quantifier_object(self, tmp_path):
        settings = replace(SMALL, problems=SMALL.problems[:1], pairs=(Pair(NB, "CC", "CC"), Pair(NB, "CC", "half")))
        assert not run_experiment(settings, tmp_path / "run", n_jobs=1, own={"half": Half()}).failures
        _, table = read_experiment(tmp_path / "run")
        assert set(table[table.method == "half"].estimate) == {0.5}

    def test_classes_by_their_path(self):
        name = f"{__name__}:Half"
        pairs = (Pair(NB, name, "a third", {"share": 1 / 3}), Pair("sklearn.tree:DecisionTreeClassifier", "CC", "tree"))
        table = pd.concat([run_cell(replace(SMALL, pairs=pairs), Cell(0, 0, 0, number)) for number in (0, 1)])
        assert set(table[table.method == "a third"].estimate) == {1 / 3}
        assert table[table.method == "tree"].eval("abs(estimate - prevalence)").mean() < 0.2

    def test_a_variant_of_a_registered_one(self):
        pairs = (Pair(NB, "MS", "MS"), Pair(NB, "qcore.quantifiers:MedianSweep", "all", {"least_gap": 0.0}))
        table = run_cell(replace(SMALL, pairs=pairs), Cell(0, 0))
        assert set(table.method) == {"MS", "all"}
        assert set(make_quantifiers(["MS"], [0.9, 0.1], [1, 0])) == {"MS"}

    def test_one_that_cannot_be_imported_is_a_failure_that_does_not_stop_the_rest(self, tmp_path):
        settings = replace(SMALL, problems=SMALL.problems[:1], pairs=(Pair(NB, "nowhere:Quantifier", "x"),))
        failures = run_experiment(settings, tmp_path / "run", n_jobs=1).failures
        assert len(failures) == 5
        assert "be one that can be imported" in next(iter(failures.values()))


def interrupted(folder):
    run_experiment(SMALL, folder, n_jobs=1)


class TestInterruption:
    def test_killed_ten_times_it_loses_nothing(self, whole, tmp_path):
        context, rng = multiprocessing.get_context("fork"), np.random.default_rng(0)
        folder, killed = tmp_path / "run", 0
        for _ in range(10):
            process = context.Process(target=interrupted, args=(folder,))
            process.start()
            time.sleep(float(rng.uniform(0.02, 0.2)))
            killed += process.is_alive()
            process.kill()
            process.join()
        assert killed >= 5
        before = len(list(folder.glob("cells/*.parquet")))
        summary = run_experiment(SMALL, folder, n_jobs=1)
        assert summary.found == before
        finished = {name: content for name, content in contents(folder).items() if name.endswith(".parquet")}
        assert finished == contents(whole)

    @pytest.mark.thorough
    def test_the_command_is_killed_and_resumed(self, whole, tmp_path, capsys):
        (tmp_path / "settings.toml").write_text(SMALL.to_toml())
        words = ["experiment", str(tmp_path / "settings.toml"), "--into", str(tmp_path / "run")]
        command = [sys.executable, "-m", "qcore", *words, "--jobs", "1"]
        process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 60
        while not list(tmp_path.glob("run/cells/*.parquet")) and time.monotonic() < limit:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert main([*words, "--jobs", "1"]) == 0
        assert f"{NB}" in capsys.readouterr().out
        finished = {name: content for name, content in contents(tmp_path / "run").items() if name.endswith(".parquet")}
        assert finished == contents(whole)

    def test_what_failed_is_tried_again(self, whole, tmp_path, monkeypatch):
        monkeypatch.setattr("qcore.evaluation.experiment.execution.run_cell", lambda *_: 1 / 0)
        summary = run_experiment(SMALL, tmp_path / "run", n_jobs=1)
        assert summary.finished == 0
        assert summary.failures["000-000-00-00 (iris versicolor)"] == "ZeroDivisionError: division by zero"
        monkeypatch.undo()
        assert not run_experiment(SMALL, tmp_path / "run", n_jobs=1).failures
        assert contents(tmp_path / "run") == contents(whole)

    def test_progress_tells_the_time_left_and_may_stop_the_run(self, tmp_path):
        seen = []

        def on_progress(progress):
            seen.append(progress)
            if progress.done == 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run_experiment(SMALL, tmp_path / "run", n_jobs=1, on_progress=on_progress)
        assert [one.done for one in seen] == [1, 2, 3]
        assert seen[-1].total == 15
        assert seen[-1].seconds_left > 0
        assert run_experiment(SMALL, tmp_path / "run", n_jobs=1).found == 3


class TestBadFolders:
    def test_other_settings(self, whole):
        with pytest.raises(InvalidInput, match="have the same settings"):
            run_experiment(replace(SMALL, seed=9), whole, n_jobs=1)

    def test_another_version(self, tmp_path):
        ExperimentFolder.create(tmp_path / "run", SMALL)
        (tmp_path / "run" / "format.json").write_text('{"format": 99}')
        with pytest.raises(InvalidInput, match="have version 2, got 99"):
            read_experiment(tmp_path / "run")

    def test_no_experiment_or_other_files(self, tmp_path):
        with pytest.raises(InvalidInput, match="hold experiment"):
            read_experiment(tmp_path)
        (tmp_path / "photo.txt").write_text("x")
        with pytest.raises(InvalidInput, match="be empty or hold an experiment"):
            ExperimentFolder.create(tmp_path, SMALL)

    def test_nothing_is_finished(self, tmp_path):
        ExperimentFolder.create(tmp_path / "run", SMALL)
        with pytest.raises(InvalidInput, match="hold a finished cell"):
            read_experiment(tmp_path / "run")

    def test_a_damaged_file_is_named_and_done_anew(self, whole, finished):
        path = finished / "cells" / "001-002-00-00.parquet"
        path.write_bytes(path.read_bytes()[:50])
        with pytest.raises(InvalidInput, match=r"001-002-00-00.parquet' must be a whole Parquet file"):
            read_experiment(finished)
        assert run_experiment(SMALL, finished, n_jobs=1).damaged == (path.name,)
        assert contents(finished) == contents(whole)


class TestWhatAKillLeaves:
    def test_a_folder_that_was_being_made(self, whole, tmp_path):
        (tmp_path / "run" / "cells").mkdir(parents=True)
        (tmp_path / "run" / ".abc.part").write_bytes(b"x")
        (tmp_path / "run" / "cells" / ".abc.part").write_bytes(b"x")
        run_experiment(SMALL, tmp_path / "run", n_jobs=1)
        assert contents(tmp_path / "run") == contents(whole)
        assert not list((tmp_path / "run").glob(".*"))

    def test_a_failure_beside_its_result_is_tried_again(self, finished):
        ExperimentFolder.open(finished).fail(Cell(0, 0), {"": Failure("old")}, Origin("here", "process 1"))
        summary = run_experiment(SMALL, finished, n_jobs=1)
        assert (summary.finished, summary.failures) == (1, {})

    def test_a_part_is_not_combined(self, tmp_path):
        folder = ExperimentFolder.create(tmp_path / "run", SMALL)
        folder.write(Cell(0, 0), parquet_of(run_cell(SMALL, Cell(0, 0))), Origin("here", "process 1"))
        with pytest.raises(InvalidInput, match="14 missing"):
            folder.combine()

    def test_parameters_that_toml_writes_otherwise_are_the_same_settings(self, tmp_path):
        pair = Pair(NB, f"{__name__}:Half", "x", {"share": (0.1, 0.2)})
        settings = replace(SMALL, pairs=(pair,))
        ExperimentFolder.create(tmp_path / "run", settings)
        assert ExperimentFolder.create(tmp_path / "run", settings)


def test_an_object_of_ones_own_learns_from_scores_out_of_fold(tmp_path):
    from qcore.quantifiers import QUANTIFIERS

    settings = replace(SMALL, problems=SMALL.problems[2:], pairs=(Pair(NB, "CC", "mine"),))
    tables = [run_cell(one, Cell(0, 0), {"mine": QUANTIFIERS["PACC"].make()}) for one in (settings,)]
    expected = run_cell(replace(settings, pairs=(Pair(NB, "PACC", "mine"),)), Cell(0, 0))
    assert tables[0].estimate.tolist() == expected.estimate.tolist()


def test_random_prevalences_are_ranked_with_the_weights_of_their_protocol():
    settings = replace(SMALL, sampling=Sampling("Beta", (20,), repeats=2))
    table = pd.concat([run_cell(settings, Cell(problem, 0)) for problem in (0, 2)])
    ranked = compared_losses(table, settings)
    for loss in ORDERED_LOSSES:
        of_two_classes = compared_losses(table, settings, loss)
        assert of_two_classes.loss.to_numpy() == pytest.approx(ranked.loss.to_numpy()), "it is the absolute error"
    assert len(ranked) == 2 * 4
    first = table[(table.method == f"AC ({NB})") & (table["data"] == "wdbc malignant")]
    row = ranked[(ranked.method == f"AC ({NB})") & (ranked["data"] == "wdbc malignant")]
    assert row.loss.tolist() == [pytest.approx((first.estimate - first.prevalence).abs().mean())]
    assert len(mean_losses(table, settings)) > 2 * 4
    with pytest.raises(InvalidInput, match="Unknown"):
        mean_losses(table, settings, "bias")


class TestCommand:
    def test_a_preset_is_shown_as_toml(self, capsys):
        assert main(["experiment", "bundled", "--show"]) == 0
        assert ExperimentSettings.from_toml(capsys.readouterr().out).name == "bundled"

    @pytest.mark.parametrize(
        ("word", "sentence"),
        [
            ("bundle", "Did you mean bundled?"),
            ("missing.toml", "settings must be a TOML file"),
            ("bundled --jobs 0 --into /dev/null/x", "jobs must be at least 1"),
        ],
    )
    def test_what_is_not_there_is_one_sentence(self, word, sentence, capsys):
        assert main(["experiment", *word.split()]) == 2
        assert sentence in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("problem", "pair", "sentence"),
        [
            (Problem("irsi"), Pair(NB, "AC", "y"), "Unknown data set 'irsi'. Did you mean iris?"),
            (Problem("iris", "rose"), Pair(NB, "AC", "y"), "rose"),
            (Problem("kel:magic"), Pair(NB, "AC", "y"), "Unknown source of the data set 'kel'. Did you mean keel?"),
            (Problem("iris"), Pair(NB, "nowhere:Quantifier", "x"), "be one that can be imported"),
            (Problem("iris"), Pair(NB, "this_module_is_broken:Quantifier", "x"), "name 'nothing' is not defined"),
        ],
    )
    def test_a_misspelt_name_is_said_before_the_first_cell(self, problem, pair, sentence, tmp_path, monkeypatch, capsys):
        settings = replace(SMALL, problems=(*SMALL.problems, problem), pairs=(*SMALL.pairs, pair))
        (tmp_path / "s.toml").write_text(settings.to_toml())
        (tmp_path / "this_module_is_broken.py").write_text("nothing\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        assert main(["experiment", str(tmp_path / "s.toml"), "--into", str(tmp_path / "run")]) == 2
        assert sentence in capsys.readouterr().err
        assert not (tmp_path / "run").exists()

    def test_a_finished_experiment_is_shown_where_its_classes_are_not(self, tmp_path, monkeypatch, capsys):
        (tmp_path / "ours_alone.py").write_text("from qcore.quantifiers import MedianSweep as Ours\n")
        settings = replace(SMALL, problems=SMALL.problems[:1], pairs=(*SMALL.pairs, Pair(NB, "ours_alone:Ours", "ours")))
        (tmp_path / "s.toml").write_text(settings.to_toml())
        words = ["experiment", str(tmp_path / "s.toml"), "--into", str(tmp_path / "run"), "--jobs", "1"]
        with monkeypatch.context() as here:
            here.syspath_prepend(str(tmp_path))
            assert main(words) == 0
        assert "5 of 5 cells, 0 s left" in capsys.readouterr().err
        sys.modules.pop("ours_alone")
        assert main([*words, "--loss", "SE"]) == 0
        assert "0 cells in 0 s, 5 were there already" in capsys.readouterr().out

    def test_a_scheduler_that_does_not_answer_is_one_sentence(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setattr("qcore.evaluation.experiment.cluster._SECONDS_FOR_A_SCHEDULER", 1)
        (tmp_path / "s.toml").write_text(SMALL.to_toml())
        words = ["experiment", str(tmp_path / "s.toml"), "--into", str(tmp_path / "run"), "--dask", "tcp://127.0.0.1:9"]
        assert main(words) == 2
        assert "scheduler must answer" in capsys.readouterr().err

    def test_a_scheduler_that_is_no_address_is_refused_at_once(self, tmp_path):
        for word in ("nope", "tcp://host", "tcp://host:abc", "foo://host:8786"):
            with pytest.raises(InvalidInput, match=f"scheduler must be an address with a host and a port, got '{word}'"):
                run_experiment(SMALL, tmp_path / "run", dask=word)


@pytest.mark.thorough
def test_on_a_dask_cluster_a_killed_worker_changes_nothing(whole, tmp_path):
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1") as cluster:
        killed = []

        def on_progress(progress):
            if progress.done == 2 and not killed:
                victim = next(iter(cluster.workers.values()))
                killed.append(victim.pid)
                os.kill(victim.pid, signal.SIGKILL)

        summary = run_experiment(SMALL, tmp_path / "run", dask=cluster.scheduler_address, on_progress=on_progress)
    assert killed
    assert not summary.failures
    assert contents(tmp_path / "run") == contents(whole)


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
def test_files_are_the_same_however_pandas_keeps_texts(storage, whole, tmp_path):
    with pd.option_context("mode.string_storage", storage):
        run_experiment(SMALL, tmp_path / "run", n_jobs=1)
    assert contents(tmp_path / "run") == contents(whole)


def test_a_table_of_ones_own_takes_part_by_the_name_of_its_problem(tmp_path):
    settings = replace(SMALL, problems=(Problem("mine.csv"),))
    mine = load_dataset("wine")
    summary = run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": mine})
    assert not summary.failures
    _, estimates = read_experiment(tmp_path / "run")
    _, expected = read_experiment(_run(replace(SMALL, problems=(Problem("wine"),)), tmp_path / "wine"))
    assert set(estimates["data"]) == {"mine.csv"}
    assert estimates.estimate.tolist() == expected.estimate.tolist()
    without = run_experiment(settings, tmp_path / "without", n_jobs=1)
    assert "mine.csv" in next(iter(without.failures.values()))


def _run(settings, folder):
    run_experiment(settings, folder, n_jobs=1)
    return folder
