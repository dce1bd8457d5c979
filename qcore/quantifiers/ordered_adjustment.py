"""The adjusted count of ordered classes: shares that change unevenly from class to class are penalised."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_fraction
from qcore.quantifiers.adjustment import AdjustedCount
from qcore.quantifiers.base import ScoreQuantifier
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.blockwise import blockwise
from qcore.quantifiers.class_batch import ClassBatch
from qcore.quantifiers.simplex_adjustment import solve_on_simplex


@dataclass
class OrderedAdjustedCount(ScoreQuantifier):
    """o-ACC: the adjusted count of ordered classes, with the lowest |count - rates p|^2 + (tau / 2) |T p|^2 on the simplex.

    Row i of T takes twice the share of class i + 1 less those of its neighbours: 0 where shares rise or fall evenly. The
    classes are in the order of their labels. Of two classes it is AC. Source: Bunse et al. 2024.

    Parameters
    ----------
    tau : the weight of an uneven estimate, from 0 (AC) to 1000.
    """

    takes_counts: ClassVar[bool] = True
    tau: float = 0.01

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn rates from out-of-fold scores and labels, as `AdjustedCount.fit`. Raises InvalidInput."""
        tau = check_fraction("tau", self.tau, high=1000.0)
        self.count_ = AdjustedCount().fit(scores, labels)
        self.n_classes_ = self.count_.n_classes_
        if self.n_classes_ is not None and self.n_classes_ > 2:
            self.penalties_ = np.sqrt(tau / 2.0) * second_differences(self.n_classes_)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Adjusted count, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        if self.n_classes_ is None or self.n_classes_ < 3:
            return self.count_.predict(scores)
        return blockwise(scores, lambda batch: self._adjusted(batch.predicted_share), self.n_classes_)

    def _adjusted(self, count: FloatArray) -> FloatArray:
        return solve_on_simplex(self.count_.rates_, count, self.penalties_)


def second_differences(n_classes: int) -> FloatArray:
    """T, (n_classes - 2, n_classes): each row -1, 2, -1 at three neighbouring classes.

    Examples
    --------
    >>> second_differences(4).astype(int).tolist()
    [[-1, 2, -1, 0], [0, -1, 2, -1]]
    """
    return -np.diff(np.eye(n_classes), n=2, axis=0)
