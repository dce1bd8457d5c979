"""Are scores probabilities? Reliability, the Brier score and its parts, log loss, and what calibration changes (S)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import isotonic_regression
from sklearn.model_selection import StratifiedKFold

from qcore.quantifiers.base import training_data
from qcore.registry import registry
from qcore.scores import Scores
from qcore.validation import FloatArray, IntArray, check_choice, check_integer, check_scores

_FOLDS = 10


@dataclass(frozen=True)
class Calibration:
    """A way to turn scores into probabilities."""

    key: str
    idea: str
    source: str


CALIBRATIONS: Final = registry(
    Calibration("none", "the scores as the classifier gives them", "the classifier"),
    Calibration("sigmoid", "a logistic curve through the log odds of the scores: two parameters", "Platt 1999"),
    Calibration("isotonic", "the rising curve nearest to the labels", "Zadrozny and Elkan 2002"),
    Calibration("temperature", "the log odds of the scores divided by one number", "Guo et al. 2017"),
)


class _GivenScores(ClassifierMixin, BaseEstimator):
    """Scores in a classifier's clothes, so that scikit-learn calibrates them."""

    def __init__(self) -> None:
        self.classes_ = np.array([0, 1])

    def fit(self, features: FloatArray, labels: IntArray) -> Self:  # noqa: ARG002
        """Nothing to learn."""
        return self

    def predict(self, features: FloatArray) -> IntArray:
        """1 where the log odds are at least 0."""
        return (features[:, 0] >= 0.0).astype(int)

    def decision_function(self, features: FloatArray) -> FloatArray:
        """The one feature is the log odds."""
        return features[:, 0]

    def __sklearn_is_fitted__(self) -> bool:
        return True


def _calibrated(method: str, scores: FloatArray, labels: IntArray, others: FloatArray) -> FloatArray:
    # A score of 0 or 1 has no log odds. It is taken for half an instance, or where others lie nearer to 0 or 1 for those.
    low = min(0.5 / len(scores), float(scores[scores > 0.0].min(initial=0.5)))
    high = min(0.5 / len(scores), float((1.0 - scores)[scores < 1.0].min(initial=0.5)))

    def log_odds(part: FloatArray) -> FloatArray:
        return logit(np.clip(part, low, 1.0 - high))[:, np.newaxis]

    # One "fold" of everything: the scores are given, so there is nothing to cross-validate.
    everything = [(np.arange(len(scores)), np.arange(len(scores)))]
    model = CalibratedClassifierCV(FrozenEstimator(_GivenScores()), method=method, cv=everything, ensemble=False)
    model.fit(log_odds(scores), labels)
    return np.clip(model.predict_proba(log_odds(others))[:, 1], 0.0, 1.0)


def calibrate(scores: Scores, method: str) -> Scores:
    """Scores calibrated by a key of CALIBRATIONS. Raises InvalidInput for an unknown one.

    The pool's by a calibrator fitted on all out-of-fold training scores; the training part's by calibrators fitted on the
    other folds of it (up to 10, by class, in order), so that tpr, fpr and class means stay honest.
    """
    check_choice("calibration", method, CALIBRATIONS)
    if method == "none":
        return scores
    training, labels = scores.training_scores, scores.training_labels
    fewest = int(np.bincount(labels, minlength=2).min())
    outside = np.empty(len(training))
    for inside, held_out in StratifiedKFold(min(_FOLDS, fewest)).split(training, labels):
        outside[held_out] = _calibrated(method, training[inside], labels[inside], training[held_out])
    return replace(scores, training_scores=outside, pool_scores=_calibrated(method, training, labels, scores.pool_scores))


def reliability(scores: ArrayLike, labels: ArrayLike, n_bins: int = 10) -> pd.DataFrame:
    """Mean score and share of positives in each of `n_bins` equal bins of [0, 1] that holds instances (S).

    Returns a table: lower, upper, score (mean), share (of positives), n. A score on an edge belongs to the bin above, 1 to the
    last. Raises InvalidInput.
    """
    check_integer("n_bins", n_bins, low=1, high=1000, way_out="Choose for example 10.")
    checked, truth = training_data(scores, labels)
    edges = np.arange(n_bins + 1) / n_bins
    place = np.searchsorted(edges[1:-1], checked, side="right")
    n = np.bincount(place, minlength=n_bins)
    held = n > 0
    means, shares = (np.bincount(place, weights, n_bins)[held] / n[held] for weights in (checked, truth))
    bounds = {"lower": edges[:-1][held], "upper": edges[1:][held]}
    return pd.DataFrame({**bounds, "score": means, "share": shares, "n": n[held]})


def recalibrated(scores: ArrayLike, labels: ArrayLike) -> FloatArray:
    """The best probabilities, (n,), that rise with the scores: isotonic regression on these very labels (PAV; S)."""
    checked, truth = training_data(scores, labels)
    # By distinct score: the estimator of the same name takes scores that differ in the last digits for one.
    distinct, place, n = np.unique(checked, return_inverse=True, return_counts=True)
    shares = np.bincount(place, truth, len(distinct)) / n
    return isotonic_regression(shares, sample_weight=n)[place]


@dataclass(frozen=True)
class BrierSplit:
    """Brier score = calibration + refinement (S); all at least 0, less is better."""

    score: float
    calibration: float
    refinement: float


def brier_split(scores: ArrayLike, labels: ArrayLike) -> BrierSplit:
    """The mean of (label - score)^2, split.

    Refinement is what is left when the scores are replaced by the best probabilities in the same order (PAV, the convex hull
    of the ROC curve); calibration is what that gains. Neither depends on bins, and they sum to the score exactly (Dimitriadis
    et al. 2021). The slides sum over both classes, which doubles all three. Raises InvalidInput.
    """
    checked, truth = training_data(scores, labels)
    score = float(np.mean((truth - checked) ** 2))
    refinement = float(np.mean((truth - recalibrated(checked, truth)) ** 2))
    return BrierSplit(score, score - refinement, refinement)


def log_loss(scores: ArrayLike, labels: ArrayLike) -> float:
    """Mean of -log2 of the probability given to what is true, in bits (S); infinite where that was 0. Raises InvalidInput."""
    checked, truth = training_data(scores, labels)
    with np.errstate(divide="ignore"):
        return float(-np.mean(np.log2(np.where(truth == 1, checked, 1.0 - checked))))


def calibration_table(parts: dict[str, tuple[FloatArray, IntArray]]) -> pd.DataFrame:
    """One row for each name -> (scores, labels): name, brier, calibration, refinement, log_loss."""
    rows = []
    for name, (scores, labels) in parts.items():
        split = brier_split(check_scores("scores", scores), labels)
        rows.append((name, split.score, split.calibration, split.refinement, log_loss(scores, labels)))
    return pd.DataFrame(rows, columns=["calibration_method", "brier", "calibration", "refinement", "log_loss"])
