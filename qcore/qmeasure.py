"""The Q-measure family: a classifier judged as a classifier and as a quantifier at once (B 6.2)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from qcore.contingency import ContingencyTable, recall
from qcore.losses import SCORES
from qcore.validation import FloatArray, InvalidInput, check_integer

Measure = Callable[[ContingencyTable], FloatArray]


def normalised_absolute_score(table: ContingencyTable) -> FloatArray:
    """NAS of classify and count on the table: p = P/S against p_hat = P'/S (B eq. 6.4)."""
    size = table.tp + table.fp + table.fn + table.tn
    return SCORES["NAS"].binary((table.tp + table.fn) / size, (table.tp + table.fp) / size)


def combine(cperf: ArrayLike, qperf: ArrayLike, beta: float) -> FloatArray:
    """Q_beta = (1 + b^2) cperf qperf / (b^2 cperf + qperf) (B 6.2), for measures in [0, 1] of shape (...).

    Q_0 = cperf and Q_inf = qperf; 0 where both are 0. Raises InvalidInput for a negative beta or a measure outside [0, 1].
    """
    if not beta >= 0:
        raise InvalidInput("beta", "be at least 0", repr(beta), "Choose 0 for cperf alone, inf for qperf alone.")
    classification, quantification = np.broadcast_arrays(np.asarray(cperf, float), np.asarray(qperf, float))
    for name, measure in (("cperf", classification), ("qperf", quantification)):
        if measure.size and not (measure.min() >= 0 and measure.max() <= 1):
            raise InvalidInput(
                name, "lie in [0, 1]", f"values from {measure.min():g} to {measure.max():g}", "Use a bounded measure."
            )
    if np.isinf(beta):
        return quantification.copy()
    denominator = beta**2 * classification + quantification
    value = (1.0 + beta**2) * classification * quantification
    combined = np.divide(value, denominator, out=np.zeros(value.shape), where=denominator > 0)
    return classification.copy() if beta == 0 else combined


def q_measure(
    table: ContingencyTable, beta: float = 1.0, cperf: Measure = recall, qperf: Measure = normalised_absolute_score
) -> FloatArray:
    """Q_beta of a table, shape (...). Source: B 6.2; defaults recall and NAS. Raises as `combine` does."""
    return combine(cperf(table), qperf(table), beta)


def search_space(measure: Measure, positives: int, negatives: int) -> FloatArray:
    """`measure` on every table of P positives and N negatives: shape (N + 1, P + 1), rows FP, columns FN (B Figures 6.2-6.7).

    Raises InvalidInput when a class is empty.
    """
    p = check_integer("positives", positives, low=1)
    n = check_integer("negatives", negatives, low=1)
    fp, fn = np.meshgrid(np.arange(n + 1), np.arange(p + 1), indexing="ij")
    return measure(ContingencyTable.from_errors(fp, fn, p, n))
