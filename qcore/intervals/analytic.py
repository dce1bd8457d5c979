"""Intervals of an adjusted count by formulas, what makes them wide, and what is said where there is none.

The delta method: how far an adjusted count scatters because of the sample and of the training rates (Vaz et al. 2019).

What makes an adjusted count uncertain: how much of its variance comes from the count, from the tpr and from the fpr.

What the row of a method says where it gives no interval, or one that is known to be too short.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import beta, binom, norm

from qcore._base.validation import TIE, FloatArray, IntArray, check_fraction, check_integer, check_level, check_prevalences
from qcore.intervals.counts import Counts


class Interval(NamedTuple):
    """Ends of intervals, shape (...), in [0, 1]; where tpr is not above fpr they are 0 and 1: nothing is known."""

    low: FloatArray
    high: FloatArray


def clipped(low: FloatArray, high: FloatArray, counts: Counts) -> Interval:
    """The ends clipped to [0, 1]; 0 and 1 where tpr is not above fpr."""
    known = counts.corrects
    return Interval(np.where(known, np.clip(low, 0.0, 1.0), 0.0), np.where(known, np.clip(high, 0.0, 1.0), 1.0))


def beside_none_or_all(low: FloatArray, high: FloatArray, level: float, sample_size: IntArray | int) -> Interval:
    """The interval, (...), except within half an instance of 0 or of 1, since no sample proves that a class is absent.

    There the end is that of Clopper and Pearson's interval for none, or for all, of the sample's instances.
    """
    least = ((1.0 - level) / 2.0) ** (1.0 / sample_size)
    none = 0.5 / sample_size
    return Interval(np.where(low > 1.0 - none, least, low), np.where(high < none, 1.0 - least, high))


def sample_alone(counts: Counts, level: float = 0.95) -> Interval:
    """Percentiles of the count over bootstrap samples, corrected with tpr and fpr as if they were known.

    Equals a bootstrap of the sample alone, without drawing: each bootstrap sample has a binomial number of predicted
    positives. Its coverage is far too low if tpr and fpr are measured on few instances.
    """
    check_level(level)
    # A sample with weights has an effective size, which need not be whole.
    tail, m = (1.0 - level) / 2.0, np.rint(counts.sample_size)
    gap = np.where(counts.corrects, counts.tpr - counts.fpr, 1.0)
    low, high = ((binom.ppf(share, m, counts.count) / m - counts.fpr) / gap for share in (tail, 1.0 - tail))
    return clipped(low, high, counts)


def clopper_pearson(found: ArrayLike, total: ArrayLike, tail: float) -> tuple[FloatArray, FloatArray]:
    """Exact ends of the interval of a share, given `found` of `total`, (...), with probability `tail` beyond each end.

    Source: Clopper and Pearson 1934.
    """
    x, n = np.asarray(found), np.asarray(total)
    low = np.where(x > 0, beta.ppf(tail, np.maximum(x, 1), n - x + 1), 0.0)
    return low, np.where(x < n, beta.ppf(1.0 - tail, x + 1, np.maximum(n - x, 1)), 1.0)


def known_rates(counts: Counts, level: float = 0.95) -> Interval:
    """Clopper and Pearson's (1934) interval of the count, corrected with tpr and fpr: for rates that are truly known.

    The same as from epiR's `epi.prev`, for a test whose maker states its sensitivity and specificity.
    """
    check_level(level)
    low, high = clopper_pearson(counts.predicted_positives, counts.sample_size, (1.0 - level) / 2.0)
    gap = np.where(counts.corrects, counts.tpr - counts.fpr, 1.0)
    return clipped((low - counts.fpr) / gap, (high - counts.fpr) / gap, counts)


def delta_deviation(
    prevalence: FloatArray, count: FloatArray, rates: tuple[ArrayLike, ArrayLike], sizes: tuple[ArrayLike, ArrayLike, ArrayLike]
) -> FloatArray:
    """Standard deviation of (tpr - fpr) times an adjusted count, with the variances of the count, of tpr and of fpr, (...).

    `rates` are (tpr, fpr); `sizes` the sample size, the labelled positives and the labelled negatives.
    """
    tpr, fpr = (np.asarray(rate) for rate in rates)
    m, n_pos, n_neg = (np.asarray(size, dtype=np.float64) for size in sizes)
    of_sample = count * (1.0 - count) / m
    of_rates = prevalence**2 * tpr * (1.0 - tpr) / n_pos + (1.0 - prevalence) ** 2 * fpr * (1.0 - fpr) / n_neg
    return np.sqrt(of_sample + of_rates)


def delta(counts: Counts, level: float = 0.95) -> Interval:
    """The estimate and its standard deviation by the delta method, as a ratio with three variances (Vaz et al. 2019).

    The sample is a random one of a population: its own share of positives scatters, too, so that the count is binomial. Of
    samples that are drawn with a given number of positives, see `delta_method.adjusted_count_deviations`.
    """
    check_level(level)
    z = norm.ppf(0.5 + level / 2.0)
    p, rates = counts.unclipped, (counts.tpr, counts.fpr)
    deviation = delta_deviation(p, counts.count, rates, (counts.sample_size, counts.positives, counts.negatives))
    half = z * deviation / np.where(counts.corrects, counts.tpr - counts.fpr, 1.0)
    return clipped(p - half, p + half, counts)


def lang_reiczigel(counts: Counts, level: float = 0.95) -> Interval:
    """The interval of Lang and Reiczigel 2014: counts with added successes and failures, and a shifted middle.

    Lee et al. 2025 propose it for what a language model judges.
    """
    check_level(level)
    z = norm.ppf(0.5 + level / 2.0)
    m = np.asarray(counts.sample_size) + z**2
    count = (np.asarray(counts.predicted_positives) + z**2 / 2.0) / m
    (se, of_se), (sp, of_sp) = counts.smoothed_rates
    # With added failures, a tpr that was barely above fpr may no longer be above it.
    usable = counts.corrects & (se + sp - 1.0 > TIE)
    gap = np.where(usable, se + sp - 1.0, 1.0)
    e = (count + sp - 1.0) / gap
    shift = 2.0 * z**2 * (e * of_se - (1.0 - e) * of_sp)
    half = z * np.sqrt(count * (1.0 - count) / m + (1.0 - e) ** 2 * of_sp + e**2 * of_se) / gap
    return clipped(np.where(usable, e + shift - half, 0.0), np.where(usable, e + shift + half, 1.0), counts)


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
    check_integer("sample_size", sample_size, low=1, hint="Choose for example 100.")
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


class VarianceShares(NamedTuple):
    """Parts of the variance of an adjusted count, which add up to 1; NaN where tpr is not above fpr."""

    of_count: float
    of_tpr: float
    of_fpr: float


def variance_shares(counts: Counts) -> VarianceShares:
    """The parts of the variance of one sample's adjusted count, by the delta method (Vaz et al. 2019).

    The rates have a success and a failure added, and so has the count, since a share of 0 or 1 would have no variance.

    Examples
    --------
    >>> [round(share, 2) for share in variance_shares(Counts(150, 1000, 90, 100, 10, 100))]
    [0.13, 0.0, 0.87]
    """
    (se, _), (sp, _) = counts.smoothed_rates
    m = np.asarray(counts.sample_size) + 2.0
    count, rates = (np.asarray(counts.predicted_positives) + 1.0) / m, (se, 1.0 - sp)
    if not counts.corrects or se + sp <= 1.0:
        return VarianceShares(np.nan, np.nan, np.nan)
    p = np.clip((count - rates[1]) / (rates[0] - rates[1]), 0.0, 1.0)
    sizes = (m, np.asarray(counts.positives) + 2.0, np.asarray(counts.negatives) + 2.0)
    # Of infinitely many instances nothing scatters.
    alone = ([size if at == part else np.inf for at, size in enumerate(sizes)] for part in range(3))
    variances = [float(delta_deviation(p, count, rates, (of[0], of[1], of[2]))) ** 2 for of in alone]
    return VarianceShares(*(variance / sum(variances) for variance in variances))


NO_INTERVAL = "none: "
"""The first word for the kind of an interval that says nothing, 0 to 1; the reason follows."""


def why_no_interval(kind: str) -> str:
    """Why an interval of this kind is 0 to 1 and says nothing; empty for any other kind.

    Examples
    --------
    >>> why_no_interval("none: fewer than 20 instances"), why_no_interval("double bootstrap")
    ('fewer than 20 instances', '')
    """
    return kind.removeprefix(NO_INTERVAL) if kind.startswith(NO_INTERVAL) else ""


def interval_row(
    method: str, idea: str, ends: tuple[float, float], too_short: str, *, known: bool = False
) -> dict[str, float | str]:
    """The entries of a method's row: low, high, interval (the method, or why there is none), too_short (a reason) and idea.

    An interval without width is none, unless the share is `known`. The idea begins with what is said against the interval.

    Examples
    --------
    >>> interval_row("delta", "How.", (0.0, 0.0), "it sees no error in the count (0 of 50)")["idea"]
    'No interval: it sees no error in the count (0 of 50).'
    """
    low, high = ends
    if low == high and not known:
        why = too_short or "it is cut off at an end, beyond which the estimate lies"
        return {"low": 0.0, "high": 1.0, "interval": f"{NO_INTERVAL}{why}", "too_short": "", "idea": f"No interval: {why}."}
    said = f"Too short here: {too_short}. {idea}" if too_short else idea
    return {"low": low, "high": high, "interval": method, "too_short": too_short, "idea": said}
