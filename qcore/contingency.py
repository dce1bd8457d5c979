"""Classification measures from the contingency table TP, FP, FN, TN (B 2.1, 6.2; slides on model evaluation).

Every function broadcasts over arrays of counts. Where a measure is 0/0 it is 0, silently, unless its docstring says else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from qcore.validation import FloatArray, InvalidInput, check_binary_labels, check_scores


@dataclass(frozen=True)
class ContingencyTable:
    """Counts of shape (...): true and false positives, false and true negatives; P = tp + fn, N = fp + tn (B 2.1)."""

    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray

    @classmethod
    def from_scores(cls, scores: ArrayLike, labels: ArrayLike, threshold: float = 0.5) -> ContingencyTable:
        """Table of `scores >= threshold` against `labels` (0 or 1), both of shape (n,). Raises InvalidInput."""
        checked = check_scores("scores", scores)
        truth = check_binary_labels("labels", labels, checked.shape[-1])
        predicted = checked >= threshold
        positive = truth == 1
        counts = [np.sum(predicted & positive), np.sum(predicted & ~positive), np.sum(~predicted & positive)]
        return cls(*(np.asarray(count, dtype=float) for count in [*counts, np.sum(~predicted & ~positive)]))

    @classmethod
    def from_errors(cls, fp: ArrayLike, fn: ArrayLike, positives: float, negatives: float) -> ContingencyTable:
        """Table with `fp` in [0, negatives] and `fn` in [0, positives], both of shape (...). Raises InvalidInput."""
        false_positives, false_negatives = np.broadcast_arrays(np.asarray(fp, float), np.asarray(fn, float))
        for name, errors, most in (("fp", false_positives, negatives), ("fn", false_negatives, positives)):
            if errors.size and not (errors.min() >= 0 and errors.max() <= most):
                raise InvalidInput(
                    name, f"lie in [0, {most:g}]", f"values up to {errors.max():g}", "Errors can't outnumber their class."
                )
        return cls(positives - false_negatives, false_positives, false_negatives, negatives - false_positives)


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
    """Tpr = TP / P (B 2.7); 0 without positives."""
    return _share(table.tp, table.tp + table.fn)


def tnr(table: ContingencyTable) -> FloatArray:
    """TN / N; 0 without negatives."""
    return _share(table.tn, table.tn + table.fp)


def fpr(table: ContingencyTable) -> FloatArray:
    """FP / N (B 2.8); 0 without negatives."""
    return _share(table.fp, table.tn + table.fp)


def precision(table: ContingencyTable) -> FloatArray:
    """TP / P'; 0 when nothing is predicted positive."""
    return _share(table.tp, table.tp + table.fp)


def f_measure(table: ContingencyTable, beta: float = 1.0) -> FloatArray:
    """F_beta = (1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP) (B eq. 6.1); 0 without true positives; recall for beta = inf.

    Raises InvalidInput for a beta below 0.
    """
    if not beta >= 0:
        raise InvalidInput("beta", "be at least 0", repr(beta), "Choose for example 1.")
    if np.isinf(beta):
        return recall(table)
    # As weights: the square of a large beta itself would overflow.
    weight = 1.0 / (1.0 + beta * beta)
    return _share(table.tp, table.tp + (1.0 - weight) * table.fn + weight * table.fp)


def geometric_mean(table: ContingencyTable) -> FloatArray:
    """GM = sqrt(tpr tnr) (B eq. 6.3)."""
    return np.sqrt(recall(table) * tnr(table))


def macro_accuracy(table: ContingencyTable) -> FloatArray:
    """Mean of the accuracies within each class, (tpr + tnr) / 2 (slides)."""
    return (recall(table) + tnr(table)) / 2.0


MEASURES: Final[Mapping[str, Callable[[ContingencyTable], FloatArray]]] = MappingProxyType(
    {
        "accuracy": accuracy,
        "error": error,
        "recall": recall,
        "tnr": tnr,
        "precision": precision,
        "F1": f_measure,
        "GM": geometric_mean,
        "macro accuracy": macro_accuracy,
    }
)
