"""The most violated constraint of a multivariate SVM: the maximum over all contingency tables, by branch and bound.

For FN false negatives, the positives with the lowest scores cost least; for FP false positives, the negatives with the highest.
So the constraint is the table with the largest loss(FP, FN) + positives_part[FN] + negatives_part[FP]. Both parts are concave,
and a block of tables is bounded by the largest loss in it and the largest of each part. The losses are the same in each step of
the training: their largest values in a grid of blocks are computed once. Blocks that can't hold the maximum are dropped; the
others are looked through or, where they hold many tables, cut. This is exact, and the number of tables to examine is a small
part of all P x N. Source: Joachims 2005; Barranquero 2013, algorithm 3.
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from qcore._base.validation import BoolArray, FloatArray, IntArray
from qcore.measures.measure import MeasureOnCounts

_Intervals = tuple[IntArray, IntArray]
"""The lowest and the highest number in each interval, (n_intervals,) each."""

_MOST_INTERVALS = 128
_LEAST_WIDTH = 8
"""The grid of blocks: the largest number of intervals of FP and of FN, and the least number of counts in each."""

_MOST_TABLES = 2**16
"""Blocks with more tables than these are cut, others are looked through."""

_ROUNDING = 1e-12
"""A block whose bound is no more than this above the best table so far is dropped."""


@dataclass(frozen=True)
class ViolatedConstraint:
    """A contingency table and its violation: `value` is its loss plus the scores of its errors, 0 for the perfect table."""

    value: float
    loss: float
    fp: int
    fn: int


_NONE = ViolatedConstraint(-np.inf, 0.0, 0, 0)


class MostViolatedTable:
    """Finds the table with the largest 1 - score + positives_part[FN] + negatives_part[FP].

    Parameters
    ----------
    score : 1 minus the loss, on the tables of P positives and N negatives.
    positives, negatives : P and N.
    """

    def __init__(self, score: MeasureOnCounts, positives: int, negatives: int) -> None:
        self._score = score
        self._fp, self._fn = _intervals(negatives), _intervals(positives)
        low, high = (side[:, np.newaxis] for side in self._fp)
        self._largest_losses = 1.0 - score.lower_bound((low, high), self._fn)

    def __call__(self, positives_part: FloatArray, negatives_part: FloatArray) -> ViolatedConstraint:
        """Find the table for these sums of the errors' scores: (P + 1,) and (N + 1,), each concave and starting with 0."""
        tables = _Tables(self._score, positives_part, negatives_part)
        if not (positives_part.any() or negatives_part.any()):
            return tables.first_of_the_largest(self._fp[1][-1], self._fn[1][-1])
        errors = _largest(negatives_part, self._fp)[:, np.newaxis] + _largest(positives_part, self._fn)
        bounds = self._largest_losses + errors
        # Once the best table of the block with the highest bound is known, few other blocks are left.
        best = tables.best_in(self._blocks(np.unravel_index([bounds.argmax()], bounds.shape)), _NONE)
        return tables.best_in(self._blocks(np.nonzero(bounds > best.value + _ROUNDING)), best)

    def _blocks(self, which: tuple[IntArray, ...]) -> "_Blocks":
        fp, fn = which
        return _Blocks((self._fp[0][fp], self._fp[1][fp]), (self._fn[0][fn], self._fn[1][fn]))


def _intervals(highest: int) -> _Intervals:
    """The numbers from 0 to `highest` in intervals of about the same width."""
    n_intervals = min(_MOST_INTERVALS, -(-(highest + 1) // _LEAST_WIDTH))
    edges = (highest + 1) * np.arange(n_intervals + 1) // n_intervals
    return edges[:-1], edges[1:] - 1


def _nearest(part: FloatArray, intervals: _Intervals) -> IntArray:
    """The number in each interval at which a concave part is largest: the one closest to its peak."""
    low, high = intervals
    nearest: IntArray = np.minimum(np.maximum(low, part.argmax()), high)
    return nearest


def _largest(part: FloatArray, intervals: _Intervals) -> FloatArray:
    return part[_nearest(part, intervals)]


@dataclass(frozen=True)
class _Blocks:
    """Blocks of tables: FP and FN from low to high, ends included, each (n_blocks,)."""

    fp: _Intervals
    fn: _Intervals

    @property
    def widths(self) -> list[int]:
        """The largest number of FP, and of FN, in a block."""
        return [int((high - low).max(initial=-1)) + 1 for low, high in (self.fp, self.fn)]

    @property
    def n_tables(self) -> int:
        """The number of tables, as if all blocks were as large as the largest."""
        return len(self.fp[0]) * math.prod(self.widths)

    def kept(self, which: BoolArray) -> Self:
        fp, fn = ((low[which], high[which]) for low, high in (self.fp, self.fn))
        return type(self)(fp, fn)

    def cut(self, n: int) -> Self:
        """Each block cut into n by n blocks, or into single tables if it has fewer."""
        fp, parents = _cut(self.fp, n)
        fn, parents_of_fn = _cut((self.fn[0][parents], self.fn[1][parents]), n)
        return type(self)((fp[0][parents_of_fn], fp[1][parents_of_fn]), fn)


def _cut(intervals: _Intervals, n: int) -> tuple[_Intervals, IntArray]:
    """(the n parts of each interval, without empty ones; the index of the interval that each belongs to)."""
    low, high = intervals
    edges = low + (high - low + 1) * np.arange(n + 1)[:, np.newaxis] // n
    starts, ends = edges[:-1].ravel(), edges[1:].ravel() - 1
    filled = starts <= ends
    return (starts[filled], ends[filled]), np.tile(np.arange(len(low)), n)[filled]


@dataclass(frozen=True)
class _Tables:
    """All contingency tables: their score, 1 - loss, and the sums of their errors' scores at the current weights."""

    score: MeasureOnCounts
    positives_part: FloatArray
    negatives_part: FloatArray

    def first_of_the_largest(self, most_fp: int, most_fn: int) -> ViolatedConstraint:
        """The largest of all tables; of several equally large ones always the same, the first found in blocks cut 4 by 4."""
        best = _NONE
        blocks = _Blocks((np.array([0]), np.array([most_fp])), (np.array([0]), np.array([most_fn])))
        while len(blocks.fp[0]):
            best = self.best_of_some(blocks, best)
            blocks = self._kept(blocks, best)
            is_cut = (blocks.fp[1] > blocks.fp[0]) | (blocks.fn[1] > blocks.fn[0])
            blocks = blocks.kept(is_cut).cut(4)
        return best

    def best_in(self, blocks: _Blocks, best: ViolatedConstraint) -> ViolatedConstraint:
        """The best table in the blocks, or `best` if none is better."""
        if blocks.n_tables > _MOST_TABLES:
            best = self.best_of_some(blocks, best)
            blocks = self._kept(blocks, best)
        while blocks.n_tables > _MOST_TABLES and blocks.n_tables > len(blocks.fp[0]):
            blocks = self._kept(blocks.cut(2), best)
        if not blocks.n_tables:
            return best
        fp, fn = (_numbers(*side) for side in zip((blocks.fp, blocks.fn), blocks.widths, strict=True))
        return self._better(best, fp[:, :, np.newaxis], fn[:, np.newaxis, :])

    def best_of_some(self, blocks: _Blocks, best: ViolatedConstraint) -> ViolatedConstraint:
        """The best of three tables of each block, or `best` if none is better."""
        nearest = _nearest(self.negatives_part, blocks.fp), _nearest(self.positives_part, blocks.fn)
        centre = (blocks.fp[0] + blocks.fp[1]) // 2, (blocks.fn[0] + blocks.fn[1]) // 2
        for tables in (nearest, (blocks.fp[1], blocks.fn[1]), centre):
            best = self._better(best, *tables)
        return best

    def _kept(self, blocks: _Blocks, best: ViolatedConstraint) -> _Blocks:
        """The blocks that could hold a better table."""
        errors = _largest(self.negatives_part, blocks.fp) + _largest(self.positives_part, blocks.fn)
        return blocks.kept(1.0 - self.score.lower_bound(blocks.fp, blocks.fn) + errors > best.value + _ROUNDING)

    def _better(self, best: ViolatedConstraint, fp: IntArray, fn: IntArray) -> ViolatedConstraint:
        """The best of the tables with these FP and FN, which broadcast, or `best` if none is better."""
        losses = 1.0 - self.score.at(fp, fn)
        values = losses + self.positives_part[fn] + self.negatives_part[fp]
        at = np.unravel_index(int(values.argmax()), values.shape)
        if not values[at] > best.value:
            return best
        # A measure that depends only on FP or only on FN returns fewer axes.
        losses, fp, fn = np.broadcast_arrays(losses, fp, fn)
        return ViolatedConstraint(float(values[at]), float(losses[at]), int(fp[at]), int(fn[at]))


def _numbers(intervals: _Intervals, width: int) -> IntArray:
    """The numbers of each interval, (n_intervals, width); the last one again where an interval has fewer."""
    low, high = (side[:, np.newaxis] for side in intervals)
    return np.minimum(low + np.arange(width), high)
