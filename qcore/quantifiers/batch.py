"""A block of samples of one size, with what several quantifiers need of their scores, each computed once.

A block of samples of the same few scores, of which each sample has its own numbers.

A block of samples of class scores, with what several quantifiers need of them, each computed once.
"""

from collections.abc import Callable
from functools import cache, cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qcore._base.validation import FloatArray, IntArray, check_scores
from qcore.protocols.samples import samples_per_block

CountArray = NDArray[np.int32]
"""Ranks and counts inside a block: small integers, which sort twice as fast as wide ones."""

THRESHOLD = 0.5
"""A score of this much or more counts as a positive, unless a quantifier chooses another threshold."""

_Number = TypeVar("_Number", np.int32, np.float64)

_COMMON_BINS = ((12, 14, 16, 18, 20), (60, 70, 80, 90, 100, 110))
"""The histograms for the first bin counts include all those of DyS, for the second all those of HDy."""


def positive_share(scores: FloatArray, threshold: float = THRESHOLD) -> FloatArray:
    """Share of each sample with score >= threshold: (..., sample_size) -> (...)."""
    return np.count_nonzero(scores >= threshold, axis=-1) / scores.shape[-1]


class RankedPool:
    """Scores of a pool, (n_pool,), with their ranks: its samples can then be sorted, and located among edges, by rank."""

    def __init__(self, scores: ArrayLike) -> None:
        self.scores = np.ravel(check_scores("pool_scores", scores))

    @cached_property
    def increasing(self) -> FloatArray:
        """The scores in increasing order."""
        return np.sort(self.scores)

    @cached_property
    def ranks(self) -> CountArray:
        """Position of each score in increasing order."""
        ranks = np.empty(len(self.scores), dtype=np.int32)
        ranks[np.argsort(self.scores, kind="stable")] = np.arange(len(self.scores), dtype=np.int32)
        return ranks


class Batch:
    """Checked scores of samples, shape (n_samples, sample_size), with what is derived from them on demand.

    Parameters
    ----------
    scores : (n_samples, sample_size), in [0, 1].
    pool, index : the pool that the samples were drawn from and their indices into it, if there is one. Results are the same,
        but sorting ranks and looking up positions is several times faster than sorting and searching scores.
    """

    def __init__(self, scores: FloatArray, pool: RankedPool | None = None, index: IntArray | None = None) -> None:
        self.scores = scores
        self._pool, self._index = pool, index
        self._cumulative: dict[tuple[int, ...], tuple[FloatArray, CountArray]] = {}

    @classmethod
    def of_pool(cls, pool: RankedPool, index: IntArray) -> "Batch":
        """The samples whose row i holds the pool's instances `index[i]`."""
        # Ranking the whole pool pays only if most of it is drawn.
        pays = len(pool.scores) <= 2 * index.size
        return cls(pool.scores[index], pool if pays else None, index if pays else None)

    def mapped(self, function: Callable[[FloatArray], FloatArray]) -> "Batch":
        """The samples with `function`, elementwise, of their scores; computed once for each instance of the pool."""
        if self._pool is None or self._index is None:
            return Batch(function(self.scores))
        return Batch.of_pool(RankedPool(function(self._pool.scores)), self._index)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def size(self) -> int:
        """Number of scores in each sample."""
        return self.scores.shape[1]

    @cached_property
    def predicted_share(self) -> FloatArray:
        """Share of each sample with a score of 0.5 or more, (n_samples,)."""
        return self.share_from(THRESHOLD)

    def share_from(self, threshold: float) -> FloatArray:
        """Share of each sample with score >= threshold, (n_samples,)."""
        return positive_share(self.scores, threshold)

    @property
    def shares(self) -> FloatArray | None:
        """Share of each score in each sample, if the samples are given by numbers of the same scores (CountedBatch)."""
        return None

    def means(self, values: FloatArray) -> FloatArray:
        """Mean in each sample of values at the scores, (n_samples, sample_size) -> (n_samples,)."""
        return values.mean(axis=1)

    def shares_from(self, thresholds: FloatArray) -> FloatArray:
        """Share of each sample with score >= each of increasing thresholds, (n_samples, n_thresholds)."""
        return np.stack([self.share_from(float(threshold)) for threshold in thresholds], axis=1)

    @cached_property
    def mean(self) -> FloatArray:
        """Mean score of each sample, (n_samples,)."""
        # The mean of ones can round to just above 1.
        return np.minimum(self.means(self.scores), 1.0)

    @cached_property
    def increasing(self) -> FloatArray:
        """The scores, sorted inside each sample."""
        return np.sort(self.scores, axis=1) if self._pool is None else self._pool.increasing[self._sorted_ranks]

    def locate(self, edges: FloatArray) -> CountArray:
        """Number of `edges` (increasing) that are <= each of the sorted scores: (n_samples, sample_size)."""
        return self.at_sorted_scores(lambda scores: np.searchsorted(edges, scores, side="right").astype(np.int32))

    def at_scores(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """The values of `function`, elementwise, at the scores as they stand: (n_samples, sample_size)."""
        if self._pool is None or self._index is None:
            return function(self.scores)
        return function(self._pool.scores)[self._index]

    def at_sorted_scores(self, function: Callable[[FloatArray], NDArray[_Number]]) -> NDArray[_Number]:
        """The values of `function`, elementwise and for sorted scores, at the sorted scores: (n_samples, sample_size)."""
        if self._pool is None:
            return function(self.increasing.ravel()).reshape(self.scores.shape)
        return function(self._pool.increasing)[self._sorted_ranks]

    def histogram(self, n_bins: int) -> CountArray:
        """Number of scores in each of `n_bins` equal bins of [0, 1], (n_samples, n_bins).

        Bin k is [k / n_bins, (k + 1) / n_bins), the last one closed, regardless of rounding errors in products.
        """
        family = next((bins for bins in _COMMON_BINS if any(common % n_bins == 0 for common in bins)), (n_bins,))
        edges, below = self._counts_below(family)
        inner = np.searchsorted(edges, np.arange(1, n_bins) / n_bins)
        columns = np.concatenate([inner, [len(edges)]])
        return np.diff(below[:, columns], axis=1, prepend=np.int32(0))

    def _counts_below(self, bin_counts: tuple[int, ...]) -> tuple[FloatArray, CountArray]:
        """(inner edges of all these bins, number of scores below each and, last, of all: (n_samples, n_edges + 1))."""
        if bin_counts not in self._cumulative:
            edges = _inner_edges(bin_counts)
            n_cells = len(edges) + 1
            cells = self.locate(edges) + (np.arange(len(self)) * n_cells)[:, np.newaxis]
            counts = np.bincount(cells.ravel(), minlength=len(self) * n_cells).reshape(-1, n_cells)
            self._cumulative[bin_counts] = edges, counts.cumsum(axis=1, dtype=np.int32)
        return self._cumulative[bin_counts]

    @cached_property
    def _sorted_ranks(self) -> CountArray:
        assert self._pool is not None
        assert self._index is not None
        return np.sort(self._pool.ranks[self._index], axis=1)


@cache
def _inner_edges(bin_counts: tuple[int, ...]) -> FloatArray:
    """The distinct edges inside (0, 1) of equal bins, increasing."""
    return np.unique(np.concatenate([np.arange(1, n_bins) / n_bins for n_bins in bin_counts]))


class CountedBatch(Batch):
    """Samples given by how often each of some scores occurs: what takes all rows of a Batch takes one entry for each score.

    Parameters
    ----------
    scores : (n_scores,), increasing, in [0, 1].
    counts : (n_samples, n_scores), whole numbers; all rows have the same sum.
    """

    def __init__(self, scores: FloatArray, counts: IntArray) -> None:
        super().__init__(scores[np.newaxis])
        self.counts = counts

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def size(self) -> int:
        """Number of instances in each sample."""
        return int(self.counts[0].sum())

    @cached_property
    def shares(self) -> FloatArray:
        """Share of each score in each sample, (n_samples, n_scores)."""
        return self.counts / self.size

    def mapped(self, function: Callable[[FloatArray], FloatArray]) -> "CountedBatch":
        """The samples with `function`, elementwise and increasing, of their scores."""
        return CountedBatch(function(self.scores[0]), self.counts)

    def share_from(self, threshold: float) -> FloatArray:
        """Share of each sample with score >= threshold, (n_samples,)."""
        return self.shares_from(np.array([threshold]))[:, 0]

    def shares_from(self, thresholds: FloatArray) -> FloatArray:
        """Share of each sample with score >= each threshold, (n_samples, n_thresholds)."""
        return (self.size - self._below(thresholds)) / self.size

    def means(self, values: FloatArray) -> FloatArray:
        """Mean in each sample of values at the scores, (n_samples or 1, n_scores) -> (n_samples,)."""
        return np.vecdot(values, self.shares)

    def histogram(self, n_bins: int) -> CountArray:
        """Number of instances in each of `n_bins` equal bins of [0, 1], (n_samples, n_bins), as `Batch.histogram`."""
        below = self._below(np.append(np.arange(1, n_bins) / n_bins, np.inf))
        return np.diff(below, axis=1, prepend=0).astype(np.int32)

    def at_scores(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """The values of `function`, elementwise, at the scores: (1, n_scores)."""
        return function(self.scores)

    def at_sorted_scores(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:  # type: ignore[override]
        """The values of `function`, elementwise and for sorted scores, at the scores: (1, n_scores)."""
        return function(self.scores[0])[np.newaxis]

    def _below(self, edges: FloatArray) -> IntArray:
        """Number of instances with a score below each edge, (n_samples, n_edges)."""
        return self._cumulated[:, np.searchsorted(self.scores[0], edges, side="left")]

    @cached_property
    def _cumulated(self) -> IntArray:
        return np.concatenate([np.zeros((len(self.counts), 1), dtype=self.counts.dtype), self.counts.cumsum(axis=1)], axis=1)


class ClassPool:
    """Checked class scores of a pool, (n_pool, n_classes), with what its samples need of each instance."""

    def __init__(self, scores: FloatArray) -> None:
        self.scores = scores
        self._values: dict[Callable[[FloatArray], FloatArray], FloatArray] = {}

    def at_instances(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """The values of `function`, (n, n_classes) -> (n, n_classes), at each instance; computed once for all blocks."""
        if function not in self._values:
            self._values[function] = function(self.scores)
        return self._values[function]

    @cached_property
    def of_class(self) -> list[RankedPool]:
        """The scores of each class against all others."""
        return [RankedPool(of_one) for of_one in np.ascontiguousarray(self.scores.T)]

    @cached_property
    def predicted(self) -> IntArray:
        """The class predicted for each instance, (n_pool,)."""
        return predicted(self.scores)


class ClassBatch:
    """Checked class scores of samples, (n_samples, sample_size, n_classes), with what several quantifiers need of them.

    `pool` and `index`: the pool that the samples were drawn from and their indices into it, if there is one. Results are the
    same, but looking up what was computed for each instance is several times faster.
    """

    def __init__(self, scores: FloatArray, pool: ClassPool | None = None, index: IntArray | None = None) -> None:
        self.scores = scores
        self._pool, self._index = pool, index
        self._of_class: dict[int, Batch] = {}

    @classmethod
    def of_pool(cls, pool: ClassPool, index: IntArray) -> "ClassBatch":
        """The samples whose row i holds the pool's instances `index[i]`."""
        return cls(pool.scores.take(index, axis=0), pool, index)

    def mapped(self, function: Callable[[FloatArray], FloatArray]) -> "ClassBatch":
        """The samples with `function`, (n, n_classes) -> (n, n_classes), of their class scores."""
        return ClassBatch(self.at_instances(function))

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def by_class(self) -> FloatArray:
        """The scores, class by class: (n_samples, n_classes, sample_size). Sums over a sample are many times as fast."""
        return np.ascontiguousarray(self.scores.swapaxes(1, 2))

    @cached_property
    def predicted_share(self) -> FloatArray:
        """Share predicted for each class, (n_samples, n_classes)."""
        if self._pool is None or self._index is None:
            return shares(predicted(self.scores), self.scores.shape[2])
        return shares(self._pool.predicted[self._index], self.scores.shape[2])

    @cached_property
    def mean(self) -> FloatArray:
        """Mean score of each class, (n_samples, n_classes)."""
        return self.by_class.mean(axis=2)

    def at_instances(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """The values of `function`, (n, n_classes) -> (n, n_classes), instance by instance: of the shape of `scores`."""
        if self._pool is None or self._index is None:
            return function(self.scores.reshape(-1, self.scores.shape[2])).reshape(self.scores.shape)
        return self._pool.at_instances(function).take(self._index, axis=0)

    def of_class(self, label: int) -> Batch:
        """The scores of one class against all others."""
        if label not in self._of_class:
            if self._pool is None or self._index is None:
                self._of_class[label] = Batch(self.by_class[:, label].copy())
            else:
                self._of_class[label] = Batch.of_pool(self._pool.of_class[label], self._index)
        return self._of_class[label]


def predicted(scores: FloatArray) -> IntArray:
    """The class with the highest score, (..., n_classes) -> (...); ties go to the last, so that 0.5 is positive for two."""
    return scores.shape[-1] - 1 - scores[..., ::-1].argmax(axis=-1)


def shares(classes: IntArray, n_classes: int) -> FloatArray:
    """Share of each class, (n_samples, sample_size) -> (n_samples, n_classes)."""
    flat = classes + n_classes * np.arange(len(classes))[:, np.newaxis]
    counts = np.bincount(flat.ravel(), minlength=n_classes * len(classes)).reshape(-1, n_classes)
    return counts / classes.shape[1]


def class_samples_per_block(sample_size: int, n_classes: int) -> int:
    """How many samples of this size make a block: their class scores, and a matrix over the classes for each, must fit."""
    return samples_per_block(n_classes * max(sample_size, n_classes))
