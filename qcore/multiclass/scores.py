"""Data set + classifier + seed -> class scores: out-of-fold training scores and pool scores of every class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split

from qcore.classifiers import class_scores, make_classifier
from qcore.datasets import Dataset
from qcore.scores import N_FOLDS
from qcore.validation import FloatArray, IntArray, InvalidInput, check_fraction, check_integer


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
    dataset: Dataset, classifier: str = "logistic regression", *, seed: int = 0, training_share: float = 0.5
) -> MulticlassScores:
    """Split, cross-validate and score all classes of a data set.

    Parameters
    ----------
    dataset : with 3 instances of each class or more.
    classifier : key of CLASSIFIERS.
    seed : of split, folds and model.
    training_share : share of the data set that the classifier is trained on, the same of every class.

    Raises
    ------
    InvalidInput
        A value is out of range, or a class has fewer than 2 training instances or none in the pool.
    """
    check_integer("seed", seed, low=0)
    check_fraction("training share", training_share, low=0.01, high=0.99)
    labels = np.array([dataset.classes.index(name) for name in dataset.labels])
    everything = np.arange(len(labels))
    states = [int(state) for state in np.random.default_rng(seed).integers(2**31 - 1, size=3)]
    training, pool = np.empty(0, dtype=int), everything
    if int(np.bincount(labels).min()) >= 3 and len(dataset.classes) <= training_share * len(labels):
        training, pool = train_test_split(everything, train_size=training_share, random_state=states[0], stratify=labels)
    n_training, n_pool = (np.bincount(labels[part], minlength=len(dataset.classes)) for part in (training, pool))
    if n_training.min() < 2 or n_pool.min() < 1:
        raise InvalidInput(
            f"every class of {dataset.name}",
            "have at least 2 training instances and 1 in the pool",
            f"{int(n_training.min())} and {int(n_pool.min())} in the smallest",
            "Choose another training share or data set.",
        )

    folds = StratifiedKFold(min(N_FOLDS, int(n_training.min())), shuffle=True, random_state=states[1])
    parts = [(training[inside], training[outside]) for inside, outside in folds.split(training, labels[training])]
    least = min(len(inside) for inside, _ in parts)

    def fit_and_score(inside: IntArray, outside: IntArray) -> FloatArray:
        model = make_classifier(classifier, dataset.nominal, least, states[2])
        return class_scores(model.fit(dataset.features.iloc[inside], labels[inside]), dataset.features.iloc[outside])

    scored = np.empty((len(labels), len(dataset.classes)))
    for inside, outside in parts:
        scored[outside] = fit_and_score(inside, outside)
    scored[pool] = fit_and_score(training, pool)
    training, pool = np.sort(training), np.sort(pool)
    return MulticlassScores(dataset.classes, scored[training], labels[training], scored[pool], labels[pool])
