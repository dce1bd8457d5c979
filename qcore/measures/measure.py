"""Measures of contingency tables, and their fast evaluation and bounds when P and N are fixed.

A measure of errors falls with every FP and FN; a measure of balance depends only on FP - FN and falls with its size. So two
corners of a block of tables bound a measure over the whole block, which is what the multivariate SVM's search needs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from qcore._base.validation import BoolArray, FloatArray, IntArray, check_integer
from qcore.losses import Loss
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.q_measure import q_value


class MeasureOnCounts(Protocol):
    """A measure on the tables of fixed numbers of positives and negatives."""

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        """The measure's value at these FP and FN, broadcast."""
        ...

    def lower_bound(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        """A lower bound of the measure in each block of tables: FP and FN from (low) to (high), ends included."""
        ...


@dataclass(frozen=True)
class _ErrorMeasure:
    """A measure that falls with every error: it is lowest where there are most errors."""

    formula: Callable[[ContingencyTable], FloatArray]
    positives: int
    negatives: int

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        false_positives, false_negatives = fp.astype(np.float64), fn.astype(np.float64)
        return self.formula(
            ContingencyTable(
                self.positives - false_negatives, false_positives, false_negatives, self.negatives - false_positives
            )
        )

    def lower_bound(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        return self.at(fp[1], fn[1])


@dataclass(frozen=True)
class _BalanceMeasure:
    """A measure of FP - FN, tabulated from -P to N, that falls with the size of FP - FN: it is lowest at one of the ends."""

    values: FloatArray
    positives: int

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        return self.values[fp - fn + self.positives]

    def lower_bound(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        return np.minimum(self.at(fp[0], fn[1]), self.at(fp[1], fn[0]))


@dataclass(frozen=True)
class CombinedMeasure:
    """Q_beta of two measures: it rises with each, so their lower bounds bound it."""

    cperf: MeasureOnCounts
    qperf: MeasureOnCounts
    beta: float

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        """The measure's value at these FP and FN, broadcast."""
        return q_value(self.cperf.at(fp, fn), self.qperf.at(fp, fn), self.beta)

    def lower_bound(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        """A lower bound of the measure in each block."""
        return q_value(self.cperf.lower_bound(fp, fn), self.qperf.lower_bound(fp, fn), self.beta)


def always_defined(table: ContingencyTable) -> BoolArray:
    """True for each table."""
    return np.ones(np.shape(table.tp), dtype=bool)


@dataclass(frozen=True)
class Measure:
    """A measure of contingency tables, in [0, 1], with what a page needs to explain it.

    Attributes
    ----------
    key : its name in the registry, in links and in texts.
    of : (table, beta) -> value, for arrays of counts; only F_beta uses beta.
    idea, formula, source : a sentence, LaTeX, and where it is defined.
    is_balance : whether it depends on FP - FN alone.
    best : its value for a table without errors: 1, or 0 for the error.
    is_defined : (table) -> whether the measure is defined there; if not, `of` returns 0.
    of_prevalences : the same measure as a function of true and estimated prevalence, if it can be written so (NAS, NSS).
    """

    key: str
    of: Callable[[ContingencyTable, float], FloatArray]
    idea: str
    formula: str
    source: str
    is_balance: bool = False
    best: float = 1.0
    of_prevalences: Loss | None = None
    is_defined: Callable[[ContingencyTable], BoolArray] = always_defined

    def score(self, table: ContingencyTable, beta: float = 1.0) -> FloatArray:
        """The value of tables as a score, 1 for a table without errors: (...)."""
        value = self.of(table, beta)
        return value if self.best == 1.0 else 1.0 - value

    def on_counts(self, positives: int, negatives: int, beta: float = 1.0) -> MeasureOnCounts:
        """The score on the tables with these numbers of positives and negatives. Raises InvalidInput for an empty class."""
        p = check_integer("positives", positives, low=1)
        n = check_integer("negatives", negatives, low=1)
        if not self.is_balance:
            return _ErrorMeasure(lambda table: self.score(table, beta), p, n)
        difference = np.arange(-p, n + 1)
        fp, fn = np.maximum(difference, 0), np.maximum(-difference, 0)
        return _BalanceMeasure(self.score(ContingencyTable(p - fn, fp, fn, n - fp), beta), p)
