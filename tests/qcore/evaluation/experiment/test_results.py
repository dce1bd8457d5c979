"""A folder of results belongs to the version of qcore and to the data sets with which its cells were computed."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, InvalidInput, __version__
from qcore.evaluation.experiment import (
    ExperimentFolder,
    ExperimentSettings,
    Pair,
    Problem,
    Sampling,
    read_experiment,
    run_experiment,
)
from qcore.evaluation.experiment.provenance import data_hashes

NB = "Gaussian naive Bayes"
SETTINGS = ExperimentSettings("own", (Problem("iris"),), (Pair(NB, "CC"), Pair(NB, "CC", name="mine")), Sampling(folds=2))


class Constant:
    """A quantifier of a user's, which keeps what `fit` learns in the object itself."""

    def __init__(self, share):
        self.share = share

    def fit(self, _scores, labels):
        self.learnt_ = labels.mean()

    def predict(self, scores):
        return np.full(np.shape(scores)[:-1], self.share)


class Returns:
    def __init__(self, values):
        self.values = values

    def fit(self, _scores, _labels):
        return self

    def predict(self, scores):
        return self.values(scores)


@pytest.mark.parametrize("content", ["{", "", "[]", '{"a": 1}'])
def test_a_damaged_file_of_hashes_is_named(tmp_path, content):
    run_experiment(SETTINGS, tmp_path / "run", n_jobs=1, own={"mine": Constant(0.1)})
    (tmp_path / "run" / "data.json").write_text(content)
    with pytest.raises(InvalidInput, match=r"'data\.json' must hold hashes of data sets by their words"):
        run_experiment(SETTINGS, tmp_path / "run", n_jobs=1, own={"mine": Constant(0.1)})


def test_another_default_class_is_another_table(tmp_path):
    settings, data = replace(SETTINGS, problems=(Problem("mine.csv"),), pairs=SETTINGS.pairs[:1]), made(1.0)[1]
    run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": replace(data, default_positive="no")})
    with pytest.raises(InvalidInput, match=r"same data set 'mine\.csv'"):
        run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": replace(data, default_positive="yes")})


def test_shares_that_are_rounded_to_32_bits_are_shares(tmp_path):
    nearly = Returns(lambda scores: np.sort(scores, axis=-1)[..., 0] * 0 + np.float32(1.0000001))
    assert run_experiment(SETTINGS, tmp_path / "run", n_jobs=1, own={"mine": nearly}).finished == 2


def made(gap):
    rng = np.random.default_rng(0)
    labels = np.repeat(["no", "yes"], 60)
    frame = pd.DataFrame({"x": rng.normal(size=120) + gap * (labels == "yes"), "class": labels})
    return frame, Dataset.from_frame(frame, "class")


def test_another_table_under_the_same_name_is_refused(tmp_path):
    settings = replace(SETTINGS, problems=(Problem("mine.csv", "yes"), Problem("iris")), pairs=SETTINGS.pairs[:1])
    (_, first), (_, second) = made(0.2), made(4.0)
    assert run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": first}).finished == 4
    assert run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": made(0.2)[1]}).found == 4
    with pytest.raises(InvalidInput, match=r"same data set 'mine\.csv'"):
        run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": second})


def test_a_file_that_failed_may_be_mended_and_one_that_was_used_may_not_change(tmp_path, monkeypatch):
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("QUANTIFICATION_LAB_DATA", str(data))
    (data / "a.csv").write_text("x,class\n1,only\n2,only\n")
    settings = replace(SETTINGS, problems=(Problem("folder:a.csv"), Problem("iris")), pairs=SETTINGS.pairs[:1])
    assert len(run_experiment(settings, tmp_path / "run", n_jobs=1).failures) == 2
    made(4.0)[0].to_csv(data / "a.csv", index=False)
    assert not run_experiment(settings, tmp_path / "run", n_jobs=1).failures
    made(0.2)[0].to_csv(data / "a.csv", index=False)
    with pytest.raises(InvalidInput, match=r"same data set 'folder:a\.csv'"):
        run_experiment(settings, tmp_path / "run", n_jobs=1)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (lambda scores: scores.mean(axis=-1) * np.nan, "return shares from 0 to 1"),
        (lambda scores: scores.mean(axis=-1) * 3 - 1, "return shares from 0 to 1"),
        (lambda scores: scores.mean(), "reduce only over axis -1"),
    ],
)
def test_estimates_that_are_none_fail_in_their_cell_and_are_tried_again(tmp_path, values, words):
    sampling = Sampling("APP", sizes=(10,), grid=3, repeats=2)
    settings = replace(SETTINGS, sampling=sampling, draws=1)
    (reason,) = run_experiment(settings, tmp_path / "run", n_jobs=1, own={"mine": Returns(values)}).failures.values()
    assert "predict of 'mine'" in reason
    assert words in reason
    mended = Returns(lambda scores: scores.mean(axis=-1))
    assert run_experiment(settings, tmp_path / "run", n_jobs=1, own={"mine": mended}).finished == 1


def test_files_that_other_machines_read_have_no_hash_here(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_DATA", str(tmp_path))
    made(1.0)[0].to_csv(tmp_path / "a.csv", index=False)
    settings = replace(SETTINGS, problems=(Problem("folder:a.csv"), Problem("iris"), Problem("folder:none.csv")))
    assert list(data_hashes(settings, {})) == ["folder:a.csv"]
    assert data_hashes(settings, {}, elsewhere=True) == {}


@pytest.mark.parametrize(("before", "named"), [("0.9.0", "version 0.9.0"), (None, "an earlier version, which is not noted")])
def test_another_version_reads_a_run_and_does_not_continue_it(tmp_path, before, named):
    path = tmp_path / "run"
    run_experiment(SETTINGS, path, n_jobs=1, own={"mine": Constant(0.1)})
    written = json.loads((path / "format.json").read_text())
    assert written["versions"]["qcore"] == __version__
    written["versions"].pop("qcore")
    written["versions"] |= {"qcore": before} if before else {}
    (path / "format.json").write_text(json.dumps(written))
    assert run_experiment(SETTINGS, path, n_jobs=1, own={"mine": Constant(0.1)}).found == 2, "nothing is left to do"
    (path / "cells" / "000-001-00-00.parquet").unlink()
    assert len(read_experiment(path)[1]) > 0
    with pytest.raises(InvalidInput, match=rf"{named}, got version {__version__}\. Install .*, or name another folder"):
        run_experiment(SETTINGS, path, n_jobs=1, own={"mine": Constant(0.1)})


def test_a_folder_without_finished_cells_belongs_to_the_version_that_goes_on(tmp_path):
    ExperimentFolder.create(tmp_path / "run", SETTINGS)
    (tmp_path / "run" / "format.json").write_text('{"format": 1, "versions": {"qcore": "0.9.0"}}')
    for _ in range(2):
        run_experiment(SETTINGS, tmp_path / "run", n_jobs=1, own={"mine": Constant(0.1)})
        (tmp_path / "run" / "cells" / "000-001-00-00.parquet").unlink()
    assert json.loads((tmp_path / "run" / "format.json").read_text())["versions"]["qcore"] == __version__
