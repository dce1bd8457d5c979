"""The correction with tpr and fpr: of the count (AC), and of the mean score (PACC)."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, check_fraction, check_training_data
from qcore.quantifiers.batch import Batch, blockwise
from qcore.quantifiers.counting import THRESHOLD, positive_share


def adjust(count: FloatArray, tpr: float | FloatArray, fpr: float | FloatArray) -> FloatArray:
    """clip((count - fpr) / (tpr - fpr), 0, 1), broadcast; the count unchanged where tpr = fpr.

    Examples
    --------
    >>> adjust(np.array([0.5, 0.1]), tpr=0.8, fpr=0.2).round(3).tolist()
    [0.5, 0.0]

    Source: Forman 2008; Barranquero 2013, eq. 3.1.
    """
    gap = np.asarray(tpr - fpr)
    flat = np.abs(gap) <= TIE
    adjusted = np.asarray((count - fpr) / np.where(flat, 1.0, gap))
    if flat.any():
        adjusted = np.where(flat, count, adjusted)
    return np.clip(adjusted, 0.0, 1.0, out=adjusted)


def expected_count(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatArray:
    """The share that is counted on average, p tpr + (1 - p) fpr, at a true prevalence p. Shapes broadcast.

    Source: Forman 2008; Barranquero 2013, 3.2.
    """
    p = np.asarray(prevalence, dtype=float)
    return p * np.asarray(tpr) + (1.0 - p) * np.asarray(fpr)


def unbiased_prevalence(tpr: ArrayLike, fpr: ArrayLike) -> FloatArray:
    """p* = fpr / (1 - tpr + fpr), the one prevalence at which counting is right. Shapes broadcast.

    NaN for perfect rates (tpr 1, fpr 0), with which counting is right everywhere.

    Examples
    --------
    >>> float(unbiased_prevalence(tpr=0.8, fpr=0.2).round(3))
    0.5

    Source: Forman 2008; Barranquero 2013, theorem 3.1.
    """
    rate, false_rate = np.asarray(tpr, dtype=float), np.asarray(fpr, dtype=float)
    whole = 1.0 - rate + false_rate
    return np.divide(false_rate, whole, out=np.full(np.shape(whole), np.nan), where=whole > TIE)


@dataclass
class AdjustedCount:
    """AC, or ACC: the count corrected with the tpr and fpr at threshold 0.5. Source: Forman 2008; Barranquero 2013, eq. 3.1.

    A threshold policy (see base.py): `threshold_` is always 0.5, and the count is always corrected.

    Parameters
    ----------
    rates : (tpr, fpr) from another estimation; None to learn them from the training scores.
    """

    threshold_: ClassVar[float] = THRESHOLD
    corrects_: ClassVar[bool] = True
    rates: tuple[float, float] | None = None

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn tpr and fpr from out-of-fold scores and labels, (n_training,) each. Raises InvalidInput."""
        checked, truth = check_training_data(scores, labels)
        if self.rates is None:
            self.tpr_ = float(positive_share(checked[truth == 1]))
            self.fpr_ = float(positive_share(checked[truth == 0]))
        else:
            self.tpr_, self.fpr_ = (check_fraction(name, rate) for name, rate in zip(("tpr", "fpr"), self.rates, strict=True))
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Adjusted count, (..., sample_size) -> (...); the plain count where tpr = fpr."""
        return blockwise(scores, lambda batch: adjust(positive_share(batch.scores), self.tpr_, self.fpr_))


@dataclass
class ProbabilisticAdjustedCount:
    """PACC, or SPA: the mean score corrected with each class's mean score.

    Source: Bella et al. 2010; Barranquero 2013, eq. 3.4-3.6.
    """

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn each class's mean out-of-fold score, from (n_training,) each."""
        checked, truth = check_training_data(scores, labels)
        self.positive_mean_ = float(checked[truth == 1].mean())
        self.negative_mean_ = float(checked[truth == 0].mean())
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Adjusted mean score, (..., sample_size) -> (...); the plain mean where the classes' means are equal."""
        return blockwise(scores, lambda batch: adjust(batch.mean, self.positive_mean_, self.negative_mean_))
