"""Are scores probabilities? Reliability, the Brier score and its two parts, and log loss (slides on model evaluation)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.isotonic import isotonic_regression

from qcore._base.validation import (
    FloatArray,
    IntArray,
    InvalidInput,
    check_distributions,
    check_integer,
    check_scores,
    check_training_data,
)


def reliability(scores: ArrayLike, labels: ArrayLike, n_bins: int = 10) -> pd.DataFrame:
    """Mean score and share of positives in each of `n_bins` equal bins of [0, 1] that holds instances.

    Returns a table: lower, upper, score (mean), share (of positives), n. A score on an edge belongs to the bin above, 1 to the
    last. Raises InvalidInput. Source: slides on model evaluation.
    """
    check_integer("n_bins", n_bins, low=1, high=1000, hint="Choose for example 10.")
    checked, truth = check_training_data(scores, labels)
    edges = np.arange(n_bins + 1) / n_bins
    bins = np.searchsorted(edges[1:-1], checked, side="right")
    n = np.bincount(bins, minlength=n_bins)
    filled = n > 0
    means, shares = (np.bincount(bins, weights, n_bins)[filled] / n[filled] for weights in (checked, truth))
    bounds = {"lower": edges[:-1][filled], "upper": edges[1:][filled]}
    return pd.DataFrame({**bounds, "score": means, "share": shares, "n": n[filled]})


def isotonic_probabilities(scores: ArrayLike, labels: ArrayLike) -> FloatArray:
    """The best probabilities, (n,), that rise with the scores: isotonic regression on the same labels (PAV).

    Source: slides on model evaluation.
    """
    checked, truth = check_training_data(scores, labels)
    # By distinct score: scikit-learn's estimator of the same name merges scores that differ only in the last digits.
    distinct, inverse, n = np.unique(checked, return_inverse=True, return_counts=True)
    shares = np.bincount(inverse, truth, len(distinct)) / n
    return isotonic_regression(shares, sample_weight=n)[inverse]


@dataclass(frozen=True)
class BrierSplit:
    """Brier score = calibration + refinement; all at least 0, less is better. Source: slides on model evaluation."""

    score: float
    calibration: float
    refinement: float


def brier_split(scores: ArrayLike, labels: ArrayLike) -> BrierSplit:
    """The mean of (label - score)^2, split into calibration and refinement.

    Refinement is what is left when the scores are replaced by the best probabilities in the same order (PAV, the convex hull
    of the ROC curve); calibration is the difference. Neither depends on bins, and they sum to the score exactly. The slides
    sum over both classes, which doubles all three. Raises InvalidInput.

    Source: slides on model evaluation; Dimitriadis et al. 2021.
    """
    checked, truth = check_training_data(scores, labels)
    score = float(np.mean((truth - checked) ** 2))
    refinement = float(np.mean((truth - isotonic_probabilities(checked, truth)) ** 2))
    return BrierSplit(score, score - refinement, refinement)


def brier_score(class_scores: ArrayLike, labels: ArrayLike) -> float:
    """Mean over the instances of the sum over the classes of (indicator of the true class - score)^2: from 0, best, to 2.

    Parameters
    ----------
    class_scores : (n, n_classes), summing to 1.
    labels : (n,) from 0 to n_classes - 1.

    With two classes it is twice the score of `brier_split`. Raises InvalidInput.

    Examples
    --------
    >>> round(brier_score([[0.6, 0.3, 0.1], [0.0, 0.0, 1.0]], [0, 2]), 3)
    0.13

    Source: slides on model evaluation.
    """
    scores = check_distributions("class_scores", class_scores)
    truth = np.asarray(labels)
    n_classes = scores.shape[-1]
    if truth.shape != scores.shape[:1] or not np.isin(truth, np.arange(n_classes)).all():
        raise InvalidInput(
            "labels",
            f"be {len(scores)} whole numbers from 0 to {n_classes - 1}, one for each row of class_scores",
            f"{truth.shape} with {np.unique(truth)[:5].tolist()}",
            "Number the classes in the order of the columns.",
        )
    return float(((np.eye(n_classes)[truth.astype(np.intp)] - scores) ** 2).sum(axis=1).mean())


def log_loss(scores: ArrayLike, labels: ArrayLike) -> float:
    """Mean of -log2 of the probability given to the true class, in bits; infinite where that was 0. Raises InvalidInput.

    Source: slides on model evaluation.
    """
    checked, truth = check_training_data(scores, labels)
    with np.errstate(divide="ignore"):
        return float(-np.mean(np.log2(np.where(truth == 1, checked, 1.0 - checked))))


def probability_table(parts: dict[str, tuple[FloatArray, IntArray]]) -> pd.DataFrame:
    """One row for each name -> (scores, labels): calibration_method, brier, calibration, refinement, log_loss."""
    rows = []
    for name, (scores, labels) in parts.items():
        split = brier_split(check_scores("scores", scores), labels)
        rows.append((name, split.score, split.calibration, split.refinement, log_loss(scores, labels)))
    return pd.DataFrame(rows, columns=["calibration_method", "brier", "calibration", "refinement", "log_loss"])
