"""BL, CC and PCC for any number of classes."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray
from qcore.quantifiers.multiclass.base import ClassBatch, class_training_data, classwise, shares


@dataclass
class MulticlassBaseline:
    """BL: the training prevalences, whatever the sample. Source: Barranquero 2013, 5.2.3."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the training prevalences."""
        _, truth = class_training_data(scores, labels)
        self.prevalences_ = np.bincount(truth) / len(truth)
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """The training prevalences for every sample, (..., sample_size, n_classes) -> (..., n_classes)."""
        return classwise(scores, len(self.prevalences_), lambda batch: np.tile(self.prevalences_, (len(batch), 1)))


@dataclass
class MulticlassClassifyAndCount:
    """CC: the share of each class among the predictions; an instance counts for the class with its highest score.

    Source: Marufo 2023, 2.1.
    """

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the number of classes only; the arguments are checked."""
        self.n_classes_ = class_training_data(scores, labels)[0].shape[1]
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Share predicted for each class, (..., sample_size, n_classes) -> (..., n_classes)."""
        return classwise(scores, self.n_classes_, lambda batch: shares(batch.predicted, self.n_classes_))


@dataclass
class MulticlassProbabilisticClassifyAndCount:
    """PCC: the mean score of each class. Source: Marufo 2023, 2.4."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the number of classes only; the arguments are checked."""
        self.n_classes_ = class_training_data(scores, labels)[0].shape[1]
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Mean score of each class, (..., sample_size, n_classes) -> (..., n_classes)."""
        return classwise(scores, self.n_classes_, lambda batch: batch.mean)
