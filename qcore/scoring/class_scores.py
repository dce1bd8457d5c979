"""Data set + classifier + seed -> class scores: out-of-fold training scores and pool scores of every class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, train_test_split

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_fraction, check_seed
from qcore.classifiers import class_scores, make_classifier, with_chosen_parameters
from qcore.datasets import Dataset, check_dataset
from qcore.scoring.rate_estimation import N_FOLDS


@dataclass(frozen=True)
class MulticlassScores:
    """Scores that sum to 1 over the classes, and labels 0 to n_classes - 1, of a training part and of a pool.

    `training_scores` are out-of-fold, (n_training, n_classes); `pool_scores`, (n_pool, n_classes), come from the model of the
    whole training part, which has not seen the pool.
    """

    classes: tuple[str, ...]
    training_scores: FloatArray
    training_labels: IntArray
    pool_scores: FloatArray
    pool_labels: IntArray


def score_classes(
    dataset: Dataset,
    classifier: str = "logistic regression",
    *,
    seed: int = 0,
    training_share: float = 0.5,
    on_progress: Callable[[float], None] | None = None,
) -> MulticlassScores:
    """Split, cross-validate and score all classes of a data set.

    Parameters
    ----------
    dataset : with 3 instances of each class or more.
    classifier : key of CLASSIFIERS.
    seed : of split, folds and model.
    training_share : share of the data set that the classifier is trained on, the same of every class.
    on_progress : called after each training with the share of the work that is done.

    Raises
    ------
    InvalidInput
        A value is out of range, or a class has fewer than 2 training instances or none in the pool.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> score_classes(load_dataset("wine"), "Gaussian naive Bayes").pool_scores.shape
    (89, 3)
    """
    check_dataset(dataset)
    check_seed(seed)
    check_fraction("training share", training_share, low=0.01, high=0.99)
    labels = np.array([dataset.classes.index(name) for name in dataset.labels])
    everything = np.arange(len(labels))
    states = [int(state) for state in np.random.default_rng(seed).integers(2**31 - 1, size=3)]
    n_training = int(training_share * len(labels))
    fewest, n_classes = int(np.bincount(labels).min()), len(dataset.classes)
    if fewest < 3 or min(n_training // 2, len(labels) - n_training) < n_classes:
        raise InvalidInput(
            f"every class of {dataset.name}",
            "have at least 3 instances, and the training share at least 2 of each for training and 1 for the pool",
            f"{fewest} in the smallest of {n_classes} classes, {n_training} of {len(labels)} for training",
            "Choose another training share or data set.",
        )
    training, pool = train_test_split(everything, train_size=n_training, random_state=states[0], stratify=labels)
    fewest_training = int(np.bincount(labels[training]).min())
    if fewest_training < 2:
        whose, way_out = f"every class of {dataset.name}", "Choose a larger training share."
        raise InvalidInput(whose, "have at least 2 training instances", f"{fewest_training}", way_out)
    folds = StratifiedKFold(min(N_FOLDS, fewest_training), shuffle=True, random_state=states[1])
    parts = [(training[inside], training[outside]) for inside, outside in folds.split(training, labels[training])]
    smallest = min(len(inside) for inside, _ in parts)

    model = make_classifier(classifier, dataset.nominal, smallest, states[2], n_classes=n_classes)
    model = with_chosen_parameters(classifier, model, dataset.features.iloc[training], labels[training])

    def fit_and_score(inside: IntArray, outside: IntArray) -> FloatArray:
        fitted = clone(model).fit(dataset.features.iloc[inside], labels[inside])
        return class_scores(fitted, dataset.features.iloc[outside])

    scored = np.empty((len(labels), len(dataset.classes)))
    for number, (inside, outside) in enumerate(parts, start=1):
        scored[outside] = fit_and_score(inside, outside)
        if on_progress:
            on_progress(number / (len(parts) + 1))
    scored[pool] = fit_and_score(training, pool)
    training, pool = np.sort(training), np.sort(pool)
    return MulticlassScores(dataset.classes, scored[training], labels[training], scored[pool], labels[pool])
