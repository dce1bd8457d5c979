"""Tests of ranks: do data sets agree on an order of methods more than chance alone makes them?

Source: Friedman 1937; Barranquero 2013, 4.2.
"""

from functools import lru_cache
from itertools import permutations
from math import factorial, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest, f

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray

MOST_SETS: Final = {3: 15, 4: 10, 5: 5, 6: 3, 7: 2, 8: 2}
"""Number of methods, above two -> most data sets for which all ways to assign ranks are enumerated, in 0.1 to 0.2 s."""


class RankTest(NamedTuple):
    """A statistic and its p-value."""

    statistic: float
    p_value: float


def friedman_statistic(ranks: ArrayLike) -> FloatArray:
    """Friedman's chi-square of ranks, (..., n_sets, n_methods) -> (...), corrected for ties; 0 where all are tied."""
    array = np.asarray(ranks, dtype=np.float64)
    n, k = array.shape[-2:]
    means = array.mean(axis=-2)
    squares = (means**2).sum(axis=-1) - k * (k + 1) ** 2 / 4.0
    # The variance of ranks within a data set, which ties reduce.
    spread = (array**2).sum(axis=(-2, -1)) / n - k * (k + 1) ** 2 / 4.0
    tied = spread <= TIE
    return np.where(tied, 0.0, n * (k - 1) * squares / np.where(tied, 1.0, spread))


def iman_davenport(ranks: FloatArray) -> RankTest:
    """Iman and Davenport's test of ranks, (n_sets, n_methods); with few data sets its p-value is exact."""
    n, k = ranks.shape
    statistic = float(friedman_statistic(ranks))
    rest, exact = n * (k - 1) - statistic, exact_p_value(ranks)
    if rest <= TIE:
        # All data sets rank the methods alike: F is infinite, but the ways to assign the ranks can be counted.
        _, tied = np.unique(ranks[0], return_counts=True)
        ways = factorial(k) / prod(factorial(int(count)) for count in tied)
        return RankTest(np.inf, float(ways) ** (1 - n))
    value = (n - 1) * statistic / rest
    return RankTest(float(value), float(f.sf(value, k - 1, (k - 1) * (n - 1))) if exact is None else exact)


def exact_p_value(ranks: FloatArray) -> float | None:
    """Among all ways to assign each data set's ranks to methods, the share in which data sets agree at least as much.

    Agreement is Friedman's chi-square, which grows with the squares of the methods' sums of ranks. Ties stay within their data
    set. Source: Friedman 1937, whose tables are of this distribution.

    Parameters
    ----------
    ranks : (n_sets, n_methods), mean ranks where methods tie.

    Returns
    -------
    p : from 0 to 1, or None where MOST_SETS says that there are too many ways to enumerate; of two methods it is that of the
        sign test.

    Examples
    --------
    Three data sets agree on the order of two methods in 2 of 8 ways.

    >>> exact_p_value(np.array([[1.0, 2.0]] * 3))
    0.25
    """
    # Twice the ranks are whole numbers, also where methods tie.
    doubled = np.rint(2.0 * ranks).astype(np.intp)
    n_sets, n_methods = doubled.shape
    if n_methods == 2:
        wins, losses = int((doubled[:, 0] < doubled[:, 1]).sum()), int((doubled[:, 0] > doubled[:, 1]).sum())
        return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
    if n_sets > MOST_SETS.get(n_methods, 0):
        return None
    # Neither the order of data sets matters nor which method has which rank.
    rows = sorted(tuple(row) for row in np.sort(doubled, axis=1).tolist())
    squares, shares = _squares(tuple(rows))
    # All shares together are 1 but for rounding.
    return float(min(shares[squares >= (doubled.sum(axis=0) ** 2).sum()].sum(), 1.0))


@lru_cache(maxsize=1024)
def _squares(rows: tuple[tuple[int, ...], ...]) -> tuple[IntArray, FloatArray]:
    """The sum of the squared sums of ranks in each way to assign the ranks, and its share of all ways."""
    # The order of the methods does not matter, so sums are kept sorted, and the ranks of the first data set stay fixed.
    sums, shares = np.array(rows[:1], dtype=np.intp), np.ones(1)
    for row in rows[1:]:
        orders = np.array(sorted(set(permutations(row))), dtype=np.intp)
        together = np.sort((sums[:, np.newaxis] + orders).reshape(-1, len(row)), axis=1)
        # A number for each row, which floats hold exactly up to 2^53: the largest here is 33^8.
        numbers = together @ (together.max() + 1.0) ** np.arange(len(row))
        _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
        shares = np.bincount(which, weights=np.repeat(shares, len(orders)) / len(orders)).astype(np.float64)
        sums = together[first]
    return (sums**2).sum(axis=1), shares
