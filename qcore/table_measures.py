"""Measures of a contingency table as a learner or a picture needs them: their value, and their least value over a block.

All are scores in [0, 1], 1 is best. Each kind knows how it moves, which bounds it over any block of tables from two corners:
a measure of errors falls with every FP and FN; a measure of balance depends on FP - FN alone and falls away from 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from qcore import contingency
from qcore.contingency import ContingencyTable
from qcore.losses import LOSSES, SCORES
from qcore.qmeasure import blend, check_beta
from qcore.registry import registry
from qcore.validation import FloatArray, IntArray, check_choice, check_integer


class OnTables(Protocol):
    """A measure for so many positives and negatives: P and N are fixed."""

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        """Its value where FP and FN are these, broadcast."""
        ...

    def least(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        """No more than its value anywhere in each block: FP and FN from (low) to (high), ends included."""
        ...


@dataclass(frozen=True)
class _OfErrors:
    """A measure that falls with every error: its least value is at the most errors."""

    formula: Callable[[ContingencyTable], FloatArray]
    positives: int
    negatives: int

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        wrong, missed = fp.astype(np.float64), fn.astype(np.float64)
        return self.formula(ContingencyTable(self.positives - missed, wrong, missed, self.negatives - wrong))

    def least(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        return self.at(fp[1], fn[1])


@dataclass(frozen=True)
class _OfBalance:
    """A measure of FP - FN, tabulated from -P to N, that falls away from 0: its least value is at one of the ends."""

    values: FloatArray
    positives: int

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        return self.values[fp - fn + self.positives]

    def least(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        return np.minimum(self.at(fp[0], fn[1]), self.at(fp[1], fn[0]))


@dataclass(frozen=True)
class _OfBoth:
    """Q_beta of two measures: it rises with each, so that their least values bound it."""

    cperf: OnTables
    qperf: OnTables
    beta: float

    def at(self, fp: IntArray, fn: IntArray) -> FloatArray:
        return blend(self.cperf.at(fp, fn), self.qperf.at(fp, fn), self.beta)

    def least(self, fp: tuple[IntArray, IntArray], fn: tuple[IntArray, IntArray]) -> FloatArray:
        return blend(self.cperf.least(fp, fn), self.qperf.least(fp, fn), self.beta)


@dataclass(frozen=True)
class TableMeasure:
    """A measure of contingency tables with what a page needs to explain it.

    `of(table, beta)` is its value for arrays of counts, in [0, 1]; only F_beta looks at beta. `balance`: whether it depends on
    FP - FN alone.
    """

    key: str
    of: Callable[[ContingencyTable, float], FloatArray]
    balance: bool
    idea: str
    formula: str
    source: str

    def on(self, positives: int, negatives: int, beta: float = 1.0) -> OnTables:
        """The measure on the tables of so many positives and negatives. Raises InvalidInput for an empty class."""
        p = check_integer("positives", positives, low=1)
        n = check_integer("negatives", negatives, low=1)
        if not self.balance:
            return _OfErrors(lambda table: self.of(table, beta), p, n)
        difference = np.arange(-p, n + 1)
        fp, fn = np.maximum(difference, 0), np.maximum(-difference, 0)
        return _OfBalance(self.of(ContingencyTable(p - fn, fp, fn, n - fp), beta), p)


def _prevalences(table: ContingencyTable) -> tuple[FloatArray, FloatArray, int]:
    """True prevalence, classify and count's estimate, and the number of instances."""
    size = table.tp + table.fp + table.fn + table.tn
    return (table.tp + table.fn) / size, (table.tp + table.fp) / size, int(np.rint(np.max(size, initial=1)))


@dataclass(frozen=True)
class Estimated:
    """The quantification score `key`, or 1 minus the loss: cropped at 0, as a measure must be, or as it is."""

    key: str
    cropped: bool = True

    def __call__(self, table: ContingencyTable, _beta: float) -> FloatArray:
        """Its value, (...)."""
        true, estimate, size = _prevalences(table)
        if self.key in SCORES:
            return np.clip(SCORES[self.key].binary(true, estimate), 0.0, 1.0)
        value = 1.0 - LOSSES[self.key].binary(true, estimate, sample_size=size, smoothing="half_count")
        return np.maximum(value, 0.0) if self.cropped else value


@dataclass(frozen=True)
class _Counted:
    """A measure that does not look at beta; not a closure, which could not be pickled."""

    formula: Callable[[ContingencyTable], FloatArray]

    def __call__(self, table: ContingencyTable, _beta: float) -> FloatArray:
        return self.formula(table)


TABLE_MEASURES: Final = registry(
    TableMeasure(
        "accuracy", _Counted(contingency.accuracy), False,
        "The share of all instances that are classified right; on rare positives nearly that of the negatives.",
        r"\frac{TP + TN}{S}", "Barranquero 2013, 6.2.1",
    ),
    TableMeasure(
        "recall", _Counted(contingency.recall), False,
        "The share of the positives that are found (tpr): it does not see the negatives.",
        r"\frac{TP}{P}", "Barranquero 2013, eq. 2.7",
    ),
    TableMeasure(
        "tnr", _Counted(contingency.tnr), False,
        "The true negative rate, the share of the negatives that are left alone: it does not see the positives.",
        r"\frac{TN}{N}", "Barranquero 2013, 5.2.4",
    ),
    TableMeasure(
        "precision", _Counted(contingency.precision), False,
        "The share of positives among those that are predicted positive; 0 where none is.",
        r"\frac{TP}{TP + FP}", "Barranquero 2013, 6.1",
    ),
    TableMeasure(
        "F_beta", contingency.f_measure, False,
        "The harmonic mean of precision and recall; recall weighs β² times as much as precision.",
        r"(1 + \beta^2)\frac{precision \cdot recall}{\beta^2\, precision + recall}", "Barranquero 2013, eq. 6.1",
    ),
    TableMeasure(
        "GM", _Counted(contingency.geometric_mean), False,
        "The geometric mean of tpr and tnr: the same shape however rare the positives are.",
        r"\sqrt{\frac{TP}{P} \cdot \frac{TN}{N}}", "Barranquero 2013, eq. 6.3",
    ),
    TableMeasure(
        "1 - AE", Estimated("AE"), True,
        "1 minus the absolute error of the count: perfect wherever FP = FN; where classes are uneven, far above 0 everywhere.",
        r"1 - |\hat p - p|", "Barranquero 2013, eq. 2.4, 6.2.2",
    ),
    TableMeasure(
        "1 - SE", Estimated("SE"), True,
        "1 minus the squared error of the count: flat around FP = FN.",
        r"1 - (\hat p - p)^2", "Barranquero 2013, eq. 2.5, 6.2.2",
    ),
    TableMeasure(
        "1 - KLD", Estimated("KLD"), True,
        "1 minus the Kullback-Leibler divergence, cropped at 0; half a count keeps it finite where all or none are predicted.",
        r"\max(0,\; 1 - \mathrm{KLD})", "Barranquero 2013, eq. 2.6, 6.2.2",
    ),
    TableMeasure(
        "NAS", Estimated("NAS"), True,
        "The normalised absolute score: 1 where FP = FN, 0 at the worst count that is possible.",
        r"1 - \frac{|FN - FP|}{\max(P, N)}", "Barranquero 2013, eq. 6.4",
    ),
    TableMeasure(
        "NSS", Estimated("NSS"), True,
        "The normalised squared score: as NAS, flatter around FP = FN.",
        r"1 - \left(\frac{FN - FP}{\max(P, N)}\right)^2", "Barranquero 2013, eq. 6.5",
    ),
)  # fmt: skip
"""What a search space can be drawn of; Q_beta combines any two."""

Q: Final = "Q_beta"


@dataclass(frozen=True)
class Measured:
    """What is measured: one of TABLE_MEASURES, or "Q_beta" of two of them. Raises InvalidInput.

    `beta` weighs the second part of Q_beta (qperf), or recall in F_beta; from 0 to inf.
    """

    key: str = Q
    beta: float = 2.0
    cperf: str = "recall"
    qperf: str = "NAS"
    _parts: tuple[TableMeasure, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_choice("measure", self.key, [*TABLE_MEASURES, Q])
        check_beta(self.beta)
        keys = (self.key,) if self.key != Q else (self.cperf, self.qperf)
        for name, key in zip(("cperf", "qperf"), keys, strict=False):
            check_choice(name, key, TABLE_MEASURES)
        object.__setattr__(self, "_parts", tuple(TABLE_MEASURES[key] for key in keys))

    @property
    def name(self) -> str:
        """As a person reads it: NAS, F_2, Q_0.5."""
        word = "∞" if np.isinf(self.beta) else f"{self.beta:g}"
        return self.key.replace("beta", word)

    def on(self, positives: int, negatives: int) -> OnTables:
        """On the tables of so many positives and negatives. Raises InvalidInput for an empty class."""
        measures = [part.on(positives, negatives, self.beta if self.key != Q else 1.0) for part in self._parts]
        return _OfBoth(measures[0], measures[1], self.beta) if self.key == Q else measures[0]

    def of(self, table: ContingencyTable) -> FloatArray:
        """The value of tables, (...); counts need not be whole."""
        values = [part.of(table, self.beta if self.key != Q else 1.0) for part in self._parts]
        return blend(values[0], values[1], self.beta) if self.key == Q else values[0]
