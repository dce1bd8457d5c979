"""Intervals of an adjusted count by formulas: with rates treated as known, and with rates treated as measured."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import beta, binom, norm

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray, check_level
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
    tail, m = (1.0 - level) / 2.0, np.asarray(counts.sample_size)
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
    """The interval of Lang and Reiczigel 2014: counts with added successes and failures, and a shifted middle."""
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
