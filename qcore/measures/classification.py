"""Classification measures: functions of a contingency table (Barranquero 2013, 2.1 and 6.2; slides on model evaluation).

Each broadcasts over arrays of counts and returns their shape. A measure that is 0/0 is 0, without a warning.
"""

import numpy as np

from qcore._base.validation import FloatArray, InvalidInput
from qcore.measures.contingency_table import ContingencyTable


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Part / whole, 0 where whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, float), np.asarray(whole, float))
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def accuracy(table: ContingencyTable) -> FloatArray:
    """(TP + TN) / S."""
    return _share(table.tp + table.tn, table.tp + table.fp + table.fn + table.tn)


def error(table: ContingencyTable) -> FloatArray:
    """(FP + FN) / S."""
    return _share(table.fp + table.fn, table.tp + table.fp + table.fn + table.tn)


def recall(table: ContingencyTable) -> FloatArray:
    """Tpr = TP / P; 0 without positives. Source: Barranquero 2013, eq. 2.7."""
    return _share(table.tp, table.tp + table.fn)


def tnr(table: ContingencyTable) -> FloatArray:
    """TN / N; 0 without negatives. Source: Barranquero 2013, 5.2.4."""
    return _share(table.tn, table.tn + table.fp)


def fpr(table: ContingencyTable) -> FloatArray:
    """FP / N; 0 without negatives. Source: Barranquero 2013, eq. 2.8."""
    return _share(table.fp, table.tn + table.fp)


def precision(table: ContingencyTable) -> FloatArray:
    """TP / P', with P' = TP + FP; 0 when nothing is predicted positive. Source: Barranquero 2013, 6.1."""
    return _share(table.tp, table.tp + table.fp)


def npv(table: ContingencyTable) -> FloatArray:
    """Negative predictive value, TN / (TN + FN); 0 when nothing is predicted negative. Source: slides on model evaluation."""
    return _share(table.tn, table.tn + table.fn)


def f_measure(table: ContingencyTable, beta: float = 1.0) -> FloatArray:
    """F_beta = (1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP); 0 without true positives; recall for beta = inf.

    Raises InvalidInput for a beta below 0. Source: Barranquero 2013, eq. 6.1.
    """
    if not beta >= 0:
        raise InvalidInput("beta", "be at least 0", repr(beta), "Choose for example 1.")
    if np.isinf(beta):
        return recall(table)
    # Written with weights, since the square of a large beta would overflow.
    weight = 1.0 / (1.0 + beta * beta)
    return _share(table.tp, table.tp + (1.0 - weight) * table.fn + weight * table.fp)


def geometric_mean(table: ContingencyTable) -> FloatArray:
    """GM = sqrt(tpr tnr). Source: Barranquero 2013, eq. 6.3."""
    return np.sqrt(recall(table) * tnr(table))


def macro_accuracy(table: ContingencyTable) -> FloatArray:
    """Mean of the accuracies within each class, (tpr + tnr) / 2. Source: slides on model evaluation."""
    return (recall(table) + tnr(table)) / 2.0
