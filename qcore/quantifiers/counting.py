"""Quantifiers that correct nothing: baseline (BL), classify and count (CC), probabilistic classify and count (PCC)."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_training_data
from qcore.quantifiers.batch import Batch, blockwise

THRESHOLD = 0.5


def positive_share(scores: FloatArray, threshold: float = THRESHOLD) -> FloatArray:
    """Share of each sample with score >= threshold: (..., sample_size) -> (...)."""
    return np.count_nonzero(scores >= threshold, axis=-1) / scores.shape[-1]


@dataclass
class Baseline:
    """BL: the training prevalence, whatever the sample. Source: Barranquero 2013, 5.2.3."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the training prevalence."""
        _, checked = check_training_data(scores, labels)
        self.prevalence_ = float(checked.mean())
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """The training prevalence for every sample, (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: np.full(len(batch), self.prevalence_))


@dataclass
class ClassifyAndCount:
    """CC: the share of the sample with score >= 0.5. Source: Forman 2008; Barranquero 2013, 3.1."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn nothing; the arguments are checked."""
        check_training_data(scores, labels)
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Share predicted positive, (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: positive_share(batch.scores))


@dataclass
class ProbabilisticClassifyAndCount:
    """PCC, or PA: the mean score of the sample. Source: Bella et al. 2010; Barranquero 2013, eq. 3.3."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn nothing; the arguments are checked."""
        check_training_data(scores, labels)
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Mean score, (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: batch.mean)
