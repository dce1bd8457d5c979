"""Many independent draws without replacement at once."""

import numpy as np
from numpy.typing import NDArray

from qcore._base.validation import IntArray


def draw_without_replacement(n_rows: int, n_drawn: int, n_pool: int, rng: np.random.Generator) -> IntArray:
    """`n_rows` independent draws of `n_drawn` distinct numbers of range(n_pool): shape (n_rows, n_drawn).

    Every prefix of a row is itself a uniform draw. Cost grows with n_drawn, or with n_pool where that is not much larger.
    """
    if n_drawn == 0:
        return np.empty((n_rows, 0), dtype=np.intp)
    if n_drawn > n_pool // 8:
        return _draw_by_sorting(n_rows, n_drawn, n_pool, rng)
    return _draw_by_rejection(n_rows, n_drawn, n_pool, rng)


def _draw_by_sorting(n_rows: int, n_drawn: int, n_pool: int, rng: np.random.Generator) -> IntArray:
    """Shuffle range(n_pool) by random keys that hold the number in their low bits, so that one plain sort is enough."""
    bits = max(int(n_pool - 1).bit_length(), 1)
    keys = rng.integers(2**64, size=(n_rows, n_pool), dtype=np.uint64, endpoint=False)
    keys >>= np.uint64(bits)
    keys <<= np.uint64(bits)
    keys |= np.arange(n_pool, dtype=np.uint64)
    keys.sort(axis=1)
    return (keys[:, :n_drawn] & np.uint64(2**bits - 1)).astype(np.intp)


def _draw_by_rejection(n_rows: int, n_drawn: int, n_pool: int, rng: np.random.Generator) -> IntArray:
    """Draw with replacement, a few more than needed, and keep the first `n_drawn` distinct numbers of each row.

    All numbers of the pool are treated alike, so every sequence of distinct numbers is equally likely.
    """
    # On average, this many draws repeat an earlier number until there are n_drawn distinct numbers.
    repeats = -n_pool * np.log1p(-n_drawn / n_pool) - n_drawn
    n_candidates = n_drawn + int(np.ceil(repeats + 6.0 * np.sqrt(repeats))) + 2
    draws = np.empty((n_rows, n_drawn), dtype=np.intp)
    missing = np.arange(n_rows)
    while len(missing):
        drawn = rng.integers(n_pool, size=(len(missing), n_candidates))
        n_distinct, first = _first_occurrences(drawn)
        enough = n_distinct[:, -1] >= n_drawn
        kept = first & (n_distinct <= n_drawn) & enough[:, np.newaxis]
        draws[missing[enough]] = drawn[kept].reshape(-1, n_drawn)
        missing = missing[~enough]
    return draws


def _first_occurrences(drawn: NDArray[np.int64]) -> tuple[IntArray, NDArray[np.bool_]]:
    """(number of distinct values of a row up to each column, whether a column is the first of its value), shaped as `drawn`."""
    n_columns = drawn.shape[1]
    # 64 bits on every machine. The column is in the low bits: a plain sort puts each value's first occurrence before its
    # others.
    bits = n_columns.bit_length()
    keys = np.sort((drawn << bits) | np.arange(n_columns), axis=1)
    rows, after = np.nonzero(keys[:, 1:] >> bits == keys[:, :-1] >> bits)
    first = np.ones(drawn.shape, dtype=bool)
    first[rows, keys[rows, after + 1] & (2**bits - 1)] = False
    return first.cumsum(axis=1), first
