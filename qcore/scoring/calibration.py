"""Calibration: scores turned into probabilities, by calibrators that learn from training scores (registry CALIBRATIONS)."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold

from qcore._base.registry import Entry, registry
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice
from qcore.scoring.scores import BINARY_ONLY, Scores

_FOLDS = 10


@dataclass(frozen=True)
class Calibration(Entry):
    """A way to turn scores into probabilities."""


CALIBRATIONS = registry(
    Calibration(key="none", idea="the scores as the classifier gives them", source="the classifier"),
    Calibration(key="sigmoid", idea="a logistic curve through the log odds of the scores: two parameters", source="Platt 1999"),
    Calibration(
        key="isotonic", idea="the rising curve of the scores that is nearest to the labels", source="Zadrozny and Elkan 2002"
    ),
    Calibration(key="temperature", idea="the log odds of the scores divided by one number", source="Guo et al. 2017"),
)


class _GivenScores(ClassifierMixin, BaseEstimator):
    """Given scores as a scikit-learn classifier, so that scikit-learn can calibrate them."""

    def __init__(self) -> None:
        self.classes_ = np.array([0, 1])

    def fit(self, features: FloatArray, labels: IntArray) -> Self:  # noqa: ARG002
        """Nothing to learn."""
        return self

    def predict(self, features: FloatArray) -> IntArray:
        """1 where the log odds are at least 0."""
        return (features[:, 0] >= 0.0).astype(np.intp)

    def decision_function(self, features: FloatArray) -> FloatArray:
        """The one feature is the log odds."""
        return features[:, 0]

    def __sklearn_is_fitted__(self) -> bool:
        return True


def _calibrated(method: str, scores: FloatArray, labels: IntArray, others: FloatArray) -> FloatArray:
    # A score of 0 or 1 has no finite log odds: it counts as half an instance, or as the score nearest to it if that is nearer.
    low = min(0.5 / len(scores), float(scores[scores > 0.0].min(initial=0.5)))
    high = min(0.5 / len(scores), float((1.0 - scores)[scores < 1.0].min(initial=0.5)))

    def log_odds(part: FloatArray) -> FloatArray:
        return logit(np.clip(part, low, 1.0 - high))[:, np.newaxis]

    # One fold that holds everything: the scores are given, so there is nothing to cross-validate.
    everything = [(np.arange(len(scores)), np.arange(len(scores)))]
    model = CalibratedClassifierCV(FrozenEstimator(_GivenScores()), method=method, cv=everything, ensemble=False)
    model.fit(log_odds(scores), labels)
    return np.clip(model.predict_proba(log_odds(others))[:, 1], 0.0, 1.0)


def calibrate(scores: Scores, method: str) -> Scores:
    """Scores calibrated by a key of CALIBRATIONS. Raises InvalidInput for an unknown one, and for scores of all classes.

    All quantifiers then take them as they are, with "none" too.

    The pool's scores are calibrated by a calibrator fitted on all out-of-fold training scores; the training scores by
    calibrators fitted on the other folds (up to 10, stratified, in order), so that tpr, fpr and class means stay out of fold.

    Examples
    --------
    >>> labels = np.repeat([0, 1], 50)
    >>> given = np.linspace(0.3, 0.7, 100)
    >>> scores = Scores(given, labels, given, labels)
    >>> calibrate(scores, "isotonic").pool_scores[[0, -1]].tolist()
    [0.0, 1.0]
    """
    check_choice("calibration", method, CALIBRATIONS)
    if scores.classes:
        raise InvalidInput(*BINARY_ONLY)
    if method == "none":
        return scores if scores.posteriors else replace(scores, posteriors=True)
    training, labels = scores.training_scores, scores.training_labels
    smaller_class = int(np.bincount(labels, minlength=2).min())
    out_of_fold = np.empty(len(training))
    for inside, outside in StratifiedKFold(min(_FOLDS, smaller_class)).split(training, labels):
        out_of_fold[outside] = _calibrated(method, training[inside], labels[inside], training[outside])
    pool = _calibrated(method, training, labels, scores.pool_scores)
    return replace(scores, training_scores=out_of_fold, pool_scores=pool, posteriors=True)
