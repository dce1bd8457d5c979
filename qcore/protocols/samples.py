"""Samples: thousands of them as blocks of indices into a pool, drawn without replacement inside a sample."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from qcore._base.validation import FloatArray, IntArray, InvalidInput
from qcore.protocols.drawing import draw_without_replacement

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
    made_from : the key of a cache that holds them.
    """

    pool_labels: IntArray
    targets: FloatArray
    repeats: IntArray
    counts: IntArray
    sample_size: int
    seed: int
    made_from: Hashable = field(default=None, init=False, repr=False, compare=False)

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
