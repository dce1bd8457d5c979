"""Any binary quantifier for any number of classes: each class against all others, then divided by the sum."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray
from qcore.quantifiers.base import Quantifier
from qcore.quantifiers.multiclass.base import ClassBatch, class_training_data, classwise


@dataclass
class OneVsAll:
    """One binary quantifier for each class, their estimates divided by their sum.

    Parameters
    ----------
    make : returns a fresh binary quantifier.

    If every class is estimated at 0, the training prevalences are returned: the papers leave it open.
    Source: Marufo 2023, 2.
    """

    make: Callable[[], Quantifier]

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Fit one quantifier for each class on its column of the scores."""
        checked, truth = class_training_data(scores, labels)
        self.prevalences_ = np.bincount(truth) / len(truth)
        self.quantifiers_ = [self.make().fit(checked[:, c], (truth == c).astype(np.intp)) for c in range(checked.shape[1])]
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Estimates that sum to 1, (..., sample_size, n_classes) -> (..., n_classes)."""
        return classwise(scores, len(self.quantifiers_), self._answer)

    def _answer(self, batch: ClassBatch) -> FloatArray:
        single = [quantifier.predict(batch.of_class(label)) for label, quantifier in enumerate(self.quantifiers_)]
        estimates = np.stack(single, axis=1)
        total = estimates.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, estimates / np.where(total > 0.0, total, 1.0), self.prevalences_)
