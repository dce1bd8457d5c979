"""Quantifiers that correct nothing: baseline (BL), classify and count (CC), probabilistic classify and count (PCC).

All three take the scores of one class against the rest, or of all classes.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_labelled_scores
from qcore.quantifiers.base import ScoreQuantifier, blockwise
from qcore.quantifiers.batch import Batch, ClassBatch


def number_of_classes(scores: FloatArray) -> int | None:
    """Columns of checked training scores: None for those of one class against the rest, (n_training,)."""
    return None if scores.ndim == 1 else scores.shape[1]


@dataclass
class Baseline(ScoreQuantifier):
    """BL: the training prevalence, or prevalences, whatever the sample. Source: Barranquero 2013, 5.2.3.

    Examples
    --------
    >>> Baseline().fit([0.9, 0.2, 0.1, 0.3], [1, 0, 0, 0]).predict([0.8, 0.9]).item()
    0.25
    """

    takes_counts: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the training prevalence, or those of all classes."""
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = number_of_classes(checked)
        self.prevalence_: Any = float(truth.mean()) if self.n_classes_ is None else np.bincount(truth) / len(truth)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """The training prevalence of every sample, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        shape = np.shape(self.prevalence_)
        return blockwise(scores, lambda batch: np.full((len(batch), *shape), self.prevalence_), self.n_classes_)


@dataclass
class ClassifyAndCount(ScoreQuantifier):
    """CC: the share of the sample with score >= 0.5; of several classes, an instance counts for that with its highest score.

    Source: Forman 2008; Barranquero 2013, 3.1; Marufo 2023, 2.1.

    Examples
    --------
    >>> fitted = ClassifyAndCount().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0])
    >>> fitted.predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.5
    """

    takes_counts: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the number of classes only; the arguments are checked."""
        self.n_classes_ = number_of_classes(check_labelled_scores(scores, labels)[0])
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Share predicted, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        return blockwise(scores, lambda batch: batch.predicted_share, self.n_classes_)


@dataclass
class ProbabilisticClassifyAndCount(ScoreQuantifier):
    """PCC, or PA: the mean score of the sample, or of each class.

    Source: Bella et al. 2010; Barranquero 2013, eq. 3.3; Marufo 2023, 2.4.

    Examples
    --------
    >>> fitted = ProbabilisticClassifyAndCount().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0])
    >>> fitted.predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.45
    """

    takes_counts: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the number of classes only; the arguments are checked."""
        self.n_classes_ = number_of_classes(check_labelled_scores(scores, labels)[0])
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Mean score, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        return blockwise(scores, lambda batch: batch.mean, self.n_classes_)
