"""Threshold selection policies: AC at a threshold other than 0.5 (X, Max, T50), or at many (Median Sweep)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, check_fraction, check_one_sample, check_training_data
from qcore.measures.rate_curve import RateCurve, counts_at, rate_curve
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import ScoreQuantifier
from qcore.quantifiers.batch import THRESHOLD, Batch
from qcore.quantifiers.blockwise import blockwise
from qcore.quantifiers.inspection import SweepEstimates
from qcore.quantifiers.threshold_median import Runs, Sweep, framed, threshold_medians


def candidate_thresholds(curve: RateCurve) -> RateCurve:
    """The thresholds with tpr > fpr, from which every policy chooses. Source: Barranquero 2013, 3.2.1."""
    return curve.at(curve.tpr - curve.fpr > TIE)


def x_criterion(curve: RateCurve) -> FloatArray:
    """X: |1 - tpr - fpr|, lowest where fpr = 1 - tpr. Source: Forman 2008; Barranquero 2013, 3.2.1."""
    return np.abs(1.0 - curve.tpr - curve.fpr)


def max_criterion(curve: RateCurve) -> FloatArray:
    """Max: -(tpr - fpr), lowest where the denominator of the correction is largest. Source: as X."""
    return curve.fpr - curve.tpr


def t50_criterion(curve: RateCurve) -> FloatArray:
    """T50: |tpr - 0.5|, lowest where half of the positives are found. Source: as X."""
    return np.abs(curve.tpr - 0.5)


class AdjustedAtThreshold(ScoreQuantifier):
    """Quantifiers that count at a threshold and correct the count there; `fit` sets `threshold_`, `tpr_` and `fpr_`."""

    takes_counts: ClassVar[bool] = True
    threshold_: float
    tpr_: float
    fpr_: float

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Count at the threshold, adjusted there: (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: adjust(batch.share_from(self.threshold_), self.tpr_, self.fpr_))


@dataclass
class ThresholdPolicy(AdjustedAtThreshold):
    """AC at the candidate threshold with the lowest `criterion`; ties go to the lowest threshold.

    Without a candidate (no threshold has tpr > fpr) it estimates as CC does: at a threshold of 0.5, without correction.

    Source: Forman 2008; Barranquero 2013, 3.2.1.
    """

    criterion: Callable[[RateCurve], FloatArray]

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Choose the threshold from out-of-fold scores and labels, (n_training,) each."""
        curve = candidate_thresholds(rate_curve(*check_training_data(scores, labels)))
        # tpr 1 and fpr 0 leave a count as it is.
        self.threshold_, self.tpr_, self.fpr_ = THRESHOLD, 1.0, 0.0
        self.corrects_ = bool(len(curve.thresholds))
        if self.corrects_:
            values = self.criterion(curve)
            chosen = int(np.argmax(values <= values.min() + TIE))
            self.threshold_ = float(curve.thresholds[chosen])
            self.tpr_, self.fpr_ = float(curve.tpr[chosen]), float(curve.fpr[chosen])
        return self


@dataclass
class MedianSweep(ScoreQuantifier):
    """MS: the median of AC over every candidate threshold with tpr - fpr >= `least_gap`; without one, Max.

    The default 1/4 is Forman's. Estimates are clipped to [0, 1] before the median.

    Source: Forman 2008; Barranquero 2013, 3.2.1.
    """

    takes_counts: ClassVar[bool] = True
    least_gap: float = 0.25

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Choose the thresholds from out-of-fold scores and labels, (n_training,) each."""
        check_fraction("least_gap", self.least_gap)
        checked, truth = check_training_data(scores, labels)
        curve = candidate_thresholds(rate_curve(checked, truth))
        wide = curve.tpr - curve.fpr >= self.least_gap - TIE
        self.curve_ = curve.at(wide)
        if not wide.any():
            fallback = ThresholdPolicy(max_criterion).fit(checked, truth)
            self.curve_ = RateCurve(*(np.array([v]) for v in (fallback.threshold_, fallback.tpr_, fallback.fpr_)))
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Median of the adjusted counts, (..., sample_size) -> (...)."""
        return blockwise(scores, self._median)

    def _median(self, batch: Batch) -> FloatArray:
        if batch.shares is not None:
            counts = batch.shares_from(self.curve_.thresholds)
            return np.median(adjust(counts, self.curve_.tpr, self.curve_.fpr), axis=1)
        n_thresholds = len(self.curve_.thresholds)
        ends = framed(batch.locate(self.curve_.thresholds), 0, n_thresholds)
        every = np.arange(n_thresholds + 1, dtype=np.int32)[np.newaxis]
        lower, upper = threshold_medians(
            Sweep(self.curve_.tpr, self.curve_.fpr, every), Runs(ends[:, :-1], ends[:, 1:], (ends,))
        )
        return (lower + upper) / 2.0

    def sweep(self, scores: ArrayLike) -> SweepEstimates:
        """The estimate at every threshold, for one sample, (sample_size,)."""
        sample = check_one_sample("scores", scores)
        counts = counts_at(sample, self.curve_.thresholds) / len(sample)
        estimates = adjust(counts, self.curve_.tpr, self.curve_.fpr)
        return SweepEstimates(self.curve_.thresholds, estimates, float(np.median(estimates)))
