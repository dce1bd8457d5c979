"""A block of samples of class scores, with what several quantifiers need of them, each computed once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.protocols.samples import samples_per_block
from qcore.quantifiers.batch import Batch, RankedPool


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
    def of_pool(cls, pool: ClassPool, index: IntArray) -> ClassBatch:
        """The samples whose row i holds the pool's instances `index[i]`."""
        return cls(pool.scores.take(index, axis=0), pool, index)

    def mapped(self, function: Callable[[FloatArray], FloatArray]) -> ClassBatch:
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
