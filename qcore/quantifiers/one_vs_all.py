"""A quantifier of one class against the rest, used for all classes: each against the rest, then divided by the sum."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_class_scores, check_labelled_scores
from qcore.quantifiers.base import Quantifier, QuantifierEntry, ScoreQuantifier
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.blockwise import blockwise
from qcore.quantifiers.checked_estimates import check_estimates, is_of_qcore, only_to_read
from qcore.quantifiers.class_batch import ClassBatch


@dataclass
class OneVsAll(ScoreQuantifier):
    """One quantifier for each class, of that class against the rest; their estimates are divided by their sum.

    Parameters
    ----------
    make : returns a fresh quantifier of one class against the rest.

    If every class is estimated at 0, the training prevalences are returned: the papers leave it open.
    Source: Marufo 2023, 2.
    """

    make: Callable[[], Quantifier]

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Fit one quantifier for each class on its column of the scores."""
        checked, truth = check_labelled_scores(check_class_scores("scores", scores), labels)
        self.prevalences_ = np.bincount(truth) / len(truth)
        self.quantifiers_ = [fitted(self.make(), checked[:, c], (truth == c).astype(np.intp)) for c in range(checked.shape[1])]
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Estimates that sum to 1, (..., sample_size, n_classes) -> (..., n_classes)."""
        return blockwise(scores, self._answer, len(self.quantifiers_))

    def _answer(self, batch: ClassBatch) -> FloatArray:
        of_classes = [batch.of_class(label) for label in range(len(self.quantifiers_))]
        single = [_answer_of(quantifier, one) for quantifier, one in zip(self.quantifiers_, of_classes, strict=True)]
        estimates = np.stack(single, axis=1)
        total = estimates.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, estimates / np.where(total > 0.0, total, 1.0), self.prevalences_)


def fitted(quantifier: Any, scores: ArrayLike, labels: ArrayLike) -> Any:
    """What `fit` returns; where that is None, as a user-defined quantifier's `fit` may return, the quantifier itself.

    A user-defined quantifier gets copies of the arrays, since it may write into them.
    """
    if is_of_qcore(quantifier):
        return quantifier.fit(scores, labels)
    result = quantifier.fit(np.array(scores), np.array(labels))
    return quantifier if result is None else result


def _answer_of(quantifier: Quantifier, batch: Batch) -> FloatArray:
    """The estimates of a batch. Raises InvalidInput if a user-defined quantifier returns values that are not shares."""
    if is_of_qcore(quantifier):
        return quantifier.predict(batch)
    return check_estimates(type(quantifier).__name__, quantifier.predict(only_to_read(batch.scores)), (len(batch),))


def make_for_all_classes(entry: QuantifierEntry) -> Quantifier:
    """A fresh quantifier of all classes: the entry's own, or one of each class against the rest."""
    return entry.make() if entry.takes_all_classes else OneVsAll(entry.make)
