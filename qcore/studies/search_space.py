"""A measure's search space: its value on every contingency table of P positives and N negatives.

A grid of these tables is drawn, small enough for a browser to rotate; optima are counted over all of them.
Source: Barranquero 2013, Figures 6.2-6.7.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray, check_fraction, check_integer
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.parametric import ParametricMeasure

MAX_INSTANCES: Final = 5000
"""Largest number of instances of a class: 25 million tables can still be counted while a user waits."""

BETAS: Final = (0.0, 0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0, np.inf)
"""The steps of a slider of beta: those below 1 are the reciprocals of those above, to two decimals."""

GOOD: Final = 0.9
_STEPS: Final = 40
_BLOCK: Final = 1_000_000


@dataclass(frozen=True)
class SearchSpace:
    """A measure on a grid of tables: `values` is (n_fp, n_fn), rows are FP."""

    measure: ParametricMeasure
    positives: int
    negatives: int
    fp: IntArray
    fn: IntArray
    values: FloatArray

    def rows_by_fn(self, decimals: int = 3) -> list[list[float]]:
        """The values as a list of rows, one for each FN: as charts take them."""
        rows: list[list[float]] = np.round(self.values.T, decimals).tolist()
        return rows

    def table(self) -> pd.DataFrame:
        """A row for each drawn table: FP, FN and value."""
        fp, fn = np.meshgrid(self.fp, self.fn, indexing="ij")
        return pd.DataFrame({"FP": fp.ravel(), "FN": fn.ravel(), "value": np.ravel(self.values)})


@dataclass(frozen=True)
class Optima:
    """The optima of a measure over all tables.

    Attributes
    ----------
    best : its largest value, which `n_best` of `n_tables` tables have.
    lowest_tp : the lowest number of true positives among those.
    good_share : share of all tables with a value of at least `good`.
    """

    best: float
    n_best: int
    n_tables: int
    lowest_tp: int
    good: float
    good_share: float


def values_on_all_tables(measure: ParametricMeasure, positives: int, negatives: int) -> FloatArray:
    """The measure on every table, (N + 1, P + 1): rows are FP, columns FN. Raises InvalidInput for an empty class."""
    score = measure.on_counts(positives, negatives)
    values = score.at(np.arange(negatives + 1)[:, None], np.arange(positives + 1)[None, :])
    return np.ascontiguousarray(np.broadcast_to(values, (negatives + 1, positives + 1)))


def search_space_grid(measure: ParametricMeasure, positives: int, negatives: int) -> SearchSpace:
    """The measure on a grid of at most 81 x 81 tables, with the same steps on both axes as far as the smaller class goes.

    So the line FP = FN, where the count is right, runs through tables of the grid. Raises InvalidInput for an empty class.
    """
    score = measure.on_counts(positives, negatives)
    fp, fn = _ticks(negatives, positives), _ticks(positives, negatives)
    values = np.broadcast_to(score.at(fp[:, None], fn[None, :]), (len(fp), len(fn)))
    return SearchSpace(measure, positives, negatives, fp, fn, values)


def _ticks(size: int, other_size: int) -> IntArray:
    """The numbers of errors to draw for a class with `size` instances, if the other class has `other_size`."""
    shared = np.linspace(0, min(size, other_size), min(size, other_size, _STEPS) + 1)
    whole = np.linspace(0, size, min(size, _STEPS) + 1)
    return np.unique(np.rint(np.concatenate([shared, whole])).astype(np.intp))


def optima(measure: ParametricMeasure, positives: int, negatives: int, good: float = GOOD) -> Optima:
    """The optima of the measure among all tables, computed in blocks of rows.

    Raises InvalidInput for an empty class, or one with more than MAX_INSTANCES.
    """
    way_out = "Divide both classes by the same number: the space keeps its shape."
    check_integer("positives", positives, low=1, high=MAX_INSTANCES, way_out=way_out)
    check_integer("negatives", negatives, low=1, high=MAX_INSTANCES, way_out=way_out)
    check_fraction("good", good)
    score, fn = measure.on_counts(positives, negatives), np.arange(positives + 1)
    rows = max(1, _BLOCK // (positives + 1))
    # Every measure is highest for the table without errors.
    best = float(score.at(np.array([0]), np.array([0]))[0])
    n_best, max_fn, n_good = 0, 0, 0
    for start in range(0, negatives + 1, rows):
        fp = np.arange(start, min(start + rows, negatives + 1))
        values = np.broadcast_to(score.at(fp[:, None], fn[None, :]), (len(fp), len(fn)))
        n_good += int(np.count_nonzero(values >= good - TIE))
        at_best = values >= best - TIE
        if at_best.any():
            n_best += int(np.count_nonzero(at_best))
            max_fn = max(max_fn, int(fn[at_best.any(axis=0)].max()))
    n_tables = (positives + 1) * (negatives + 1)
    return Optima(best, n_best, n_tables, positives - max_fn, good, n_good / n_tables)


def errors_at_rates(tpr: ArrayLike, fpr: ArrayLike, positives: int, negatives: int) -> tuple[FloatArray, FloatArray]:
    """(FP, FN) of classifiers with these rates for these class sizes, (...) each; they need not be whole."""
    return np.asarray(fpr, float) * negatives, (1.0 - np.asarray(tpr, float)) * positives


def value_at(measure: ParametricMeasure, fp: FloatArray, fn: FloatArray, positives: int, negatives: int) -> FloatArray:
    """The measure at errors that need not be whole, (...). Raises InvalidInput for more errors than instances."""
    return measure.of(ContingencyTable.from_errors(fp, fn, positives, negatives))
