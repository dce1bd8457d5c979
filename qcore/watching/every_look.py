"""Intervals that hold at every look: they may be computed after each batch, as often as one likes, and all hold at once."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import betaln, xlog1py, xlogy
from scipy.stats import norm

from qcore._base.validation import FloatArray, InvalidInput, check_level, check_part, whole_numbers
from qcore.intervals.analytic import Interval, clipped, clopper_pearson, delta_deviation, lang_reiczigel
from qcore.intervals.counts import Counts

_HALVINGS: Final = 50
_WEIGHT: Final = 125.0
"""How many instances the mixture around each p counts for, where it is tuned for large samples."""
_EDGE: Final = 1e-12


def share_at_every_look(positives: ArrayLike, sizes: ArrayLike, level: float = 0.95, *, tuned: bool = False) -> Interval:
    """Intervals of a share that hold at all looks at once, given `positives` of `sizes` instances so far, (...).

    They hold each p whose likelihood is not too small beside its mean over a Beta distribution: with the uniform one,
    (m + 1) P(Bin(m, p) = x) > 1 - level.

    Parameters
    ----------
    tuned : take Beta(125 p, 125 (1 - p)) for each p instead of the uniform one: narrower from 500 instances on, wider before.

    Raises
    ------
    InvalidInput
        Counts that are not whole numbers, that are negative, or more positives than instances; a level out of bounds.

    Notes
    -----
    Robbins 1970.

    Examples
    --------
    >>> low, high = share_at_every_look(50, 100)
    >>> low.round(4).item(), high.round(4).item()
    (0.3446, 0.6554)
    """
    check_level(level, high=0.9999)
    x, m = np.broadcast_arrays(whole_numbers("positives", positives), whole_numbers("sizes", sizes))
    check_part("positives", x, "the number of instances", m)
    least, uniform = np.log(1.0 - level), betaln(x + 1.0, m - x + 1.0)

    def kept(p: FloatArray) -> Any:
        p = np.clip(p, _EDGE, 1.0 - _EDGE)
        mean = uniform
        if tuned:
            a, b = _WEIGHT * p, _WEIGHT * (1.0 - p)
            mean = betaln(x + a, m - x + b) - betaln(a, b)
        # The binomial coefficient cancels.
        return xlogy(x, p) + xlog1py(m - x, -p) - mean > least

    estimate = np.where(m > 0, x / np.maximum(m, 1), 0.5)
    return Interval(*_ends(kept, estimate))


def _ends(kept: Callable[[FloatArray], Any], estimate: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where `kept` ends below and above an estimate, both by one bisection; an end of [0, 1] itself if that is kept."""
    end = np.stack([np.zeros_like(estimate), np.ones_like(estimate)])
    inside, outside, reached = estimate, end, kept(end)
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2.0
        still = kept(middle)
        inside, outside = np.where(still, middle, inside), np.where(still, outside, middle)
    found = np.where(reached, end, outside)
    return found[0, ...], found[1, ...]


def critical_value(ratio: float, level: float = 0.95) -> float:
    """The value that replaces the normal quantile at all looks, if the variance falls to 1 / `ratio` of that at the first.

    Largest of the normal quantile z and the root of phi(z) ((z - 1/z) ln ratio + 4/z) = 1 - level.

    Source: Miller and Siegmund 1982.

    Examples
    --------
    >>> round(critical_value(10.0), 2)
    2.84
    """
    once = float(norm.ppf(0.5 + level / 2.0))

    def too_high(z: float) -> float:
        return float(norm.pdf(z)) * ((z - 1.0 / z) * float(np.log(ratio)) + 4.0 / z) - (1.0 - level)

    return once if ratio <= 1.0 or too_high(1.0) <= 0 else max(once, float(brentq(too_high, 1.0, 40.0)))


def adjusted_at_every_look(counts: Counts, level: float = 0.95) -> Interval:
    """Intervals of an adjusted count at all looks at once: `counts` so far of each look, (n,), with the same rates at all.

    Lang and Reiczigel's interval with `critical_value` for the normal quantile. The variance of the rates stays, so that the
    intervals never become narrower than the labels allow. They hold for a share that does not move.

    Raises
    ------
    InvalidInput
        No look; a level of 0 or 1.

    Examples
    --------
    >>> looks = Counts(np.array([17, 34, 51]), np.array([100, 200, 300]), 80, 100, 10, 100)
    >>> adjusted_at_every_look(looks).high.round(2).tolist()
    [0.29, 0.24, 0.23]
    """
    check_level(level, high=0.9999)
    if np.ndim(counts.sample_size) != 1 or not np.size(counts.sample_size):
        raise InvalidInput("counts", "be of one look or more, in an array", f"shape {counts.count.shape}", "Give a column.")
    return lang_reiczigel(counts, 2.0 * float(norm.cdf(critical_value(variance_ratio(counts), level))) - 1.0)


def variance_ratio(counts: Counts) -> float:
    """How many times larger the variance is at the first look than it would be after infinitely many instances."""
    tpr = (int(counts.true_positives) + 1.0) / (int(counts.positives) + 2.0)
    fpr = (int(counts.false_positives) + 1.0) / (int(counts.negatives) + 2.0)
    first, size = float(counts.count[0]), float(np.asarray(counts.sample_size)[0])
    share = np.asarray(np.clip((first - fpr) / (tpr - fpr), 0.0, 1.0) if tpr > fpr else 0.5)
    count = share * tpr + (1.0 - share) * fpr
    of_rates, of_first = (
        float(delta_deviation(share, count, (tpr, fpr), (instances, int(counts.positives), int(counts.negatives)))) ** 2
        for instances in (np.inf, size)
    )
    return of_first / of_rates


def exact_adjusted_at_every_look(counts: Counts, level: float = 0.95) -> Interval:
    """Intervals with guaranteed coverage, which are wider: from exact ones of tpr and fpr, and of the count at every look.

    A quarter of 1 - level is left to tpr and to fpr each (Clopper and Pearson 1934), half of it to the count
    (`share_at_every_look`); the ends are those of the worst corners.
    """
    check_level(level, high=0.9999)
    tail = (1.0 - level) / 8.0
    tpr = clopper_pearson(counts.true_positives, counts.positives, tail)
    fpr = clopper_pearson(counts.false_positives, counts.negatives, tail)
    count = share_at_every_look(counts.predicted_positives, counts.sample_size, 0.5 + level / 2.0)
    known = tpr[0] > fpr[1]
    gaps = [np.where(known, gap, 1.0) for gap in (tpr[1] - fpr[1], tpr[0] - fpr[0])]
    low, high = (count.low - fpr[1]) / gaps[0], (count.high - fpr[0]) / gaps[1]
    return clipped(np.where(known, low, 0.0), np.where(known, high, 1.0), counts)
