"""Many independent draws without replacement at once."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from qcore._base.validation import IntArray
from qcore.protocols.kept_orders import KEPT_ORDERS

_Keys = NDArray[np.uint64]

_KEYS_AT_ONCE: Final = 2**17
"""Number of keys that fit into the processor's cache."""

_MOST_PLACES: Final = 2**12
"""In rows of more keys, too many would have the same top bits."""

_WORTH_FILTERING: Final = 0.6
"""The share of the keys above which it is faster to sort all of them than to take out the smallest first."""


def draw_without_replacement(n_drawn: IntArray, n_pool: int, rng: np.random.Generator) -> IntArray:
    """Independent draws of distinct numbers of range(n_pool): the first n_drawn[i] in row i of shape (n_rows, n_drawn.max()).

    The entries after them are not part of the draw. Every prefix of a draw is itself a uniform draw, and does not depend on
    n_drawn[i] if n_drawn.max() stays the same. Cost grows with n_drawn, or with n_pool if that is not much larger.
    """
    most = int(n_drawn.max(initial=0))
    if most == 0:
        return np.empty((len(n_drawn), 0), dtype=np.intp)
    if most > n_pool // 8:
        return _draw_by_sorting(n_drawn, n_pool, rng)
    return _draw_by_rejection(len(n_drawn), most, n_pool, rng)


def _draw_by_sorting(n_drawn: IntArray, n_pool: int, rng: np.random.Generator) -> IntArray:
    """Shuffle range(n_pool) by random keys that hold the number in their low bits, so that one plain sort is enough."""
    low_bits = np.uint64(2 ** max(int(n_pool - 1).bit_length(), 1) - 1)
    draws = np.zeros((len(n_drawn), n_drawn.max()), dtype=np.intp)
    step = max(1, _KEYS_AT_ONCE // n_pool)
    for start in range(0, len(n_drawn), step):
        rows = slice(start, min(start + step, len(n_drawn)))
        # Rows that follow each other need about as many numbers: half as many as the longest of all, on average.
        n_needed = int(n_drawn[rows].max())
        draws[rows, :n_needed] = _ordered_by_keys(rows.stop - start, n_pool, n_needed, rng, low_bits)
    return draws


def _ordered_by_keys(
    n_rows: int, n_pool: int, n_needed: int, rng: np.random.Generator, low_bits: np.uint64
) -> NDArray[np.integer]:
    """Draw a key for each number of each row; returns the numbers of the smallest keys, (n_rows, n_needed), in order."""

    def ordered(n_ordered: int) -> IntArray:
        keys = rng.integers(2**64, size=(n_rows, n_pool), dtype=np.uint64, endpoint=False)
        return _smallest(keys, n_ordered, low_bits) if n_ordered else np.empty((n_rows, 0), dtype=np.intp)

    return KEPT_ORDERS.get(rng, (n_rows, n_pool), n_needed, ordered)


def _smallest(keys: _Keys, n_smallest: int, low_bits: np.uint64) -> IntArray:
    """The columns of the smallest keys of each row, in order; the low bits of a key are ignored, and ties go by column."""
    n_rows, n_columns = keys.shape
    # Nearly always, all the smallest keys are among those below this share of the largest possible key.
    share = (n_smallest + 6.0 * np.sqrt(n_smallest) + 4.0) / n_columns
    if share < _WORTH_FILTERING:
        below = np.flatnonzero(keys < (np.uint64(share * 2.0**64) & ~low_bits))
        ends = np.searchsorted(below, np.arange(n_rows + 1) * n_columns)
        if np.diff(ends).min() >= n_smallest:
            return _first_columns(keys, n_smallest, low_bits, below, ends)
    return _first_columns(keys, n_smallest, low_bits, np.arange(keys.size), np.arange(n_rows + 1) * n_columns)


def _first_columns(keys: _Keys, n_first: int, low_bits: np.uint64, among: IntArray, ends: IntArray) -> IntArray:
    """The columns of the first keys of each row among those with these flat indices, of which row i has [ends[i], ends[i + 1]).

    Numbers of 32 bits are sorted ten times faster: the top bits of each key, with its place among those of its row below them.
    Rows in which two of them have the same top bits are sorted by whole keys.
    """
    n_rows, n_columns = keys.shape
    starts, counts = ends[:-1], np.diff(ends)
    n_places = int(counts.max())
    if n_places > _MOST_PLACES:
        return _columns_by_whole_keys(keys, n_first, low_bits)
    places = np.uint32(2 ** (n_places - 1).bit_length() - 1)
    short = (keys.ravel().take(among) >> np.uint64(32)).astype(np.uint32) & ~places
    short |= (np.arange(len(among)) - np.repeat(starts, counts)).astype(np.uint32)
    rows = np.full((n_rows, n_places), 2**32 - 1, dtype=np.uint32)
    rows[np.arange(n_places) < counts[:, np.newaxis]] = short
    rows.sort(axis=1)
    # One more than is needed: the last may have the same top bits as the first that is left out.
    tops = rows[:, : n_first + 1] & ~places
    doubtful = np.flatnonzero((tops[:, 1:] == tops[:, :-1]).any(axis=1))
    chosen = (rows[:, :n_first] & places).astype(np.intp) + starts[:, np.newaxis]
    columns = among.take(chosen) - (np.arange(n_rows) * n_columns)[:, np.newaxis]
    columns[doubtful] = _columns_by_whole_keys(keys[doubtful], n_first, low_bits)
    return columns


def _columns_by_whole_keys(keys: _Keys, n_first: int, low_bits: np.uint64) -> IntArray:
    """The same among all keys of a row, which then hold their columns in their low bits."""
    numbered = (keys & ~low_bits) | np.arange(keys.shape[1], dtype=np.uint64)
    numbered.sort(axis=1)
    return (numbered[:, :n_first] & low_bits).astype(np.intp)


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
        n_distinct, first = _first_occurrences(drawn, n_pool)
        enough = n_distinct[:, -1] >= n_drawn
        kept = first & (n_distinct <= n_drawn) & enough[:, np.newaxis]
        draws[missing[enough]] = drawn[kept].reshape(-1, n_drawn)
        missing = missing[~enough]
    return draws


def _first_occurrences(drawn: NDArray[np.int64], n_pool: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """(number of distinct values of a row up to each column, whether a column is the first of its value), shaped as `drawn`."""
    n_columns = drawn.shape[1]
    bits = n_columns.bit_length()
    # 64 bits on every machine, or 32, which are sorted ten times faster. The column is in the low bits: a plain sort puts each
    # value's first occurrence before its others.
    kind = np.int32 if n_pool << bits < 2**31 else np.int64
    keys = np.left_shift(drawn.astype(kind), bits) | np.arange(n_columns, dtype=kind)
    keys.sort(axis=1)
    values = np.right_shift(keys, bits)
    repeated = np.flatnonzero(values[:, 1:] == values[:, :-1])
    rows = repeated // (n_columns - 1)
    first = np.ones(drawn.shape, dtype=bool)
    first[rows, keys.ravel()[repeated + rows + 1] & (2**bits - 1)] = False
    return first.cumsum(axis=1, dtype=np.int32), first
