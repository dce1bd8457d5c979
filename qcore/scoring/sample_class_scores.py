"""An unlabelled sample scored for all classes by a classifier that is trained on all labelled instances."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

from qcore._base.validation import FloatArray, IntArray, InvalidInput
from qcore.classifiers import class_scores, make_classifier, with_chosen_parameters
from qcore.datasets import Dataset, check_dataset
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.sample_scores import aligned, scored_out_of_fold


class ClassSampleScores(NamedTuple):
    """Scores of a sample, (m, n_classes), and of all labelled instances, out of fold, (n, n_classes), and labels, (n,)."""

    sample: FloatArray
    training_scores: FloatArray
    training_labels: IntArray


def score_class_sample(
    dataset: Dataset,
    sample: pd.DataFrame,
    classifier: str = "logistic regression",
    *,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> ClassSampleScores:
    """Train on all classes of a data set, score it out of fold, and score a table without labels.

    Raises
    ------
    InvalidInput
        The sample has no rows or lacks a feature, a class has fewer than 2 instances, or the data set is of given scores.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> data = load_dataset("iris")
    >>> score_class_sample(data, data.features[:60]).sample.argmax(axis=1).tolist() == [0] * 50 + [1] * 10
    True
    """
    check_dataset(dataset)
    if dataset.are_scores:
        raise InvalidInput("data set", "have features", "scores of one class", "Choose a table with features.")
    labels = np.array([dataset.classes.index(name) for name in dataset.labels])
    if not len(sample):
        raise InvalidInput("sample", "have a row", "none", "Choose a file with the instances to estimate.")
    if np.bincount(labels).min() < 2:
        raise InvalidInput(f"each class of {dataset.name}", "have at least 2 instances", "fewer", "Add labelled instances.")
    features = aligned(sample, dataset)
    folds = RATE_ESTIMATIONS["out of fold"].held_out(labels, seed)
    smallest, n_classes = min(len(inside) for inside, _ in folds), len(dataset.classes)
    model = make_classifier(classifier, dataset.nominal, smallest, seed, n_classes=n_classes)
    model = with_chosen_parameters(classifier, model, dataset.features, labels)
    out_of_fold = scored_out_of_fold(model, dataset, labels, folds, score=class_scores, on_progress=on_progress)
    return ClassSampleScores(class_scores(clone(model).fit(dataset.features, labels), features), out_of_fold, labels)
