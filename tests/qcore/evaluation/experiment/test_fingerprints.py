"""A folder of results belongs to the tables and classes with which its cells were computed."""

import importlib
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, InvalidInput
from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, read_experiment, run_experiment
from qcore.evaluation.experiment.fingerprints import changed, fingerprints

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


def test_another_object_under_the_same_name_is_refused(tmp_path):
    folder, mine = tmp_path / "run", Constant(0.1)
    assert run_experiment(SETTINGS, folder, n_jobs=1, own={"mine": mine}).finished == 2
    assert run_experiment(SETTINGS, folder, n_jobs=1, own={"mine": mine}).found == 2
    assert run_experiment(SETTINGS, folder, n_jobs=1, own={"mine": Constant(0.1)}).found == 2
    for other in (Constant(0.9), Returns(0.1)):
        with pytest.raises(InvalidInput, match=r"same quantifier 'mine', got another .* Name another folder"):
            run_experiment(SETTINGS, folder, n_jobs=1, own={"mine": other})
    assert set(read_experiment(folder)[1].query("method == 'mine'").estimate) == {0.1}


@pytest.mark.parametrize("content", ["{", "", "[]", '{"a": 1}'])
def test_a_damaged_file_of_fingerprints_is_named(tmp_path, content):
    run_experiment(SETTINGS, tmp_path / "run", n_jobs=1, own={"mine": Constant(0.1)})
    (tmp_path / "run" / "fingerprints.json").write_text(content)
    with pytest.raises(InvalidInput, match=r"'fingerprints\.json' must hold fingerprints by name"):
        run_experiment(SETTINGS, tmp_path / "run", n_jobs=1, own={"mine": Constant(0.1)})


def test_another_default_class_is_another_table(tmp_path):
    settings, data = replace(SETTINGS, problems=(Problem("mine.csv"),), pairs=SETTINGS.pairs[:1]), made(1.0)[1]
    run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": replace(data, default_positive="no")})
    with pytest.raises(InvalidInput, match=r"same data set 'mine\.csv'"):
        run_experiment(settings, tmp_path / "run", n_jobs=1, data_sets={"mine.csv": replace(data, default_positive="yes")})


def test_texts_by_another_python_say_nothing():
    assert changed({"a": "python3.11 x"}, {"a": "python3.12 y"}) == []
    assert changed({"a": "python3.11 x", "b": "0"}, {"a": "python3.11 y", "b": "0", "c": "1"}) == ["a"]


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
        (lambda scores: scores.mean(), "reduce over axis -1 alone"),
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


def test_a_class_that_is_written_anew_is_another_one(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    text = (
        "class Fixed:\n    def fit(self, scores, labels):\n        return self\n\n"
        "    def predict(self, scores):\n        return 0 * scores.mean(axis=-1) + 0.25\n"
    )
    (tmp_path / "my_methods.py").write_text(text)
    settings = replace(SETTINGS, pairs=(Pair(NB, "my_methods:Fixed", "fixed"),))
    assert run_experiment(settings, tmp_path / "run", n_jobs=1).finished == 2
    (tmp_path / "my_methods.py").write_text("# A comment above it.\n" + text)
    importlib.reload(sys.modules["my_methods"])
    assert run_experiment(settings, tmp_path / "run", n_jobs=1).found == 2
    (tmp_path / "my_methods.py").write_text(text.replace("0.25", "0.5"))
    importlib.reload(sys.modules["my_methods"])
    with pytest.raises(InvalidInput, match="same class 'my_methods:Fixed'"):
        run_experiment(settings, tmp_path / "run", n_jobs=1)


def test_classes_and_files_that_other_machines_read_have_no_fingerprint_here(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_DATA", str(tmp_path))
    made(1.0)[0].to_csv(tmp_path / "a.csv", index=False)
    word = f"{__name__}:Constant"
    settings = replace(SETTINGS, problems=(Problem("folder:a.csv"),), pairs=(Pair(NB, word, "constant"),))
    assert len(fingerprints(settings, {}, {})) == 2
    assert fingerprints(settings, {}, {}, elsewhere=True) == {}
