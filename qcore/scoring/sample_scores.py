"""An unlabelled sample scored by a classifier that is trained on all labelled instances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_scores
from qcore.classifiers import make_classifier, positive_scores, with_chosen_parameters
from qcore.datasets import Dataset, check_dataset
from qcore.datasets.preparation import MISSING_VALUE
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS


class SampleScores(NamedTuple):
    """Scores of a sample (m,), and of all labelled instances, out of fold, with their labels 0 and 1, (n,) each."""

    sample: FloatArray
    training_scores: FloatArray
    training_labels: IntArray


def score_sample(
    dataset: Dataset,
    sample: pd.DataFrame,
    positive: str,
    classifier: str = "logistic regression",
    *,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> SampleScores:
    """Train on all of a data set, score it out of fold, and score a table without labels.

    Parameters
    ----------
    dataset : labelled; of given scores, nothing is trained.
    sample : a row for each instance, with the data set's features among its columns, or with a column of scores.
    positive : the class whose share is wanted.
    classifier : key of CLASSIFIERS.
    seed : of folds and model.
    on_progress : called after each training with the share of the work that is done.

    Raises
    ------
    InvalidInput
        The sample has no rows or lacks a feature, a class has fewer than 2 instances, or a score is outside [0, 1].

    Examples
    --------
    >>> from qcore import load_dataset
    >>> data = load_dataset("iris")
    >>> scored = score_sample(data, data.features[:60], "setosa")
    >>> scored.sample.shape, int((scored.sample > 0.5).sum())
    ((60,), 50)
    """
    check_dataset(dataset)
    labels = dataset.binary_labels(positive)
    if not len(sample):
        raise InvalidInput("sample", "have a row", "none", "Choose a file with the instances to estimate.")
    if dataset.are_scores:
        given, asked = dataset.features.iloc[:, 0].to_numpy(dtype=np.float64), _scores_of(sample, dataset)
        if positive != dataset.default_positive:
            given, asked = 1.0 - given, 1.0 - asked
        return SampleScores(asked, given, labels)
    if np.bincount(labels, minlength=2).min() < 2:
        raise InvalidInput(f"each class of {dataset.name}", "have at least 2 instances", "fewer", "Add labelled instances.")
    features = aligned(sample, dataset)
    folds = RATE_ESTIMATIONS["out of fold"].held_out(labels, seed)
    model = make_classifier(classifier, dataset.nominal, min(len(inside) for inside, _ in folds), seed)
    model = with_chosen_parameters(classifier, model, dataset.features, labels)
    out_of_fold = scored_out_of_fold(model, dataset, labels, folds, score=positive_scores, on_progress=on_progress)
    return SampleScores(positive_scores(clone(model).fit(dataset.features, labels), features), out_of_fold, labels)


def scored_out_of_fold(
    model: Pipeline,
    dataset: Dataset,
    labels: IntArray,
    folds: Sequence[tuple[IntArray, IntArray]],
    *,
    score: Callable[[Pipeline, pd.DataFrame], FloatArray],
    on_progress: Callable[[float], None] | None = None,
) -> FloatArray:  # fmt: skip
    """Each fold scored by a model of the others, (n,) or (n, n_classes), as `score` of a fitted model gives it."""
    parts = []
    for number, (inside, outside) in enumerate(folds, start=1):
        fitted = clone(model).fit(dataset.features.iloc[inside], labels[inside])
        parts.append(score(fitted, dataset.features.iloc[outside]))
        if on_progress:
            on_progress(number / (len(folds) + 1))
    return np.concatenate(parts)[np.argsort(np.concatenate([outside for _, outside in folds]))]


def aligned(sample: pd.DataFrame, dataset: Dataset) -> pd.DataFrame:
    """The features of a data set out of a table: numbers as numbers, the others as text. Raises InvalidInput if one lacks."""
    wanted = list(dataset.features.columns)
    named = sample.rename(columns=str)
    missing = [name for name in wanted if name not in named.columns]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise InvalidInput(
            "sample", f"have the {len(wanted)} features of {dataset.name}", f"none called {', '.join(missing[:5])}{more}",
            f"Is {dataset.name} your labelled table? Then name the sample's columns as there, in any order.",
        )  # fmt: skip
    text = set(dataset.nominal)
    return pd.DataFrame(
        {
            name: named[name].astype(object).where(named[name].notna(), MISSING_VALUE).map(str)
            if name in text
            else pd.to_numeric(named[name], errors="coerce").astype(float).replace([np.inf, -np.inf], np.nan)
            for name in wanted
        }
    )


def outside_training(sample: pd.DataFrame, dataset: Dataset) -> pd.DataFrame:
    """Which of a sample's values are beyond the range of the labelled ones, or are none of theirs, (m, n_features)."""
    features = aligned(sample, dataset)

    def beyond(name: str) -> pd.Series:
        known = dataset.features[name]
        if name in dataset.nominal:
            return ~features[name].isin(known.unique())
        return (features[name] < known.min()) | (features[name] > known.max())

    return pd.DataFrame({name: beyond(name) for name in features.columns})


def _scores_of(sample: pd.DataFrame, dataset: Dataset) -> FloatArray:
    numbers = [name for name in sample.columns if pd.api.types.is_numeric_dtype(sample[name])]
    name = dataset.features.columns[0] if dataset.features.columns[0] in numbers else numbers[0] if len(numbers) == 1 else None
    if name is None:
        found = f"{len(numbers)} columns of numbers"
        raise InvalidInput("sample", "have one column of scores, or one called score", found, "Leave the others out.")
    return check_scores("sample's scores", sample[name].to_numpy(dtype=np.float64))
