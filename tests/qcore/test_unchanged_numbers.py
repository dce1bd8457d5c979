"""What scoring, sampling and estimating gave before they were one engine for any number of classes, to the last digits.

The numbers were written by the commit before (`python -m tests.qcore.test_unchanged_numbers`), and are not to be written anew
because a change of the code moves them.
"""

import json
from itertools import groupby
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

from qcore import (
    ArtificialPrevalence,
    NaturalPrevalence,
    ScoringSettings,
    SizeGrid,
    estimate_sample,
    evaluation_report,
    load_dataset,
    score_dataset,
    score_sample,
)
from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling
from qcore.evaluation.experiment.cell import cells, run_cell
from qcore.protocols import BetaPrevalence, SimplexPrevalence
from qcore.scoring.training_part import RowLevels

NUMBERS = Path(__file__).parents[1] / "data" / "unchanged_numbers.json"


def arrays_of_scores(scores):
    return [scores.training_scores, scores.training_labels, scores.pool_scores, scores.pool_labels]


def two_classes(data, **settings):
    dataset = load_dataset(data)
    settings = {"positive": dataset.default_positive, **settings}
    return arrays_of_scores(score_dataset(dataset, ScoringSettings(**settings)))


def all_classes(data, classifier, **more):
    return arrays_of_scores(score_dataset(load_dataset(data), ScoringSettings(None, classifier, **more)))


def sample(data, classifier, positive):
    """Of training rows, which since then have held-out scores (test_equal_rows.py): here they have those of the model."""
    dataset = load_dataset(data)
    with patch.object(RowLevels, "of_rows", lambda levels, keys, scores: scores):
        return list(score_sample(dataset, dataset.features.iloc[::3], positive, classifier, seed=4))


def sample_of_all(data, classifier):
    return sample(data, classifier, None)


def drawn(protocol, n_classes=2):
    samples = protocol.draw(np.repeat(np.arange(n_classes), 60), np.random.default_rng(3))
    every = samples if isinstance(samples, tuple) else (samples,)
    return [array for one in every for _, rows in one.blocks() for array in (rows, one.counts, one.targets, one.repeats)]


def experiment(**more):
    settings = ExperimentSettings(
        name="numbers",
        problems=(Problem("wine"), Problem("iris", features="deviation 0.5")),
        pairs=(Pair("logistic regression", "CC"), Pair("logistic regression", "AC"), Pair("k nearest neighbours", "PACC")),
        **more,
    )
    # The numbers were written when a cell had all classifiers of a fold or draw.
    by_draw = groupby(cells(settings), lambda cell: (cell.problem, cell.draw))
    tables = [pd.concat([run_cell(settings, cell) for cell in group]) for _, group in by_draw]
    return [table[["size", "target", "prevalence", "estimate"]].to_numpy(dtype=float) for table in tables]


def report(rows):
    return [rows.select_dtypes("number").to_numpy(dtype=float)]


CASES = {
    "logistic regression": lambda: two_classes("iris"),
    "undersampled": lambda: two_classes("wdbc", classifier="Gaussian naive Bayes", seed=3, training_prevalence=0.7),
    "few": lambda: two_classes("wine", classifier="k nearest neighbours", training_share=0.1, seed=5),
    "chosen parameters": lambda: two_classes("tictactoe", classifier="PWK-alpha", training_share=0.2),
    "bootstrap": lambda: two_classes("iris", rate_estimation="bootstrap", classifier="Gaussian naive Bayes"),
    "leave-one-out": lambda: two_classes("iris", rate_estimation="leave-one-out", classifier="PWK"),
    "all classes": lambda: all_classes("wine", "logistic regression"),
    "all classes, neighbours": lambda: all_classes("iris", "k nearest neighbours", seed=2, training_share=0.3),
    "all classes, one against all": lambda: all_classes("wine", "linear SVM", seed=1),
    "all classes, chosen parameters": lambda: all_classes("iris", "PWK-alpha"),
    "all of two classes": lambda: all_classes("wdbc", "Gaussian naive Bayes"),
    "sample": lambda: sample("wdbc", "Gaussian naive Bayes", "malignant"),
    "sample, chosen parameters": lambda: sample("iris", "PWK-alpha", "setosa"),
    "sample of all classes": lambda: sample_of_all("wine", "logistic regression"),
    "sample of all classes, chosen parameters": lambda: sample_of_all("iris", "PWK-alpha"),
    "APP": lambda: drawn(ArtificialPrevalence(11, 30, 4)),
    "NPP": lambda: drawn(NaturalPrevalence(20, 30)),
    "Beta": lambda: drawn(BetaPrevalence(2.0, 3.0, 20, 30)),
    "simplex": lambda: drawn(SimplexPrevalence(4, 20, 3), 3),
    "sizes": lambda: drawn(SizeGrid((5, 20), 11, 3)),
    "cell of folds": lambda: experiment(sampling=Sampling("stratified folds", grid=5, folds=3)),
    "cell of sizes": lambda: experiment(
        sampling=Sampling("APP", sizes=(10, 20), grid=5, repeats=2), draws=1, training_sizes=(40,), training_prevalences=(0.3,)
    ),
    "report": lambda: report(
        evaluation_report(score_dataset(load_dataset("iris")), ["CC", "AC", "MS", "EMQ"], ArtificialPrevalence(5, 20, 3))
    ),
    "report of all classes": lambda: report(
        evaluation_report(
            score_dataset(load_dataset("wine"), ScoringSettings(None, "Gaussian naive Bayes")),
            ["CC", "AC", "PACC", "EMQ", "MS"], NaturalPrevalence(30, 20), losses=("AE",),
        )
    ),
    "estimate of a sample": lambda: report(
        estimate_sample(*sample("wdbc", "logistic regression", "malignant"), ["AC", "MS"]).table
    ),
    "estimate of all classes of a sample": lambda: report(
        estimate_sample(
            *sample_of_all("iris", "Gaussian naive Bayes"), ["AC"], classes=load_dataset("iris").classes
        ).table[["estimate", "low", "high"]]
    ),
}  # fmt: skip


def summary(arrays):
    """Of each array its shape, its sum, and its sum weighted by position, which another order would change."""
    flat = [np.nan_to_num(np.asarray(array, dtype=float)) for array in arrays]
    return [[list(one.shape), float(one.sum()), float((one.ravel() * np.arange(1, one.size + 1)).sum())] for one in flat]


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_before(name):
    wanted = json.loads(NUMBERS.read_text())[name]
    result = summary(CASES[name]())
    assert [shape for shape, *_ in result] == [shape for shape, *_ in wanted]
    for (_, *sums), (_, *expected) in zip(result, wanted, strict=True):
        assert sums == pytest.approx(expected, rel=1e-12, abs=1e-12)


if __name__ == "__main__":
    NUMBERS.write_text(json.dumps({name: summary(make()) for name, make in CASES.items()}, indent=1) + "\n")
