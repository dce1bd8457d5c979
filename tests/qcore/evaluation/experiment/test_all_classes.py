"""Experiments on all classes of a data set, on given samples, and with calibrated scores."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from qcore import InvalidInput, SamplesFromFolder, evaluation_report, load_dataset
from qcore.__main__ import main
from qcore.datasets.sample_folder import write_samples
from qcore.evaluation.experiment import (
    ExperimentFolder,
    ExperimentSettings,
    Pair,
    Problem,
    Sampling,
    compared_losses,
    read_experiment,
    run_experiment,
)
from qcore.evaluation.experiment.cell import Cell, run_cell
from qcore.evaluation.experiment.results import class_prevalences
from qcore.evaluation.latex_table import losses_as_latex
from qcore.evaluation.significance import compare
from qcore.losses import LOSSES, ORDERED_LOSSES

NB = "Gaussian naive Bayes"
ORDER = ("versicolor", "setosa", "virginica")
SETTINGS = ExperimentSettings(
    "several",
    (Problem("iris", all_classes=True, order=ORDER), Problem("wine", all_classes=True), Problem("wdbc", "malignant")),
    (Pair(NB, "CC"), Pair(NB, "PACC"), Pair(NB, "EMQ"), Pair("quantification tree", "MS")),
    Sampling("UPP", (10, 20), repeats=1),
    draws=2,
    losses=("AE", "RAE"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("several") / "run"
    assert run_experiment(SETTINGS, path, n_jobs=1).failures == {}
    return path


def test_all_classes_are_estimated_beside_one_class_against_the_rest(folder):
    settings, table = read_experiment(folder)
    assert settings == SETTINGS
    several = table[table["data"] == "iris (all classes)"]
    true, estimated = class_prevalences(several)
    assert true.shape == (len(several), 3) == (2 * 2 * 4 * 100, 3)
    np.testing.assert_allclose(estimated.sum(axis=1), 1.0, atol=1e-9)
    assert several.estimate.isna().all()
    assert not table[table["data"] == "wdbc malignant"].estimate.isna().any()
    expected = LOSSES["RAE"](true, estimated, sample_size=several["size"].to_numpy())
    losses = compared_losses(table, settings, "RAE")
    of_iris = several.assign(loss=expected).groupby(["method", "size"], sort=False).loss.mean()
    found = losses[losses["data"] == "iris (all classes)"].set_index(["method", "size"]).loss
    pd.testing.assert_series_equal(found, of_iris)
    assert compare(losses).n_sets == 3
    assert r"iris (all classes) & " in losses_as_latex(losses)


def test_losses_of_ordered_classes_need_an_order(folder):
    settings, table = read_experiment(folder)
    with pytest.raises(InvalidInput, match="need no order of the classes of wine, got 'NMD'"):
        compared_losses(table, settings, "NMD")
    rows = table[table["data"] != "wine (all classes)"]
    ordered = replace(settings, problems=(settings.problems[0], settings.problems[2]))
    losses = compared_losses(rows, ordered, "NMD")
    iris = rows[(rows["data"] == "iris (all classes)") & (rows.method == f"CC ({NB})") & (rows["size"] == 10)]
    expected = ORDERED_LOSSES["NMD"](*class_prevalences(iris)).mean()
    assert losses.loss.iloc[0] == pytest.approx(expected)


def test_the_classes_stand_in_their_order(folder):
    """Counting by hand: the shares of the classes that a model of the training half predicts."""
    counts = load_dataset("iris").class_counts
    settings = replace(SETTINGS, sampling=Sampling("APP", (6,), grid=3, repeats=1), pairs=SETTINGS.pairs[:1])
    table = run_cell(settings, Cell(0, 0))
    true, estimated = class_prevalences(table)
    assert set(counts.values()) == {50}
    assert sorted(map(tuple, true)) == [(0, 0, 1), (0, 0.5, 0.5), (0, 1, 0), (0.5, 0, 0.5), (0.5, 0.5, 0), (1, 0, 0)]
    # Naive Bayes never takes setosa, the second of the order, for another class.
    np.testing.assert_array_equal(estimated[:, 1], true[:, 1])
    assert not np.array_equal(estimated[:, 0], true[:, 0]) or not np.array_equal(estimated[:, 2], true[:, 2])


def test_one_file_of_all_cells_has_both_kinds(folder, tmp_path):
    before = read_experiment(folder)[1]
    ExperimentFolder.open(folder).combine()
    after = read_experiment(folder)[1]
    pd.testing.assert_frame_equal(after[before.columns], before)


def test_too_fine_a_grid_is_thinned_out():
    assert Sampling("APP", grid=11, repeats=2).protocol_of(10, 10).grid == 6
    assert Sampling("APP", grid=11, repeats=2).protocol_of(10, 3).grid == 11


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"sampling": Sampling()}, "protocol must be APP, UPP, NPP or given samples for all classes of iris"),
        ({"sampling": Sampling("Beta")}, "protocol must be APP, UPP"),
        ({"training_prevalences": (0.5,)}, "training_prevalences must be left out where all classes are estimated"),
        ({"pairs": (Pair(NB, "CC", calibration="sigmoid"),)}, "calibration must be left out where all classes"),
        ({"losses": ("mae",)}, "Did you mean AE?"),
        ({"losses": ()}, "Unknown loss ''"),
        ({"sampling": Sampling("given samples")}, "data of given samples must be a folder of samples, such as samples:T1A"),
    ],
)
def test_what_does_not_go_with_all_classes_is_said_before(changes, named):
    with pytest.raises(InvalidInput, match=named.replace("?", r"\?")):
        replace(SETTINGS, **changes)


@pytest.mark.parametrize(
    ("problem", "named"),
    [
        ({"positive": "x", "all_classes": True}, "positive must be left out with all_classes"),
        ({"order": ("a", "b")}, "order must be given with all_classes"),
        ({"all_classes": "yes"}, "all_classes must be true or false"),
    ],
)
def test_a_problem_is_of_one_class_or_of_all(problem, named):
    with pytest.raises(InvalidInput, match=named):
        Problem("iris", **problem)


def test_the_settings_are_read_from_their_toml():
    made = replace(SETTINGS, problems=SETTINGS.problems[2:], pairs=(Pair(NB, "AC", calibration="isotonic"),))
    for one in (SETTINGS, made):
        assert ExperimentSettings.from_toml(one.to_toml()) == one
    assert made.methods == [f"AC ({NB}, isotonic)"]


def test_calibrated_scores_give_other_estimates():
    pairs = tuple(Pair(NB, "PCC", calibration=one) for one in ("", "none", "sigmoid", "temperature"))
    settings = replace(SETTINGS, problems=SETTINGS.problems[2:], pairs=pairs, sampling=Sampling(folds=3))
    table = run_cell(settings, Cell(0, 0)).pivot_table("estimate", "target", "method", sort=False)
    plain, none, sigmoid, temperature = table.to_numpy().T
    np.testing.assert_array_equal(plain, none)
    assert len({tuple(np.round(one, 6)) for one in (plain, sigmoid, temperature)}) == 3


@pytest.fixture
def given(tmp_path, monkeypatch):
    """A data folder with two folders of samples of iris and of wine."""
    monkeypatch.setenv("QUANTIFICATION_LAB_DATA", str(tmp_path))
    rng = np.random.default_rng(0)
    for name in ("iris", "wine"):
        data = load_dataset(name)
        inside = rng.permutation(len(data.labels))
        training, pool = inside[:90], inside[90:]
        rows = [rng.choice(pool, size) for size in (12, 12, 20)]
        shares = [pd.Series(data.labels[one]).value_counts(normalize=True) for one in rows]
        prevalences = pd.DataFrame(shares, columns=list(data.classes)).fillna(0.0).reset_index(drop=True)
        table = data.features.assign(label=data.labels)
        write_samples(tmp_path / name, table.iloc[training], [data.features.iloc[one] for one in rows], prevalences)
    return tmp_path


def test_given_samples_are_a_protocol_of_experiments_and_of_the_command(given, tmp_path, capsys):
    problems = tuple(Problem(f"samples:{name}", all_classes=True) for name in ("iris", "wine"))
    settings = ExperimentSettings("given", problems, (Pair(NB, "CC"), Pair(NB, "EMQ")), Sampling("given samples", part="dev"))
    (given / "given.toml").write_text(settings.to_toml())
    run_experiment(settings, tmp_path / "run", n_jobs=1)
    assert main(["experiment", str(given / "given.toml"), "--into", str(tmp_path / "run")]) == 0
    assert "Mean ranks by AE over 2 data sets" in capsys.readouterr().out
    table = read_experiment(tmp_path / "run")[1]
    protocol = SamplesFromFolder(given / "iris", "dev")
    report = evaluation_report(protocol.score(NB), ["CC"], protocol, losses=["AE"])
    losses = compared_losses(table, settings)
    assert losses[(losses["data"] == "samples:iris (all classes)") & (losses.method == f"CC ({NB})")].loss.tolist() == [
        pytest.approx(report.AE.mean())
    ]
    (given / "iris" / "dev_samples" / "0.txt").write_text("changed")
    with pytest.raises(InvalidInput, match="be run with the same data set 'samples:iris'"):
        run_experiment(settings, tmp_path / "run", n_jobs=1)


def test_one_class_of_given_samples_against_the_rest(given):
    problem = Problem("samples:iris", "setosa")
    settings = ExperimentSettings("one", (problem,), (Pair(NB, "CC"),), Sampling("given samples"))
    table = run_cell(settings, Cell(0, 0))
    truth = pd.read_csv(given / "iris" / "dev_prevalences.txt", index_col=0)["setosa"]
    assert table.prevalence.tolist() == truth.tolist()
    assert table["size"].tolist() == [12, 12, 20]
    assert table.estimate.tolist() == pytest.approx(truth.tolist()), "setosa is never mistaken"
