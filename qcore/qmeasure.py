"""The Q-measure family: a classifier judged as a classifier and as a quantifier at once (B 6.2)."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from qcore.contingency import ContingencyTable, recall
from qcore.losses import SCORES
from qcore.validation import FloatArray, InvalidInput

Measure = Callable[[ContingencyTable], FloatArray]


LARGEST_BETA: Final = 1000.0
"""Of those that are typed, beside inf."""


def normalised_absolute_score(table: ContingencyTable) -> FloatArray:
    """NAS of classify and count on the table: p = P/S against p_hat = P'/S (B eq. 6.4)."""
    size = table.tp + table.fp + table.fn + table.tn
    return SCORES["NAS"].binary((table.tp + table.fn) / size, (table.tp + table.fp) / size)


def check_beta(beta: float) -> float:
    """Beta as it is. Raises InvalidInput for a negative one, or none at all."""
    if not isinstance(beta, Real) or not beta >= 0:
        raise InvalidInput("beta", "be at least 0", repr(beta), "Choose 0 for cperf alone, inf for qperf alone.")
    return beta


def typed_beta(text: str) -> float:
    """Beta as a person types it: a number from 0 to LARGEST_BETA, or inf (or ∞), with a point or a comma. Raises InvalidInput.

    Beyond that a measure differs from that of inf by no more than rounding, and what is best can't be told.
    """
    word = text.strip().replace("∞", "inf").replace(",", ".")
    try:
        value = float(word) if word.isascii() and "_" not in word else float("nan")
    except ValueError:
        value = float("nan")
    if not (0 <= value <= LARGEST_BETA or np.isposinf(value)):
        raise InvalidInput("beta", f"be a number from 0 to {LARGEST_BETA:g}, or inf", repr(text), "Type for example 2.")
    return value + 0.0


def blend(cperf: FloatArray, qperf: FloatArray, beta: float) -> FloatArray:
    """Q_beta of measures that are known to be right: in [0, 1], of one shape (...) or broadcast (B eq. 6.2)."""
    if beta == 0:
        return cperf
    if np.isinf(beta):
        return qperf
    # As a weighted harmonic mean: with the square of a large beta itself the sum would overflow.
    weight = 1.0 / (1.0 + beta * beta)
    mean = weight * qperf + (1.0 - weight) * cperf
    value = np.divide(cperf * qperf, mean, out=np.zeros(np.shape(mean)), where=mean > 0)
    # A mean of both: rounding of the least numbers could take it beyond.
    return np.minimum(value, np.maximum(cperf, qperf))


def combine(cperf: ArrayLike, qperf: ArrayLike, beta: float) -> FloatArray:
    """Q_beta = (1 + b^2) cperf qperf / (b^2 cperf + qperf) (B 6.2), for measures in [0, 1] of shape (...).

    Q_0 = cperf and Q_inf = qperf; 0 where both are 0. Raises InvalidInput for a negative beta or a measure outside [0, 1].
    """
    check_beta(beta)
    classification, quantification = np.broadcast_arrays(np.asarray(cperf, float), np.asarray(qperf, float))
    for name, measure in (("cperf", classification), ("qperf", quantification)):
        if measure.size and not (measure.min() >= 0 and measure.max() <= 1):
            raise InvalidInput(
                name, "lie in [0, 1]", f"values from {measure.min():g} to {measure.max():g}", "Use a bounded measure."
            )
    return np.array(blend(classification, quantification, beta))


def q_measure(
    table: ContingencyTable, beta: float = 1.0, cperf: Measure = recall, qperf: Measure = normalised_absolute_score
) -> FloatArray:
    """Q_beta of a table, shape (...). Source: B 6.2; defaults recall and NAS. Raises as `combine` does."""
    return combine(cperf(table), qperf(table), beta)
