"""Corrections of a count or a mean by how the classifier treats each class: AC and PACC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore.quantifiers.base import training_data
from qcore.quantifiers.batch import Batch, blockwise
from qcore.quantifiers.counting import positive_share
from qcore.rounding import TIE
from qcore.validation import FloatArray


def adjust(count: FloatArray, tpr: float | FloatArray, fpr: float | FloatArray) -> FloatArray:
    """clip((count - fpr) / (tpr - fpr), 0, 1) (B eq. 3.1), broadcast; the count unchanged where tpr = fpr, within TIE."""
    gap = np.asarray(tpr - fpr)
    flat = np.abs(gap) <= TIE
    adjusted = np.asarray((count - fpr) / np.where(flat, 1.0, gap))
    if flat.any():
        adjusted = np.where(flat, count, adjusted)
    return np.clip(adjusted, 0.0, 1.0, out=adjusted)


@dataclass
class AdjustedCount:
    """AC, or ACC: the count corrected by the tpr and fpr at threshold 0.5 (Forman 2008; B eq. 3.1)."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn tpr and fpr from out-of-fold scores and labels, (n_training,) each."""
        checked, truth = training_data(scores, labels)
        self.tpr_ = float(positive_share(checked[truth == 1]))
        self.fpr_ = float(positive_share(checked[truth == 0]))
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Adjusted count, (..., sample_size) -> (...); the plain count where tpr = fpr."""
        return blockwise(scores, lambda batch: adjust(positive_share(batch.scores), self.tpr_, self.fpr_))


@dataclass
class ProbabilisticAdjustedCount:
    """PACC, or SPA: the mean score corrected by the mean scores of each class (Bella et al. 2010; B eq. 3.4-3.6)."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn each class's mean out-of-fold score, from (n_training,) each."""
        checked, truth = training_data(scores, labels)
        self.positive_mean_ = float(checked[truth == 1].mean())
        self.negative_mean_ = float(checked[truth == 0].mean())
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Adjusted mean score, (..., sample_size) -> (...); the plain mean where the classes' means are equal."""
        return blockwise(scores, lambda batch: adjust(batch.mean, self.positive_mean_, self.negative_mean_))
