"""A measure's search space: its value on every table of P positives and N negatives (B Figures 6.2-6.7).

What is drawn is a grid of these tables that the browser can turn; what is counted is all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore.contingency import ContingencyTable
from qcore.rounding import TIE
from qcore.table_measures import Measured
from qcore.validation import FloatArray, IntArray, check_fraction, check_integer

MOST_INSTANCES: Final = 5000
"""Of a class: 25 million tables, which still are counted while a person waits."""

BETAS: Final = (0.0, 0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0, np.inf)
"""Where a slider of beta stops: those below 1 are one over those above, to two decimals."""

GOOD: Final = 0.9
_STEPS: Final = 40
_BLOCK: Final = 1_000_000


@dataclass(frozen=True)
class SearchSpace:
    """A measure on a grid of tables: `values` is (n_fp, n_fn), rows are FP."""

    measured: Measured
    positives: int
    negatives: int
    fp: IntArray
    fn: IntArray
    values: FloatArray

    def table(self) -> pd.DataFrame:
        """A row for each drawn table: FP, FN and value."""
        fp, fn = np.meshgrid(self.fp, self.fn, indexing="ij")
        return pd.DataFrame({"FP": fp.ravel(), "FN": fn.ravel(), "value": np.ravel(self.values)})


@dataclass(frozen=True)
class Optima:
    """What a measure holds for best, over all tables.

    Attributes
    ----------
    best : its largest value; `n_best` of `n_tables` tables have it.
    least_tp : the fewest true positives among those.
    good_share : share of all tables with a value of at least `good`.
    """

    best: float
    n_best: int
    n_tables: int
    least_tp: int
    good: float
    good_share: float


def every_table(measured: Measured, positives: int, negatives: int) -> FloatArray:
    """The measure on every table, (N + 1, P + 1): rows are FP, columns FN. Raises InvalidInput for an empty class."""
    score = measured.on(positives, negatives)
    values = score.at(np.arange(negatives + 1)[:, None], np.arange(positives + 1)[None, :])
    return np.ascontiguousarray(np.broadcast_to(values, (negatives + 1, positives + 1)))


def drawn_space(measured: Measured, positives: int, negatives: int) -> SearchSpace:
    """The measure on a grid of at most 81 x 81 tables, with the same steps on both axes as far as the smaller class goes.

    So the ridge FP = FN, where counting is right, runs through the grid's own tables. Raises InvalidInput for an empty class.
    """
    score = measured.on(positives, negatives)
    fp, fn = _ticks(negatives, positives), _ticks(positives, negatives)
    values = np.broadcast_to(score.at(fp[:, None], fn[None, :]), (len(fp), len(fn)))
    return SearchSpace(measured, positives, negatives, fp, fn, values)


def _ticks(own: int, other: int) -> IntArray:
    """Numbers of errors of a class of `own` instances to draw."""
    shared = np.linspace(0, min(own, other), min(own, other, _STEPS) + 1)
    whole = np.linspace(0, own, min(own, _STEPS) + 1)
    return np.unique(np.rint(np.concatenate([shared, whole])).astype(int))


def optima(measured: Measured, positives: int, negatives: int, good: float = GOOD) -> Optima:
    """What the measure holds for best among all tables, looked at in blocks of rows.

    Raises InvalidInput for an empty class, or one with more than MOST_INSTANCES.
    """
    way_out = "Divide both classes by the same number: the space keeps its shape."
    check_integer("positives", positives, low=1, high=MOST_INSTANCES, way_out=way_out)
    check_integer("negatives", negatives, low=1, high=MOST_INSTANCES, way_out=way_out)
    check_fraction("good", good)
    score, fn = measured.on(positives, negatives), np.arange(positives + 1)
    rows = max(1, _BLOCK // (positives + 1))
    # No measure here is higher anywhere than for the table without errors.
    best = float(score.at(np.array([0]), np.array([0]))[0])
    n_best, most_missed, n_good = 0, 0, 0
    for start in range(0, negatives + 1, rows):
        fp = np.arange(start, min(start + rows, negatives + 1))
        values = np.broadcast_to(score.at(fp[:, None], fn[None, :]), (len(fp), len(fn)))
        n_good += int(np.count_nonzero(values >= good - TIE))
        at_best = values >= best - TIE
        if at_best.any():
            n_best += int(np.count_nonzero(at_best))
            most_missed = max(most_missed, int(fn[at_best.any(axis=0)].max()))
    n_tables = (positives + 1) * (negatives + 1)
    return Optima(best, n_best, n_tables, positives - most_missed, good, n_good / n_tables)


def landing(tpr: ArrayLike, fpr: ArrayLike, positives: int, negatives: int) -> tuple[FloatArray, FloatArray]:
    """(FP, FN) that classifiers with these rates have among so many of each class, (...) each; they need not be whole."""
    return np.asarray(fpr, float) * negatives, (1.0 - np.asarray(tpr, float)) * positives


def value_at(measured: Measured, fp: FloatArray, fn: FloatArray, positives: int, negatives: int) -> FloatArray:
    """The measure at errors that need not be whole, (...). Raises InvalidInput for more errors than instances."""
    return measured.of(ContingencyTable.from_errors(fp, fn, positives, negatives))
