"""ACC and PACC for any number of classes: a linear system, solved by least squares on the simplex (M 2.3, 2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore.multiclass.base import ClassBatch, class_training_data, classwise, predicted, shares
from qcore.multiclass.simplex import least_on_simplex
from qcore.validation import FloatArray, IntArray

_PULL = 1e-10
"""Weight of the distance to the point before: small beside what any pair of classes that can be told apart adds."""

_STEPS = 6


def solve_on_simplex(rates: FloatArray, observed: FloatArray) -> FloatArray:
    """The prevalences p on the simplex with the least |rates p - observed|, (n, n_classes) -> the same shape.

    `rates[i, j]` is what an instance of class j adds to class i. Where several p fit alike (two classes that the classifier
    treats the same), the one nearest to `observed`: the papers leave it open, and it is what the binary correction does.
    """
    curvature = rates.T @ rates + _PULL * np.eye(len(rates))
    found = observed
    # Where the system decides, each step takes what the pull leaves of the way; where it does not, none moves.
    for _ in range(_STEPS):
        found = least_on_simplex(curvature, observed @ rates + _PULL * found)
    return found


@dataclass
class MulticlassAdjustedCount:
    """ACC: the counts corrected by the rates at which each class is taken for each (M 2.3)."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn `rates_[i, j]`, the share of class j that is taken for class i, out of fold."""
        checked, truth = class_training_data(scores, labels)
        given = predicted(checked)
        self.rates_ = np.stack([shares(given[np.newaxis, truth == j], checked.shape[1])[0] for j in np.unique(truth)], axis=1)
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Corrected counts, (..., sample_size, n_classes) -> (..., n_classes)."""
        n_classes = len(self.rates_)
        return classwise(scores, n_classes, lambda batch: solve_on_simplex(self.rates_, shares(batch.predicted, n_classes)))


@dataclass
class MulticlassProbabilisticAdjustedCount:
    """PACC: the mean scores corrected by each class's mean scores (M 2.5)."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn `rates_[i, j]`, the mean score for class i of the instances of class j, out of fold."""
        checked, truth = class_training_data(scores, labels)
        self.rates_ = _class_means(checked, truth)
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Corrected mean scores, (..., sample_size, n_classes) -> (..., n_classes)."""
        return classwise(scores, len(self.rates_), lambda batch: solve_on_simplex(self.rates_, batch.mean))


def _class_means(scores: FloatArray, labels: IntArray) -> FloatArray:
    return np.stack([scores[labels == label].mean(axis=0) for label in np.unique(labels)], axis=1)
