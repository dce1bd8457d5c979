"""Samples as blocks of indices into a pool: drawn without replacement inside a sample, thousands at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qcore.validation import FloatArray, IntArray, InvalidInput

IndexArray = NDArray[np.int32]

SAMPLES_PER_BLOCK = 2**12
SCORES_PER_BLOCK = 2**21
"""Bounds of a block: what quantifiers make of it (histograms, counts at thresholds) then stays in tens of megabytes."""

_INDICES_TO_KEEP = 2**24


def samples_per_block(sample_size: int) -> int:
    """How many samples of this size make a block."""
    return max(1, min(SAMPLES_PER_BLOCK, SCORES_PER_BLOCK // sample_size))


@dataclass(frozen=True)
class Samples:
    """Samples of one size from a pool of labelled instances.

    Attributes
    ----------
    pool_labels : (n_pool,) labels 0 to n_classes - 1; of a binary problem 1 is the positive class.
    targets : prevalence that each sample was asked to have: (n_samples,) of the positives, or (n_samples, n_classes).
    repeats : (n_samples,) number of the repeat, from 0.
    counts : (n_samples, n_classes) number of instances of each class; their shares are the sample's true prevalence.
    sample_size : m, instances in each sample.
    seed : the draws depend on nothing else but it and the attributes above (and on how many samples make a block).
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

    def blocks(self) -> Iterator[tuple[slice, IndexArray]]:
        """(which samples, their indices into the pool of shape (n_block, sample_size)), block by block.

        Few indices are kept for the next call, many are drawn again, so that memory stays bounded whatever the grid.
        """
        if len(self) * self.sample_size <= _INDICES_TO_KEEP:
            yield from self._kept_blocks
        else:
            yield from self._draw_blocks()

    @cached_property
    def _kept_blocks(self) -> list[tuple[slice, IndexArray]]:
        return list(self._draw_blocks())

    def _draw_blocks(self) -> Iterator[tuple[slice, IndexArray]]:
        members = [np.flatnonzero(self.pool_labels == label).astype(np.int32) for label in range(self.n_classes)]
        draw = _draw_binary if self.n_classes == 2 else _draw
        step = samples_per_block(self.sample_size)
        for number, start in enumerate(range(0, len(self), step)):
            block = slice(start, min(start + step, len(self)))
            rng = np.random.default_rng([self.seed, number])
            yield block, draw(self.counts[block], self.sample_size, members, rng)


def _draw_binary(counts: IntArray, size: int, members: Sequence[IndexArray], rng: np.random.Generator) -> IndexArray:
    """Indices of shape (n, size): row i has counts[i, 1] of the positives and the rest of the negatives."""
    positives = counts[:, 1]
    most_positives, most_negatives = int(positives.max()), int(size - positives.min())
    index = np.empty((len(positives), size), dtype=np.int32)
    drawn = members[1][draw_without_replacement(len(positives), most_positives, len(members[1]), rng)]
    index[:, :most_positives] = drawn
    drawn = members[0][draw_without_replacement(len(positives), most_negatives, len(members[0]), rng)]
    # Negatives fill a row from its end backwards; each row takes as many as its positives leave room for.
    columns = np.arange(size - most_negatives, size)
    np.copyto(index[:, size - most_negatives :], drawn, where=columns >= positives[:, np.newaxis])
    return index


def _draw(counts: IntArray, size: int, members: Sequence[IndexArray], rng: np.random.Generator) -> IndexArray:
    """Indices of shape (n, size): row i has counts[i, c] of each class c, class by class."""
    index = np.empty((len(counts), size), dtype=np.int32)
    ends = counts.cumsum(axis=1)[:, :, np.newaxis]
    places = np.arange(size)
    for label, pool in enumerate(members):
        count = counts[:, label]
        drawn = pool[draw_without_replacement(len(counts), int(count.max()), len(pool), rng)]
        here = (places >= ends[:, label] - count[:, np.newaxis]) & (places < ends[:, label])
        index[here] = drawn[np.arange(drawn.shape[1]) < count[:, np.newaxis]]
    return index


def draw_without_replacement(n_rows: int, n_drawn: int, n_pool: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """`n_rows` independent draws of `n_drawn` distinct numbers of range(n_pool): shape (n_rows, n_drawn).

    Every prefix of a row is itself a uniform draw. Cost grows with n_drawn, or with n_pool where that is not much larger.
    """
    if n_drawn == 0:
        return np.empty((n_rows, 0), dtype=np.int64)
    if n_drawn > n_pool // 8:
        return _draw_by_sorting(n_rows, n_drawn, n_pool, rng)
    return _draw_by_rejection(n_rows, n_drawn, n_pool, rng)


def _draw_by_sorting(n_rows: int, n_drawn: int, n_pool: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Shuffle range(n_pool) by random keys. The number rides in the key's low bits: one plain sort does it."""
    bits = max(int(n_pool - 1).bit_length(), 1)
    keys = rng.integers(2**64, size=(n_rows, n_pool), dtype=np.uint64, endpoint=False)
    keys >>= np.uint64(bits)
    keys <<= np.uint64(bits)
    keys |= np.arange(n_pool, dtype=np.uint64)
    keys.sort(axis=1)
    return (keys[:, :n_drawn] & np.uint64(2**bits - 1)).astype(np.int64)


def _draw_by_rejection(n_rows: int, n_drawn: int, n_pool: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw with replacement, a few more than needed, and keep the first `n_drawn` distinct numbers of each row.

    All numbers of the pool are treated alike, so that every sequence of distinct numbers is as likely as any other.
    """
    # So many draws with replacement give n_drawn distinct numbers on average.
    repeats = -n_pool * np.log1p(-n_drawn / n_pool) - n_drawn
    n_candidates = n_drawn + int(np.ceil(repeats + 6.0 * np.sqrt(repeats))) + 2
    found = np.empty((n_rows, n_drawn), dtype=np.int64)
    missing = np.arange(n_rows)
    while len(missing):
        drawn = rng.integers(n_pool, size=(len(missing), n_candidates))
        n_distinct, first = _first_occurrences(drawn)
        enough = n_distinct[:, -1] >= n_drawn
        kept = first & (n_distinct <= n_drawn) & enough[:, np.newaxis]
        found[missing[enough]] = drawn[kept].reshape(-1, n_drawn)
        missing = missing[~enough]
    return found


def _first_occurrences(drawn: NDArray[np.int64]) -> tuple[IntArray, NDArray[np.bool_]]:
    """(how many distinct numbers a row has up to each place, whether a place is its number's first), shaped as `drawn`."""
    n_places = drawn.shape[1]
    # The place rides in the low bits: after one plain sort each number's first occurrence stands before its others.
    bits = n_places.bit_length()
    keys = np.sort((drawn << bits) | np.arange(n_places), axis=1)
    rows, after = np.nonzero(keys[:, 1:] >> bits == keys[:, :-1] >> bits)
    first = np.ones(drawn.shape, dtype=bool)
    first[rows, keys[rows, after + 1] & (2**bits - 1)] = False
    return first.cumsum(axis=1), first
