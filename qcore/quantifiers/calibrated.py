"""A quantifier that takes scores for posteriors, on the scores of a classifier that gives no probabilities."""

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_labelled_scores
from qcore.quantifiers.base import Quantifier, ScoreQuantifier
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.blockwise import blockwise
from qcore.quantifiers.checked_estimates import is_of_qcore, only_to_read
from qcore.quantifiers.class_batch import ClassBatch
from qcore.quantifiers.one_vs_all import fitted
from qcore.scoring.sigmoid import ClassSigmoids, Sigmoid


@dataclass
class Calibrated(ScoreQuantifier):
    """A quantifier on posteriors that Platt's sigmoid makes of scores, learnt from the training scores.

    Parameters
    ----------
    quantifier : what estimates from posteriors, such as EMQ().

    Scores of one class against the rest, or of all classes if the quantifier takes them: then each class has a sigmoid of its
    own against the rest, and the posteriors are divided by their sum. Source: Platt 1999; Zadrozny and Elkan 2002.
    """

    quantifier: Quantifier

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the sigmoid from held-out scores, and the quantifier from the posteriors that it makes of them."""
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = None if checked.ndim == 1 else checked.shape[1]
        self.sigmoid_: Any = ClassSigmoids.fit(checked, truth) if self.n_classes_ else Sigmoid.fit(checked, truth)
        self.quantifier_ = fitted(self.quantifier, self.sigmoid_(checked), truth)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Estimates, (..., sample_size) -> (...); of all classes both have n_classes as a last axis."""
        return blockwise(scores, self._answer, self.n_classes_)

    def _answer(self, batch: Any) -> FloatArray:
        posteriors = batch.mapped(self.sigmoid_)
        return self.quantifier_.predict(posteriors if is_of_qcore(self.quantifier_) else only_to_read(posteriors.scores))
