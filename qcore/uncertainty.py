"""How uncertain an adjusted count is: the delta method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qcore.rounding import TIE
from qcore.validation import FloatArray, check_fraction, check_integer, check_prevalences


@dataclass(frozen=True)
class DeltaSpread:
    """Standard deviations of the unclipped adjusted count, shape (...), NaN where tpr = fpr.

    `sampling` comes from which instances a sample happens to hold, `rates` from which training instances measured tpr and fpr.
    """

    sampling: FloatArray
    rates: FloatArray

    @property
    def total(self) -> FloatArray:
        """Both together."""
        return np.hypot(self.sampling, self.rates)


def adjusted_count_spread(
    prevalence: float,
    tpr: ArrayLike,
    fpr: ArrayLike,
    *,
    sample_size: int,
    training_counts: tuple[int, int],
    pool_counts: tuple[int, int] | None = None,
) -> DeltaSpread:
    """Spread of AC by the delta method, as a ratio estimator with the sample's and the rates' variance (Vaz et al. 2019).

    Parameters
    ----------
    prevalence : p of the sample, which holds round(p m) positives.
    tpr, fpr : rates at one or several thresholds, shape (...).
    sample_size : m.
    training_counts : (positives, negatives) on which tpr and fpr were measured.
    pool_counts : (positives, negatives) of the pool that samples are drawn from without replacement; None: an endless one.

    Raises
    ------
    InvalidInput
        A value is out of range.

    Notes
    -----
    Var(count) = (p tpr (1 - tpr) f+ + n fpr (1 - fpr) f-) / m with f = (N - drawn) / (N - 1) for a pool of N, and the rates add
    p^2 Var(tpr) + n^2 Var(fpr); all is divided by (tpr - fpr)^2. A rate of 0 or 1 has no variance by this method.
    """
    check_fraction("prevalence", prevalence)
    check_integer("sample_size", sample_size, low=1, way_out="Choose for example 100.")
    for count in training_counts:
        check_integer("a training count", count, low=1)
    for count in pool_counts or ():
        check_integer("a pool count", count, low=0)
    found, false = check_prevalences("tpr", tpr), check_prevalences("fpr", fpr)
    shares = (prevalence, 1.0 - prevalence)
    spreads = (found * (1.0 - found), false * (1.0 - false))
    left = [1.0, 1.0]
    if pool_counts is not None:
        pairs = zip(pool_counts, shares, strict=True)
        left = [max(size - share * sample_size, 0.0) / max(size - 1, 1) for size, share in pairs]
    sampling = sum(share * f * spread for share, f, spread in zip(shares, left, spreads, strict=True)) / sample_size
    rates = sum(share**2 * spread / n for share, spread, n in zip(shares, spreads, training_counts, strict=True))
    gap = np.abs(found - false)
    gap = np.where(gap <= TIE, np.nan, gap)
    return DeltaSpread(np.sqrt(sampling) / gap, np.sqrt(rates) / gap)
