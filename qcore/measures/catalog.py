"""The registry of measures of a contingency table. To add one, write its formula and one entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from qcore._base.registry import registry
from qcore._base.validation import BoolArray, FloatArray
from qcore.measures import classification
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.measure import Measure
from qcore.measures.prevalence_scores import NAS, NSS, PrevalenceScore, one_minus


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


MEASURES: Final = registry(
    Measure(
        key="accuracy",
        of=_WithoutBeta(classification.accuracy),
        idea="The share of all instances that are classified right; where positives are rare, it is nearly the tnr.",
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
        idea="The share of all instances that are classified wrong: 0 is best.",
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

SCORE_KEYS: Final = tuple(key for key, measure in MEASURES.items() if measure.best == 1.0)
"""Keys of the measures that are best at 1."""
