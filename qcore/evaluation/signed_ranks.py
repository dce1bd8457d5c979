"""Wilcoxon's signed ranks: do two methods differ on the same cases? Source: Wilcoxon 1945; Demšar 2006."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata, wilcoxon

from qcore._base.validation import FloatArray

RANK_DIGITS = 10
"""Decimals to which losses are compared: what differs by less is a tie."""


def wilcoxon_p(first: ArrayLike, second: ArrayLike) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test on paired losses; 1 if all pairs are equal."""
    apart = _apart(first, second)
    nonzero = apart[apart != 0.0]
    if not nonzero.size:
        return 1.0
    is_plain = nonzero.size == apart.size and np.unique(np.abs(apart)).size == apart.size
    if is_plain or apart.size > _FEW_PAIRS:
        return float(wilcoxon(apart).pvalue)
    return _exact_wilcoxon_p(nonzero)


_FEW_PAIRS = 13
"""Up to so many pairs SciPy goes through all 2^n signs where losses are tied, which takes a fifth of a second a test."""


def _exact_wilcoxon_p(nonzero: FloatArray) -> float:
    """The same p-value by convolution: how many of the 2^n signs give each sum of the positive ranks.

    Ranks of ties are halves: all are doubled.
    """
    ranks = np.round(2.0 * rankdata(np.abs(nonzero))).astype(np.intp)
    counts = np.ones(1, dtype=np.intp)
    for rank in ranks:
        counts = np.pad(counts, (0, rank)) + np.pad(counts, (rank, 0))
    positive = int(ranks[nonzero > 0.0].sum())
    tail = min(counts[: positive + 1].sum(), counts[positive:].sum())
    return min(1.0, 2.0 * float(tail) / 2.0 ** len(ranks))


def wilcoxon_better(first: ArrayLike, second: ArrayLike) -> bool:
    """Whether the first of paired losses is the lower one by the signed ranks of Wilcoxon's test, (n,) each."""
    apart = _apart(first, second)
    # As in the test, pairs with equal losses are left out.
    apart = apart[apart != 0.0]
    return bool((np.sign(apart) * rankdata(np.abs(apart))).sum() < 0.0)


def _apart(first: ArrayLike, second: ArrayLike) -> FloatArray:
    return np.round(np.asarray(first) - np.asarray(second), RANK_DIGITS)
