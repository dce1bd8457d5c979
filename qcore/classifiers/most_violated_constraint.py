"""The most violated constraint of a multivariate SVM: the maximum over all contingency tables, by branch and bound.

For FN false negatives, the positives with the lowest scores cost least; for FP false positives, the negatives with the highest.
So the constraint is the table with the largest loss(FP, FN) + positives_part[FN] + negatives_part[FP]. Both parts are concave,
and a block of tables is bounded by the largest loss in it and the largest of each part. Blocks that can't hold the maximum are
dropped, the others are cut into four by four, until single tables are left. This is exact, and the number of blocks to examine
is a small multiple of n, although there are P x N tables. Source: Joachims 2005; Barranquero 2013, algorithm 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.measures.measure import MeasureOnCounts

_CUT: Final = 4
_ROUNDING: Final = 1e-12
"""A block whose bound is no more than this above the best table so far is dropped."""


@dataclass(frozen=True)
class ViolatedConstraint:
    """A contingency table and its violation: `value` is its loss plus the scores of its errors, 0 for the perfect table."""

    value: float
    loss: float
    fp: int
    fn: int


@dataclass(frozen=True)
class _Blocks:
    """Blocks of tables: FP and FN from low to high, ends included, each (n_blocks,)."""

    fp: tuple[IntArray, IntArray]
    fn: tuple[IntArray, IntArray]

    def kept(self, which: FloatArray) -> _Blocks:
        fp, fn = ((low[which], high[which]) for low, high in (self.fp, self.fn))
        return _Blocks(fp, fn)

    def cut(self) -> _Blocks:
        """Each block cut into four by four blocks, or into single tables if it has fewer."""
        fp, parents = _cut(*self.fp)
        halfway = _Blocks(fp, (self.fn[0][parents], self.fn[1][parents]))
        fn, parents = _cut(*halfway.fn)
        return _Blocks((halfway.fp[0][parents], halfway.fp[1][parents]), fn)


def _cut(low: IntArray, high: IntArray) -> tuple[tuple[IntArray, IntArray], IntArray]:
    """(the quarters of each interval, without empty ones; the index of the interval that each quarter belongs to)."""
    steps = np.arange(_CUT + 1)[:, None]
    edges = low + (high - low + 1) * steps // _CUT
    starts, ends = edges[:-1].ravel(), edges[1:].ravel() - 1
    filled = starts <= ends
    return (starts[filled], ends[filled]), np.tile(np.arange(len(low)), _CUT)[filled]


def most_violated_table(score: MeasureOnCounts, positives_part: FloatArray, negatives_part: FloatArray) -> ViolatedConstraint:
    """The table with the largest 1 - score + positives_part[FN] + negatives_part[FP].

    Parameters
    ----------
    score : 1 minus the loss, on the tables of P positives and N negatives.
    positives_part : (P + 1,), concave, starting with 0.
    negatives_part : (N + 1,), concave, starting with 0.
    """
    peaks = int(negatives_part.argmax()), int(positives_part.argmax())
    blocks = _Blocks((np.array([0]), np.array([len(negatives_part) - 1])), (np.array([0]), np.array([len(positives_part) - 1])))
    best = ViolatedConstraint(-np.inf, 0.0, 0, 0)
    while len(blocks.fp[0]):
        # The scores of the errors are concave: in a block they are largest at the table closest to the peak.
        fp, fn = (np.clip(peak, *side) for peak, side in zip(peaks, (blocks.fp, blocks.fn), strict=True))
        errors = negatives_part[fp] + positives_part[fn]
        centre = (blocks.fp[0] + blocks.fp[1]) // 2, (blocks.fn[0] + blocks.fn[1]) // 2
        for tried_fp, tried_fn in ((fp, fn), (blocks.fp[1], blocks.fn[1]), centre):
            candidate = _best_of(tried_fp, tried_fn, score, positives_part, negatives_part)
            best = candidate if candidate.value > best.value else best
        bounds = 1.0 - score.lower_bound(blocks.fp, blocks.fn) + errors
        more = (blocks.fp[1] > blocks.fp[0]) | (blocks.fn[1] > blocks.fn[0])
        blocks = blocks.kept((bounds > best.value + _ROUNDING) & more).cut()
    return best


def _best_of(
    fp: IntArray, fn: IntArray, score: MeasureOnCounts, positives_part: FloatArray, negatives_part: FloatArray
) -> ViolatedConstraint:
    losses = 1.0 - score.at(fp, fn)
    values = losses + positives_part[fn] + negatives_part[fp]
    best = int(values.argmax())
    return ViolatedConstraint(float(values[best]), float(losses[best]), int(fp[best]), int(fn[best]))
