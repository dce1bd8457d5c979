"""Experiments on given scores: of a table or of given samples, of one class or of all; no classifier is trained."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, InvalidInput
from qcore.__main__ import main
from qcore.datasets.sample_folder import write_samples
from qcore.datasets.user_tables import as_given_scores
from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
from qcore.evaluation.experiment.cell import Cell, run_cell
from qcore.evaluation.experiment.settings import GIVEN_SCORES

PAIRS = tuple(Pair(GIVEN_SCORES, quantifier) for quantifier in ("CC", "AC", "PCC"))
SETTINGS = ExperimentSettings("scored", (Problem("folder:a.csv", are_scores=True),), PAIRS, Sampling("UPP", (20,), repeats=1))
CLASSES = ["low", "mid", "top"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_DATA", str(tmp_path))
    return tmp_path


def scored(n=300, seed=0, *, perfect=True):
    """A table of scores of the class yes, split already; perfect ones are above 0.5 for yes alone."""
    rng = np.random.default_rng(seed)
    is_yes = np.arange(n) % 3 == 0
    scores = np.where(is_yes, 0.6, 0.1) + 0.3 * rng.random(n) if perfect else rng.beta(2 + 2 * is_yes, 4 - 2 * is_yes)
    part = np.where(np.arange(n) < 120, "training", "test")
    return pd.DataFrame({"p": scores, "part": part, "class": np.where(is_yes, "yes", "no")})


@pytest.mark.parametrize("positive", ["", "yes", "no"])
def test_the_scores_of_a_table_are_counted_as_they_are(folder, positive):
    scored().to_csv(folder / "a.csv", index=False)
    table = run_cell(replace(SETTINGS, problems=(Problem("folder:a.csv", positive, are_scores=True),)), Cell(0, 0))
    counted = table[table.method.isin(["CC", "AC"])]
    assert counted.estimate.to_numpy() == pytest.approx(counted.prevalence.to_numpy())
    assert set(table.training_size) == {120}, "the file says which rows are for training"
    assert table.training_prevalence[0] == pytest.approx(2 / 3 if positive == "no" else 1 / 3)


def test_scores_of_all_classes_stand_in_columns_of_their_names(folder):
    labels = np.repeat(CLASSES, 40)
    shares = np.full((120, 3), 0.1) + 0.7 * (labels[:, np.newaxis] == np.array(CLASSES))
    pd.DataFrame(shares, columns=CLASSES).assign(**{"class": labels}).to_csv(folder / "a.csv", index=False)
    order = ("top", "mid", "low")
    all_classes = Problem("folder:a.csv", all_classes=True, order=order, are_scores=True)
    table = run_cell(replace(SETTINGS, problems=(all_classes,)), Cell(0, 0))
    counted = table[table.method == "CC"]
    for number in range(3):
        assert counted[f"estimate_{number}"].tolist() == pytest.approx(counted[f"prevalence_{number}"].tolist())
    of_one = run_cell(replace(SETTINGS, problems=(Problem("folder:a.csv", "top", are_scores=True),)), Cell(0, 0))
    of_one = of_one[of_one.method == "PCC"]
    assert of_one.estimate.tolist() == pytest.approx((0.1 + 0.7 * of_one.prevalence).tolist())


@pytest.mark.parametrize("positive", ["1", "0"])
def test_given_samples_can_hold_scores(folder, positive):
    training, rng = scored(perfect=False), np.random.default_rng(1)
    samples = [pd.DataFrame({"score": rng.random(size)}) for size in (7, 7, 30)]
    given = pd.DataFrame({"label": (training["class"] == "yes").astype(int), "score": training.p})
    shares = np.array([0.2, 0.4, 0.5])
    write_samples(folder / "T", given, samples, pd.DataFrame({"0": 1 - shares, "1": shares}))
    problem = Problem("samples:T", positive, are_scores=True)
    table = run_cell(replace(SETTINGS, problems=(problem,), sampling=Sampling("given samples")), Cell(0, 0))
    means, counts = (np.array([fold(one["score"]) for one in samples]) for fold in (np.mean, lambda s: (s >= 0.5).mean()))
    tpr, fpr = ((given.score[given.label == label] >= 0.5).mean() for label in (1, 0))
    expected = {"PCC": means, "CC": counts, "AC": np.clip((counts - fpr) / (tpr - fpr), 0, 1)}
    for method, values in expected.items():
        found = table[table.method == method]
        assert found.estimate.to_numpy() == pytest.approx(values if positive == "1" else 1 - values)
        assert found.prevalence.to_numpy() == pytest.approx(shares if positive == "1" else 1 - shares)


def test_the_command_runs_tables_of_scores(folder, capsys):
    for number, name in enumerate("ab"):
        scored(seed=number).drop(columns="part").to_csv(folder / f"{name}.csv", index=False)
    problems = tuple(Problem(f"folder:{name}.csv", are_scores=True) for name in "ab")
    settings = replace(SETTINGS, problems=problems, sampling=Sampling(folds=3))
    (folder / "scored.toml").write_text(settings.to_toml())
    run_experiment(settings, folder / "run", n_jobs=1)
    assert main(["experiment", str(folder / "scored.toml"), "--into", str(folder / "run")]) == 0
    assert "Mean ranks by AE over 2 data sets" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Pair(GIVEN_SCORES, "PWK"),
            "quantifier must be one that aggregates scores, got 'PWK'. It learns from features",
        ),
        (lambda: Pair("KNN", "QT"), 'Write classifier = "quantification forest", quantifier = "CC"'),
        (lambda: Pair(GIVEN_SCORES, "AC", classifier_parameters={"C": 1}), "be left out with given scores, got 'C'"),
        (lambda: Problem("folder:a.csv", are_scores=1), "are_scores must be true or false"),
        (lambda: Problem("folder:a.csv", features="as they are", are_scores=True), "features must be left out"),
        (lambda: replace(SETTINGS, pairs=(Pair("KNN", "AC"),)), "no classifier can be trained, got 'KNN'"),
        (lambda: replace(SETTINGS, problems=(Problem("iris"),)), "Or write are_scores = true"),
        (lambda: replace(SETTINGS, problems=(*SETTINGS.problems, Problem("iris"))), "problems must all hold scores, or none"),
        (lambda: replace(SETTINGS, training_sizes=(50,)), "training_sizes must be left out with given scores"),
        (lambda: as_given_scores(Dataset.from_frame(scored().assign(q=scored().p), "class")), "Leave out other columns"),
        (
            lambda: as_given_scores(Dataset.from_frame(scored().replace("test", "held out"), "class")),
            "must hold training and test",
        ),
        (lambda: as_given_scores(Dataset.from_frame(scored().assign(p=7.0 + scored().p), "class")), "numbers from 0 to 1"),
    ],
)
def test_what_does_not_go_with_scores_is_named(make, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        make()


def test_a_table_that_is_split_gives_no_folds(folder):
    scored().to_csv(folder / "a.csv", index=False)
    with pytest.raises(InvalidInput, match=r"be no folds where a\.csv says which rows are for training"):
        run_cell(replace(SETTINGS, sampling=Sampling()), Cell(0, 0))
