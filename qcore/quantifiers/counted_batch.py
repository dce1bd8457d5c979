"""A block of samples of the same few scores, of which each sample has its own numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.batch import Batch, CountArray


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

    def mapped(self, function: Callable[[FloatArray], FloatArray]) -> CountedBatch:
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
