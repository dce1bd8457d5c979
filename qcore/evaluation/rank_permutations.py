"""How often chance alone makes data sets agree on an order of methods as much as they do: the exact p-value of ranks.

Source: Friedman 1937, whose tables are of this distribution.
"""

from functools import lru_cache
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from qcore._base.validation import FloatArray

MOST_SETS: Final = {3: 15, 4: 10, 5: 5, 6: 3, 7: 2, 8: 2}
"""Number of methods, more than two -> the most data sets whose ways are all followed, in a tenth of a second or two."""


def exact_p_value(ranks: FloatArray) -> float | None:
    """Among all ways to assign each data set's ranks to methods, the share in which data sets agree at least as much.

    Agreement is Friedman's chi-square, which grows with the squares of the methods' sums of ranks. Ties stay within their data
    set.

    Parameters
    ----------
    ranks : (n_sets, n_methods), mean ranks where methods tie.

    Returns
    -------
    p : from 0 to 1, or None where there are too many ways to follow, by MOST_SETS; of two methods it is that of the sign test.

    Examples
    --------
    Three data sets agree on the order of two methods in 2 of 8 ways.

    >>> exact_p_value(np.array([[1.0, 2.0]] * 3))
    0.25
    """
    # Twice the ranks are whole numbers, also where methods tie.
    doubled = np.rint(2.0 * ranks).astype(np.int64)
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
def _squares(rows: tuple[tuple[int, ...], ...]) -> tuple[NDArray[np.int64], FloatArray]:
    """The sum of the squared sums of ranks in each way to assign the ranks, and its share of all ways."""
    # Sums that differ in the order of methods alone are the same, so they are kept sorted, and one data set can stay as it is.
    sums, shares = np.array(rows[:1], dtype=np.int64), np.ones(1)
    for row in rows[1:]:
        orders = np.array(sorted(set(permutations(row))), dtype=np.int64)
        together = np.sort((sums[:, np.newaxis] + orders).reshape(-1, len(row)), axis=1)
        numbers = together @ (together.max() + 1) ** np.arange(len(row))
        _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
        shares = np.bincount(which, weights=np.repeat(shares, len(orders)) / len(orders)).astype(np.float64)
        sums = together[first]
    return (sums**2).sum(axis=1), shares
