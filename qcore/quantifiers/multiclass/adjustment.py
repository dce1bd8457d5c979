"""ACC and PACC for any number of classes: a linear system, solved by least squares on the simplex."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.multiclass.base import ClassBatch, class_training_data, classwise, predicted, shares
from qcore.quantifiers.multiclass.simplex_minimisation import minimise_on_simplex

_DAMPING = 1e-10
"""Weight of the distance to the previous point: small compared with the effect of any two classes that differ."""

_STEPS = 6


def solve_on_simplex(rates: FloatArray, observed: FloatArray) -> FloatArray:
    """The prevalences p on the simplex with the lowest |rates p - observed|, (n, n_classes) -> the same shape.

    `rates[i, j]` is what an instance of class j adds to class i. If several p fit equally well (two classes that the classifier
    treats alike), the one nearest to `observed` is taken: the papers leave it open, and the binary correction does the same.
    Source: Marufo 2023, 2.3 and 2.5.
    """
    curvature = rates.T @ rates + _DAMPING * np.eye(len(rates))
    prevalences = observed
    # Where the system determines p, each step removes nearly all of the damping's effect; where it does not, p stays.
    for _ in range(_STEPS):
        prevalences = minimise_on_simplex(curvature, observed @ rates + _DAMPING * prevalences)
    return prevalences


@dataclass
class MulticlassAdjustedCount:
    """ACC: the counts corrected with the rates at which each class is predicted as each class. Source: Marufo 2023, 2.3."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn `rates_[i, j]`, the share of class j that is predicted as class i, out of fold."""
        checked, truth = class_training_data(scores, labels)
        classes = predicted(checked)
        self.rates_ = np.stack([shares(classes[np.newaxis, truth == j], checked.shape[1])[0] for j in np.unique(truth)], axis=1)
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Corrected counts, (..., sample_size, n_classes) -> (..., n_classes)."""
        n_classes = len(self.rates_)
        return classwise(scores, n_classes, lambda batch: solve_on_simplex(self.rates_, shares(batch.predicted, n_classes)))


@dataclass
class MulticlassProbabilisticAdjustedCount:
    """PACC: the mean scores corrected with each class's mean scores. Source: Marufo 2023, 2.5."""

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
