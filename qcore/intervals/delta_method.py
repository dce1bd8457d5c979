"""The delta method: how far an adjusted count scatters because of the sample and of the training rates (Vaz et al. 2019)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, check_fraction, check_integer, check_prevalences


@dataclass(frozen=True)
class DeltaDeviations:
    """Standard deviations of the unclipped adjusted count, shape (...), NaN where tpr = fpr.

    `sampling` comes from the instances that a sample holds, `rates` from the training instances on which tpr and fpr were
    measured.
    """

    sampling: FloatArray
    rates: FloatArray

    @property
    def total(self) -> FloatArray:
        """The standard deviation from both together."""
        return np.hypot(self.sampling, self.rates)


def adjusted_count_deviations(
    prevalence: float,
    tpr: ArrayLike,
    fpr: ArrayLike,
    *,
    sample_size: int,
    training_counts: tuple[int, int],
    pool_counts: tuple[int, int] | None = None,
) -> DeltaDeviations:
    """Standard deviation of AC by the delta method, as a ratio estimator with the sample's and the rates' variance.

    Parameters
    ----------
    prevalence : p of the sample, which holds round(p m) positives.
    tpr, fpr : rates at one or several thresholds, shape (...).
    sample_size : m.
    training_counts : (positives, negatives) on which tpr and fpr were measured.
    pool_counts : (positives, negatives) of the pool that samples are drawn from without replacement; None for an infinite pool.

    Raises
    ------
    InvalidInput
        A value is out of range.

    Notes
    -----
    The sample holds a given number of positives, so that only the predictions scatter; where its share of positives scatters,
    too, see `analytic.delta`.
    Var(count) = (p tpr (1 - tpr) f+ + n fpr (1 - fpr) f-) / m with f = (N - drawn) / (N - 1) for a pool of N, and the rates add
    p^2 Var(tpr) + n^2 Var(fpr); all is divided by (tpr - fpr)^2. A rate of 0 or 1 has no variance by this method.
    """
    check_fraction("prevalence", prevalence)
    check_integer("sample_size", sample_size, low=1, way_out="Choose for example 100.")
    for count in training_counts:
        check_integer("a training count", count, low=1)
    for count in pool_counts or ():
        check_integer("a pool count", count, low=0)
    true_rate, false_rate = check_prevalences("tpr", tpr), check_prevalences("fpr", fpr)
    shares = (prevalence, 1.0 - prevalence)
    variances = (true_rate * (1.0 - true_rate), false_rate * (1.0 - false_rate))
    factors = [1.0, 1.0]
    if pool_counts is not None:
        pairs = zip(pool_counts, shares, strict=True)
        factors = [max(size - share * sample_size, 0.0) / max(size - 1, 1) for size, share in pairs]
    parts = zip(shares, factors, variances, strict=True)
    sampling = sum(share * factor * variance for share, factor, variance in parts) / sample_size
    rates = sum(share**2 * variance / n for share, variance, n in zip(shares, variances, training_counts, strict=True))
    gap = np.abs(true_rate - false_rate)
    gap = np.where(gap <= TIE, np.nan, gap)
    return DeltaDeviations(np.sqrt(sampling) / gap, np.sqrt(rates) / gap)
