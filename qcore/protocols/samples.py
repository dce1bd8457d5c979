"""Samples: thousands of them as blocks of indices into a pool, drawn without replacement inside a sample.

Orders of random keys that have been drawn before, since samples of another size begin with the same keys.

Many independent draws without replacement at once.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qcore._base.validation import FloatArray, IntArray, InvalidInput

_MOST_BYTES = 2**26
"""Limit for the orders that each process keeps, without the overhead of their entries."""

_MOST_ORDERS = 2**14
"""Limit for their number, since small orders take less memory than their entries."""


class KeptOrders:
    """The orders of keys that a generator draws, by the generator's state before it draws them.

    Parameters
    ----------
    most_bytes : limit for the total size of the most recently used orders, which are kept.

    Attributes
    ----------
    n_bytes : total size of the orders that are kept.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes, self.n_bytes = most_bytes, 0
        self._orders: OrderedDict[Hashable, NDArray[np.unsignedinteger]] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self, rng: np.random.Generator, shape: tuple[int, int], n_first: int, ordered: Callable[[int], IntArray]
    ) -> NDArray[np.integer]:
        """The first `n_first` columns of each row, ordered by keys of this shape from `rng`; it is left as if it drew them.

        `ordered(n)` draws the keys, numbers of 64 bits, and gives the first n. If a kept order is too short, twice as many as
        are needed are ordered, since larger samples may follow.
        """
        if not isinstance(rng.bit_generator, np.random.PCG64):
            return ordered(n_first)
        state = rng.bit_generator.state["state"]
        key = (state["state"], state["inc"], *shape)
        with self._lock:
            kept = self._orders.get(key)
            if kept is not None:
                self._orders.move_to_end(key)
        if kept is not None and kept.shape[1] >= n_first:
            _advance(rng.bit_generator, shape[0] * shape[1])
            return kept[:, :n_first]
        columns = ordered(n_first if kept is None else min(2 * n_first, shape[1]))
        self._keep(key, columns.astype(np.min_scalar_type(shape[1])))
        return columns[:, :n_first]

    def _keep(self, key: Hashable, order: NDArray[np.unsignedinteger]) -> None:
        with self._lock:
            before = self._orders.pop(key, None)
            self._orders[key] = order
            self.n_bytes += order.nbytes - (0 if before is None else before.nbytes)
            while self.n_bytes > self._most_bytes or len(self._orders) > _MOST_ORDERS:
                self.n_bytes -= self._orders.popitem(last=False)[1].nbytes


def _advance(generator: np.random.PCG64, n_drawn: int) -> None:
    """Advance by `n_drawn` numbers of 64 bits; an unused half of an earlier one stays, as if the numbers had been drawn."""
    before = generator.state
    generator.advance(n_drawn)
    if before["has_uint32"]:
        after = generator.state
        after["has_uint32"], after["uinteger"] = before["has_uint32"], before["uinteger"]
        generator.state = after


KEPT_ORDERS = KeptOrders(_MOST_BYTES)


_Keys = NDArray[np.uint64]

_KEYS_AT_ONCE = 2**17
"""Number of keys that fit into the processor's cache."""

_MOST_PLACES = 2**12
"""In rows of more keys, too many would have the same top bits."""

_WORTH_FILTERING = 0.6
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


SAMPLES_PER_BLOCK = 2**12
SCORES_PER_BLOCK = 2**21
"""Limits of a block, so that quantifiers' arrays for it (histograms, counts at thresholds) stay in tens of megabytes."""

_INDICES_TO_KEEP = 2**23


def samples_per_block(sample_size: int) -> int:
    """How many samples of this size make a block."""
    return max(1, min(SAMPLES_PER_BLOCK, SCORES_PER_BLOCK // sample_size))


@dataclass(frozen=True)
class Samples:
    """Samples of one size from a pool of labelled instances.

    Attributes
    ----------
    pool_labels : (n_pool,) labels 0 to n_classes - 1; of a binary problem 1 is the positive class.
    targets : requested prevalence of each sample: (n_samples,) of the positives, or (n_samples, n_classes).
    repeats : (n_samples,) number of the repeat, from 0.
    counts : (n_samples, n_classes) number of instances of each class; their shares are the sample's true prevalence.
    sample_size : m, instances in each sample.
    seed : seed of the draws, which depend only on it, the attributes above, and the number of samples in a block.

    Examples
    --------
    >>> from qcore import ArtificialPrevalence
    >>> samples = ArtificialPrevalence(3, 4, 1).draw(np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.random.default_rng(0))
    >>> samples.prevalences.tolist(), [rows.shape for _, rows in samples.blocks()]
    ([0.0, 0.5, 1.0], [(3, 4)])
    """

    pool_labels: IntArray
    targets: FloatArray
    repeats: IntArray
    counts: IntArray
    sample_size: int
    seed: int

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def sizes(self) -> IntArray:
        """Number of instances in each sample, (n_samples,)."""
        return np.full(len(self), self.sample_size)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.counts.shape[1]

    @property
    def positives(self) -> IntArray:
        """Number of positives in each sample of a binary problem, (n_samples,). Raises InvalidInput for more classes."""
        if self.n_classes != 2:
            raise InvalidInput("samples", "be of 2 classes", f"{self.n_classes}", "Look at one class: samples.counts[:, c].")
        return self.counts[:, 1]

    @property
    def prevalences(self) -> FloatArray:
        """True prevalence of each sample: (n_samples,) of the positives, or (n_samples, n_classes)."""
        return (self.positives if self.n_classes == 2 else self.counts) / self.sample_size

    @property
    def most_bytes(self) -> int:
        """Largest memory use in bytes, including the indices that are kept for the next call."""
        n_indices = len(self) * self.sample_size
        kept = n_indices if n_indices <= _INDICES_TO_KEEP else 0
        return 8 * (kept + self.counts.size + 2 * self.targets.size + len(self.pool_labels))

    def __getstate__(self) -> dict[str, object]:
        """The state without the kept indices: another process can draw them again faster than receive them."""
        return {name: value for name, value in vars(self).items() if name != "_kept_blocks"}

    def blocks(self) -> Iterator[tuple[slice, IntArray]]:
        """(which samples, their indices into the pool of shape (n_block, sample_size)), block by block.

        A small number of indices is kept for the next call, a large one is drawn again: memory stays bounded whatever the grid.
        """
        if len(self) * self.sample_size <= _INDICES_TO_KEEP:
            yield from self._kept_blocks
        else:
            yield from self._draw_blocks()

    @cached_property
    def _kept_blocks(self) -> list[tuple[slice, IntArray]]:
        return list(self._draw_blocks())

    def _draw_blocks(self) -> Iterator[tuple[slice, IntArray]]:
        members = [np.flatnonzero(self.pool_labels == label) for label in range(self.n_classes)]
        draw = _draw_binary if self.n_classes == 2 else _draw
        step = samples_per_block(self.sample_size)
        for number, start in enumerate(range(0, len(self), step)):
            block = slice(start, min(start + step, len(self)))
            rng = np.random.default_rng([self.seed, number])
            yield block, draw(self.counts[block], self.sample_size, members, rng)


def _draw_binary(counts: IntArray, size: int, members: Sequence[IntArray], rng: np.random.Generator) -> IntArray:
    """Indices of shape (n, size): row i has counts[i, 1] positives; the rest are negatives."""
    positives = counts[:, 1]
    from_positives = draw_without_replacement(positives, len(members[1]), rng)
    # Negatives fill a row from its end backwards: the last ones of each draw are used, so all are as long as the longest.
    longest = np.full(len(counts), counts[:, 0].max(initial=0))
    from_negatives = draw_without_replacement(longest, len(members[0]), rng)
    of_pool = np.zeros((len(counts), size), dtype=np.intp)
    np.add(from_negatives, len(members[1]), out=of_pool[:, size - from_negatives.shape[1] :])
    columns = np.arange(from_positives.shape[1])
    np.copyto(of_pool[:, : len(columns)], from_positives, where=columns < positives[:, np.newaxis])
    return np.concatenate([members[1], members[0]]).take(of_pool)


def _draw(counts: IntArray, size: int, members: Sequence[IntArray], rng: np.random.Generator) -> IntArray:
    """Indices of shape (n, size): row i has counts[i, c] of each class c, class by class."""
    index = np.empty((len(counts), size), dtype=np.intp)
    ends = counts.cumsum(axis=1)[:, :, np.newaxis]
    columns = np.arange(size)
    for label, pool in enumerate(members):
        count = counts[:, label]
        drawn = draw_without_replacement(count, len(pool), rng)
        of_class = (columns >= ends[:, label] - count[:, np.newaxis]) & (columns < ends[:, label])
        index[of_class] = pool[drawn[np.arange(drawn.shape[1]) < count[:, np.newaxis]]]
    return index
