"""The registry MEASURES, the measures of quantification performance in it, and a measure with its parameters.

To add a measure, write its formula and one entry here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from qcore._base.registry import registry
from qcore._base.validation import BoolArray, FloatArray, check_choice
from qcore.losses import LOSSES, Loss
from qcore.losses.loss import normalised_absolute_score, normalised_squared_score
from qcore.measures import classification
from qcore.measures.measure import CombinedMeasure, ContingencyTable, Measure, MeasureOnCounts, check_beta, q_value

NAS = Loss(
    key="NAS",
    name="Normalised absolute score",
    function=normalised_absolute_score,
    formula=r"\mathrm{NAS} = 1 - \frac{|\hat p - p|}{\max(p, n)}",
    idea="1 minus the normalised absolute error: 1 is best, 0 is worst.",
    source="Barranquero 2013, eq. 6.4",
    properties=frozenset({"MAX", "IMP"}),
    axis=(0.0, 1.0),
    best=1.0,
)

NSS = Loss(
    key="NSS",
    name="Normalised squared score",
    function=normalised_squared_score,
    formula=r"\mathrm{NSS} = 1 - \left(\frac{|\hat p - p|}{\max(p, n)}\right)^2",
    idea="1 minus the square of the normalised absolute error: 1 is best, 0 is worst.",
    source="Barranquero 2013, eq. 6.5",
    properties=frozenset({"MAX", "IMP"}),
    axis=(0.0, 1.0),
    best=1.0,
)


def prevalences_of_table(table: ContingencyTable) -> tuple[FloatArray, FloatArray, int]:
    """(true prevalence, estimate of classify and count, number of instances) of tables, the first two (...)."""
    return (table.tp + table.fn) / table.size, (table.tp + table.fp) / table.size, int(np.rint(np.max(table.size, initial=1)))


@dataclass(frozen=True)
class PrevalenceScore:
    """A score of the counted prevalence: NAS, NSS, or 1 minus a loss, which is cut off at 0 unless `clipped` is False.

    A class and not a closure, so that learners that hold one can be pickled.
    """

    loss: Loss
    clipped: bool = True

    def __call__(self, table: ContingencyTable, _beta: float) -> FloatArray:
        """The score of tables, (...)."""
        true, estimate, size = prevalences_of_table(table)
        if self.loss.best == 1.0:
            return np.clip(self.loss.binary(true, estimate), 0.0, 1.0)
        value = 1.0 - self.loss.binary(true, estimate, sample_size=size, smoothing="half_count")
        return np.maximum(value, 0.0) if self.clipped else value


def one_minus(key: str, *, clipped: bool = True) -> PrevalenceScore:
    """1 minus a loss of LOSSES."""
    return PrevalenceScore(LOSSES[key], clipped)


@dataclass(frozen=True)
class _WithoutBeta:
    """A formula that does not use beta; a class and not a closure, so that it can be pickled."""

    formula: Callable[[ContingencyTable], FloatArray]

    def __call__(self, table: ContingencyTable, _beta: float) -> FloatArray:
        return self.formula(table)


def _predicts_positives(table: ContingencyTable) -> BoolArray:
    return np.asarray(table.tp + table.fp) > 0


def _predicts_negatives(table: ContingencyTable) -> BoolArray:
    return np.asarray(table.tn + table.fn) > 0


MEASURES = registry(
    Measure(
        key="accuracy",
        of=_WithoutBeta(classification.accuracy),
        idea="The share of all instances that are classified correctly; where positives are rare, it is nearly the tnr.",
        formula=r"\frac{TP + TN}{S}",
        source="Barranquero 2013, 6.2.1",
    ),
    Measure(
        key="recall",
        of=_WithoutBeta(classification.recall),
        idea="The share of the positives that are found (tpr): it ignores the negatives.",
        formula=r"\frac{TP}{P}",
        source="Barranquero 2013, eq. 2.7",
    ),
    Measure(
        key="tnr",
        of=_WithoutBeta(classification.tnr),
        idea="The true negative rate, the share of the negatives that are predicted negative: it ignores the positives.",
        formula=r"\frac{TN}{N}",
        source="Barranquero 2013, 5.2.4",
    ),
    Measure(
        key="precision",
        of=_WithoutBeta(classification.precision),
        is_defined=_predicts_positives,
        idea="The share of positives among the predicted positives; undefined where there are none (drawn as 0).",
        formula=r"\frac{TP}{TP + FP}",
        source="Barranquero 2013, 6.1",
    ),
    Measure(
        key="F_beta",
        of=classification.f_measure,
        idea="The harmonic mean of precision and recall; recall weighs β² times as much as precision.",
        formula=r"(1 + \beta^2)\frac{precision \cdot recall}{\beta^2\, precision + recall}",
        source="Barranquero 2013, eq. 6.1",
    ),
    Measure(
        key="GM",
        of=_WithoutBeta(classification.geometric_mean),
        idea="The geometric mean of tpr and tnr: it does not depend on how rare the positives are.",
        formula=r"\sqrt{\frac{TP}{P} \cdot \frac{TN}{N}}",
        source="Barranquero 2013, eq. 6.3",
    ),
    Measure(
        key="1 - AE",
        of=one_minus("AE"),
        idea="1 minus the absolute error of the count: perfect wherever FP = FN; its lowest value is the share of "
        "the rarer class, 0.5 where both are equally frequent.",
        formula=r"1 - |\hat p - p|",
        source="Barranquero 2013, eq. 2.4, 6.2.2",
        is_balance=True,
    ),
    Measure(
        key="1 - SE",
        of=one_minus("SE"),
        idea="1 minus the squared error of the count: flat around FP = FN.",
        formula=r"1 - (\hat p - p)^2",
        source="Barranquero 2013, eq. 2.5, 6.2.2",
        is_balance=True,
    ),
    Measure(
        key="1 - KLD",
        of=one_minus("KLD"),
        idea="1 minus the Kullback-Leibler divergence, cut off at 0; half a count in place of 0 keeps it finite where all or "
        "no instances are predicted positive.",
        formula=r"\max(0,\; 1 - \mathrm{KLD})",
        source="Barranquero 2013, eq. 2.6, 6.2.2",
        is_balance=True,
    ),
    Measure(
        key="NAS",
        of=PrevalenceScore(NAS),
        idea="The normalised absolute score: 1 where FP = FN, 0 at the worst count that is possible.",
        formula=r"1 - \frac{|FN - FP|}{\max(P, N)}",
        source="Barranquero 2013, eq. 6.4",
        is_balance=True,
        of_prevalences=NAS,
    ),
    Measure(
        key="NSS",
        of=PrevalenceScore(NSS),
        idea="The normalised squared score: as NAS, flatter around FP = FN.",
        formula=r"1 - \left(\frac{FN - FP}{\max(P, N)}\right)^2",
        source="Barranquero 2013, eq. 6.5",
        is_balance=True,
        of_prevalences=NSS,
    ),
    Measure(
        key="macro accuracy",
        of=_WithoutBeta(classification.macro_accuracy),
        idea="The mean of tpr and tnr: the accuracy if both classes were equally frequent.",
        formula=r"\frac{1}{2}\left(\frac{TP}{P} + \frac{TN}{N}\right)",
        source="slides on model evaluation",
    ),
    Measure(
        key="error",
        of=_WithoutBeta(classification.error),
        idea="The share of all instances that are misclassified: 0 is best.",
        formula=r"\frac{FP + FN}{S}",
        source="Barranquero 2013, 2.1",
        best=0.0,
    ),
    Measure(
        key="npv",
        of=_WithoutBeta(classification.npv),
        is_defined=_predicts_negatives,
        idea="The negative predictive value: the share of negatives among the predicted negatives; undefined where there "
        "are none (drawn as 0).",
        formula=r"\frac{TN}{TN + FN}",
        source="slides on model evaluation",
    ),
)
"""Measures of a contingency table: search spaces show them, and multivariate SVMs can be trained for them.

`Q_beta` (parametric.py) combines any two whose best value is 1.
"""

SCORE_KEYS = tuple(key for key, measure in MEASURES.items() if measure.best == 1.0)
"""Keys of the measures that are best at 1."""


Q_BETA = "Q_beta"
"""The key of the Q-measure, which is made of two others."""


@dataclass(frozen=True)
class ParametricMeasure:
    """A measure and its parameters.

    Parameters
    ----------
    key : one of MEASURES that is best at 1, or "Q_beta".
    beta : weight of qperf in Q_beta, or of recall in F_beta; from 0 to inf.
    cperf, qperf : keys of the two measures that Q_beta combines.

    Raises InvalidInput for an unknown key or a negative beta.

    Examples
    --------
    >>> table = ContingencyTable.from_errors(fp=5, fn=5, positives=10, negatives=90)
    >>> float(ParametricMeasure("NAS").of(table)), round(float(ParametricMeasure("Q_beta", 2.0).of(table)), 3)
    (1.0, 0.833)

    Source: Barranquero 2013, 6.2.
    """

    key: str = Q_BETA
    beta: float = 2.0
    cperf: str = "recall"
    qperf: str = "NAS"
    _parts: tuple[Measure, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_choice("measure", self.key, [*SCORE_KEYS, Q_BETA])
        check_beta(self.beta)
        keys = (self.key,) if self.key != Q_BETA else (self.cperf, self.qperf)
        for name, key in zip(("cperf", "qperf"), keys, strict=False):
            check_choice(name, key, SCORE_KEYS)
        object.__setattr__(self, "_parts", tuple(MEASURES[key] for key in keys))

    @property
    def name(self) -> str:
        """The name to show, such as NAS, F_2 or Q_0.5."""
        beta = "∞" if np.isinf(self.beta) else f"{self.beta:g}"
        return self.key.replace("beta", beta)

    def on_counts(self, positives: int, negatives: int) -> MeasureOnCounts:
        """The measure on the tables with these numbers of positives and negatives. Raises InvalidInput for an empty class."""
        beta = self.beta if self.key != Q_BETA else 1.0
        measures = [part.on_counts(positives, negatives, beta) for part in self._parts]
        return CombinedMeasure(measures[0], measures[1], self.beta) if self.key == Q_BETA else measures[0]

    def of(self, table: ContingencyTable) -> FloatArray:
        """The value of tables, (...); counts need not be whole."""
        values = [part.of(table, self.beta if self.key != Q_BETA else 1.0) for part in self._parts]
        return q_value(values[0], values[1], self.beta) if self.key == Q_BETA else values[0]
