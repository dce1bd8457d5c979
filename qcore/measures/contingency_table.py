"""The contingency table TP, FP, FN, TN, for one threshold or for whole arrays of them (Barranquero 2013, 2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, InvalidInput, check_binary_labels, check_scores


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

    @property
    def size(self) -> FloatArray:
        """Number of instances S = P + N, (...)."""
        return self.tp + self.fp + self.fn + self.tn
