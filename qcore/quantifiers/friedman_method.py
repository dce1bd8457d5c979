"""Friedman's method: the adjusted count at the training prevalence as threshold."""

from dataclasses import dataclass
from typing import ClassVar, Self

from numpy.typing import ArrayLike

from qcore._base.validation import check_training_data
from qcore.quantifiers.batch import positive_share
from qcore.quantifiers.threshold_selection import AdjustedAtThreshold


@dataclass
class FriedmanMethod(AdjustedAtThreshold):
    """FM: counts the scores that are at least the training prevalence, and corrects the count with tpr and fpr there.

    With calibrated scores, these instances are at least as likely positive as an average training instance. Where tpr = fpr,
    the count stays as it is. A threshold policy (see base.py): the count is always corrected.

    Source: Friedman 2014.
    """

    corrects_: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the threshold, and tpr and fpr there, from out-of-fold scores and labels, (n_training,) each."""
        checked, truth = check_training_data(scores, labels)
        self.threshold_ = float(truth.mean())
        self.tpr_, self.fpr_ = (float(positive_share(checked[truth == label], self.threshold_)) for label in (1, 0))
        return self
