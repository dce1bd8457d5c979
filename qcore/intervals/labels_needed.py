"""How wide will an interval be with a given number of labels, and which labels would help most?"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, InvalidInput, check_fraction, check_integer, check_level
from qcore.intervals.analytic import delta_deviation


def expected_width(
    prevalence: float, rates: tuple[float, float], positives: ArrayLike, negatives: ArrayLike, *, sample_size: ArrayLike,
    level: float = 0.95,
) -> FloatArray:  # fmt: skip
    """Width of an adjusted count's interval by the delta method, shape (...), at most 1.

    Parameters
    ----------
    prevalence : the expected prevalence.
    rates : the classifier's (tpr, fpr).
    positives, negatives, sample_size : labelled instances of each class and instances in the sample; they broadcast.

    Raises
    ------
    InvalidInput
        A value is out of range, or tpr is not above fpr.

    Examples
    --------
    >>> expected_width(0.1, (0.8, 0.1), [50, 100, 1000], 100, sample_size=1000).round(2).tolist()
    [0.17, 0.17, 0.17]
    """
    check_level(level)
    check_fraction("prevalence", prevalence)
    for name, count in (("positives", positives), ("negatives", negatives), ("sample_size", sample_size)):
        if (np.asarray(count) < 0).any():
            raise InvalidInput(name, "be 0 or more", f"{np.min(count)}", "Check the counts.")
    tpr, fpr = (check_fraction(name, rate) for name, rate in zip(("tpr", "fpr"), rates, strict=True))
    if tpr - fpr <= TIE:
        way_out = "Take a better classifier, or check whether counts are swapped."
        raise InvalidInput("tpr", f"be above fpr, {fpr:g}", f"{tpr:g}", way_out)
    share = np.asarray(prevalence)
    count = share * tpr + (1.0 - share) * fpr
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = delta_deviation(share, count, (tpr, fpr), (sample_size, positives, negatives))
    width = np.minimum(2.0 * norm.ppf(0.5 + level / 2.0) * deviation / (tpr - fpr), 1.0)
    # Without an instance, or without a label of a class, nothing is known, even where the formula has 0/0.
    unknown = (np.asarray(sample_size) == 0) | (np.asarray(positives) == 0) | (np.asarray(negatives) == 0)
    return np.where(unknown, 1.0, width)


class BestSplit(NamedTuple):
    """How many of the next labels should be positives and negatives, and the width of the interval with them."""

    positives: int
    negatives: int
    width: float


def best_split(
    prevalence: float, rates: tuple[float, float], positives: int, negatives: int, *, sample_size: int, more: int = 100,
    level: float = 0.95,
) -> BestSplit:  # fmt: skip
    """The split of `more` labels between the classes that makes the interval shortest. Raises as `expected_width`.

    Examples
    --------
    >>> best_split(0.1, (0.8, 0.1), 50, 50, sample_size=1000)[:2]
    (0, 100)
    """
    check_integer("more", more, low=1)
    for name, count in (("positives", positives), ("negatives", negatives)):
        check_integer(name, count, low=0)
    added = np.arange(more + 1)
    widths = expected_width(
        prevalence, rates, positives + added, negatives + more - added, sample_size=sample_size, level=level
    )
    best = int(np.argmin(widths))
    return BestSplit(best, more - best, float(widths[best]))
