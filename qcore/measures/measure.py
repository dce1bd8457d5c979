"""A measure's entry in the registry, the contingency table that it is computed from, and the Q-measure."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.registry import Entry
from qcore._base.validation import (
    BoolArray,
    FloatArray,
    IntArray,
    InvalidInput,
    check_binary_labels,
    check_integer,
    check_scores,
)
from qcore.losses import Loss


@dataclass(frozen=True)
class ContingencyTable:
    """Counts of shape (...): true and false positives, false and true negatives; P = TP + FN, N = FP + TN.

    Examples
    --------
    >>> table = ContingencyTable.from_scores([0.9, 0.6, 0.4, 0.2], [1, 0, 1, 0])
    >>> [int(count) for count in (table.tp, table.fp, table.fn, table.tn)]
    [1, 1, 1, 1]

    Source: Barranquero 2013, 2.1.
    """

    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray

    @classmethod
    def from_scores(cls, scores: ArrayLike, labels: ArrayLike, threshold: float = 0.5) -> "ContingencyTable":
        """Table of `scores >= threshold` against `labels` (0 or 1), both of shape (n,). Raises InvalidInput."""
        checked = check_scores("scores", scores)
        truth = check_binary_labels("labels", labels, checked.shape[-1])
        predicted = checked >= threshold
        positive = truth == 1
        counts = [np.sum(predicted & positive), np.sum(predicted & ~positive), np.sum(~predicted & positive)]
        return cls(*(np.asarray(count, dtype=float) for count in [*counts, np.sum(~predicted & ~positive)]))

    @classmethod
    def from_errors(cls, fp: ArrayLike, fn: ArrayLike, positives: float, negatives: float) -> "ContingencyTable":
        """Table with `fp` in [0, negatives] and `fn` in [0, positives], both of shape (...). Raises InvalidInput."""
        false_positives, false_negatives = np.broadcast_arrays(np.asarray(fp, float), np.asarray(fn, float))
        for name, errors, most in (("fp", false_positives, negatives), ("fn", false_negatives, positives)):
            if errors.size and not (errors.min() >= 0 and errors.max() <= most):
                raise InvalidInput(
                    name, f"lie in [0, {most:g}]", f"values up to {errors.max():g}", "Errors can't outnumber their class."
                )
        return cls(positives - false_negatives, false_positives, false_negatives, negatives - false_positives)

    @property
    def size(self) -> FloatArray:
        """Number of instances S = P + N, (...)."""
        return self.tp + self.fp + self.fn + self.tn


def check_beta(beta: float) -> float:
    """Return beta, or raise InvalidInput if it is negative or not a number."""
    if not isinstance(beta, Real) or not beta >= 0:
        raise InvalidInput("beta", "be at least 0", repr(beta), "Choose 0 for only cperf, inf for only qperf.")
    return beta


def q_value(cperf: FloatArray, qperf: FloatArray, beta: float) -> FloatArray:
    """Q_beta = (1 + b^2) cperf qperf / (b^2 cperf + qperf), for measures in [0, 1] of one shape (...) or broadcast.

    Q_0 = cperf and Q_inf = qperf; 0 where both are 0. The arguments are not checked. Source: Barranquero 2013, eq. 6.2.
    """
    if beta == 0:
        return cperf
    if np.isinf(beta):
        return qperf
    # Written as a weighted harmonic mean, since the square of a large beta would overflow.
    weight = 1.0 / (1.0 + beta * beta)
    mean = weight * qperf + (1.0 - weight) * cperf
    value = np.divide(cperf * qperf, mean, out=np.zeros(np.shape(mean)), where=mean > 0)
    # A mean is at most the larger of both; the rounding of tiny numbers could exceed it.
    return np.minimum(value, np.maximum(cperf, qperf))


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
class Measure(Entry):
    """A measure of contingency tables, in [0, 1], with what a page needs to explain it.

    Attributes
    ----------
    of : (table, beta) -> value, for arrays of counts; only F_beta uses beta.
    formula : LaTeX.
    is_balance : whether it depends only on FP - FN.
    best : its value for a table without errors: 1, or 0 for the error.
    is_defined : (table) -> whether the measure is defined there; if not, `of` returns 0.
    of_prevalences : the same measure as a function of true and estimated prevalence, if it can be written so (NAS, NSS).

    Examples
    --------
    >>> from qcore import MEASURES
    >>> MEASURES["recall"].score(ContingencyTable(tp=9.0, fp=2.0, fn=1.0, tn=18.0)).item()
    0.9
    """

    of: Callable[[ContingencyTable, float], FloatArray]
    formula: str
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
