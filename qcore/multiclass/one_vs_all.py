"""Any binary quantifier for any number of classes: each class against all others, then made to sum to 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore.multiclass.base import ClassBatch, class_training_data, classwise
from qcore.quantifiers import Quantifier
from qcore.validation import FloatArray


@dataclass
class OneVsAll:
    """One binary quantifier for each class, their estimates divided by their sum (spec section 3).

    Parameters
    ----------
    make : returns a fresh binary quantifier.

    Where every class is estimated at 0, the answer is the training prevalences: the papers leave it open.
    """

    make: Callable[[], Quantifier]

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Fit one quantifier for each class on its column of the scores."""
        checked, truth = class_training_data(scores, labels)
        self.prevalences_ = np.bincount(truth) / len(truth)
        self.quantifiers_ = [self.make().fit(checked[:, c], (truth == c).astype(int)) for c in range(checked.shape[1])]
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Estimates that sum to 1, (..., sample_size, n_classes) -> (..., n_classes)."""
        return classwise(scores, len(self.quantifiers_), self._answer)

    def _answer(self, batch: ClassBatch) -> FloatArray:
        single = [quantifier.predict(batch.of_class(label)) for label, quantifier in enumerate(self.quantifiers_)]
        estimates = np.stack(single, axis=1)
        total = estimates.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, estimates / np.where(total > 0.0, total, 1.0), self.prevalences_)
