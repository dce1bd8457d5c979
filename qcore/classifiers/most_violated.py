"""The most violated constraint of a multivariate SVM: the maximum over all contingency tables, by branch and bound.

Of the FN positives that are taken for negatives those with the lowest scores cost least, of the FP negatives those with the
highest (B Algorithm 3). So the constraint is the table with the largest loss(FP, FN) + positives_part[FN] + negatives_part[FP].
Both parts are concave, and a block of tables is bounded by the largest loss in it and the largest of each part. Blocks that
can't hold the maximum are dropped, the others cut in four by four, until single tables are left: exact, and some multiples of n
blocks where all tables are P x N.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from qcore.table_measures import OnTables
from qcore.validation import FloatArray, IntArray

_CUT: Final = 4
_ROUNDING: Final = 1e-12
"""A block that promises no more than this above the best table found is not worth opening."""


@dataclass(frozen=True)
class Violated:
    """A contingency table and what it violates: `value` is its loss plus what its errors score, 0 for the perfect table."""

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
        """Each block in four by four, or as many as it has tables."""
        fp, places = _cut(*self.fp)
        halfway = _Blocks(fp, (self.fn[0][places], self.fn[1][places]))
        fn, places = _cut(*halfway.fn)
        return _Blocks((halfway.fp[0][places], halfway.fp[1][places]), fn)


def _cut(low: IntArray, high: IntArray) -> tuple[tuple[IntArray, IntArray], IntArray]:
    """Each interval in four, empty ones left out; and of which interval each is a part."""
    steps = np.arange(_CUT + 1)[:, None]
    edges = low + (high - low + 1) * steps // _CUT
    starts, ends = edges[:-1].ravel(), edges[1:].ravel() - 1
    filled = starts <= ends
    return (starts[filled], ends[filled]), np.tile(np.arange(len(low)), _CUT)[filled]


def most_violated(score: OnTables, positives_part: FloatArray, negatives_part: FloatArray) -> Violated:
    """The table with the largest 1 - score + positives_part[FN] + negatives_part[FP].

    Parameters
    ----------
    score : 1 minus the loss, on the tables of P positives and N negatives.
    positives_part : (P + 1,), concave; 0 first.
    negatives_part : (N + 1,), concave; 0 first.
    """
    peaks = int(negatives_part.argmax()), int(positives_part.argmax())
    blocks = _Blocks((np.array([0]), np.array([len(negatives_part) - 1])), (np.array([0]), np.array([len(positives_part) - 1])))
    best = Violated(-np.inf, 0.0, 0, 0)
    while len(blocks.fp[0]):
        # What the errors score is concave: in a block it is largest where the block comes closest to its peak.
        fp, fn = (np.clip(peak, *side) for peak, side in zip(peaks, (blocks.fp, blocks.fn), strict=True))
        errors = negatives_part[fp] + positives_part[fn]
        centre = (blocks.fp[0] + blocks.fp[1]) // 2, (blocks.fn[0] + blocks.fn[1]) // 2
        for tried_fp, tried_fn in ((fp, fn), (blocks.fp[1], blocks.fn[1]), centre):
            found = _best_of(tried_fp, tried_fn, score, positives_part, negatives_part)
            best = found if found.value > best.value else best
        bounds = 1.0 - score.least(blocks.fp, blocks.fn) + errors
        more = (blocks.fp[1] > blocks.fp[0]) | (blocks.fn[1] > blocks.fn[0])
        blocks = blocks.kept((bounds > best.value + _ROUNDING) & more).cut()
    return best


def _best_of(fp: IntArray, fn: IntArray, score: OnTables, positives_part: FloatArray, negatives_part: FloatArray) -> Violated:
    losses = 1.0 - score.at(fp, fn)
    values = losses + positives_part[fn] + negatives_part[fp]
    place = int(values.argmax())
    return Violated(float(values[place]), float(losses[place]), int(fp[place]), int(fn[place]))
