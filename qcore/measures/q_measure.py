"""The Q-measure: how well a classifier classifies and how well it counts, in one number (Barranquero 2013, 6.2)."""

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, InvalidInput


def check_beta(beta: float) -> float:
    """Return beta, or raise InvalidInput if it is negative or not a number."""
    if not isinstance(beta, Real) or not beta >= 0:
        raise InvalidInput("beta", "be at least 0", repr(beta), "Choose 0 for cperf alone, inf for qperf alone.")
    return beta


def q_value(cperf: FloatArray, qperf: FloatArray, beta: float) -> FloatArray:
    """Q_beta of measures in [0, 1], of one shape (...) or broadcast; the arguments are not checked."""
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


def q_measure(cperf: ArrayLike, qperf: ArrayLike, beta: float) -> FloatArray:
    """Q_beta = (1 + b^2) cperf qperf / (b^2 cperf + qperf), for measures in [0, 1] of shape (...).

    Q_0 = cperf and Q_inf = qperf; 0 where both are 0. Raises InvalidInput for a negative beta or a measure outside [0, 1].

    Examples
    --------
    >>> float(q_measure(cperf=0.5, qperf=1.0, beta=1.0).round(3))
    0.667

    Source: Barranquero 2013, eq. 6.2.
    """
    check_beta(beta)
    classification, quantification = np.broadcast_arrays(np.asarray(cperf, float), np.asarray(qperf, float))
    for name, measure in (("cperf", classification), ("qperf", quantification)):
        if measure.size and not (measure.min() >= 0 and measure.max() <= 1):
            raise InvalidInput(
                name, "lie in [0, 1]", f"values from {measure.min():g} to {measure.max():g}", "Use a bounded measure."
            )
    return np.array(q_value(classification, quantification, beta))
