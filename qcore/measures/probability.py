"""Are scores probabilities? Reliability, the Brier score and its two parts, log loss, and a check fit for few labels."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.isotonic import isotonic_regression

from qcore._base.validation import (
    FloatArray,
    IntArray,
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


_BINS = 10
_SIMULATIONS = 200
_MOST_TOLERATED = 0.03
_TOLERATED_SHARE = 0.1
"""An error above the usual one by less than 0.03 and less than a tenth of the rarer class hardly matters for a prevalence."""


@dataclass(frozen=True)
class CalibrationCheck:
    """The calibration error of scores, beside what calibrated scores would show on as many labels.

    Attributes
    ----------
    error : mean absolute difference between score and share of positives over ten bins, weighted by instances, in [0, 1].
    usual, limit : median and 99th percentile of the error of calibrated scores.
    tolerated : by how much the error may exceed `usual`: a tenth of the rarer class's share, at most 0.03.
    """

    error: float
    usual: float
    limit: float
    tolerated: float

    @property
    def rejects(self) -> bool:
        """Whether the scores are not calibrated: by more than chance explains, and by more than is tolerated."""
        return self.error > max(self.limit, self.usual + self.tolerated)


def calibration_check(scores: ArrayLike, labels: ArrayLike, rng: np.random.Generator) -> CalibrationCheck:
    """Test whether scores are calibrated, by redrawing the labels with the scores as probabilities.

    Parameters
    ----------
    scores, labels : (n,) each, scores in [0, 1] and labels 0 and 1, both present.

    Raises InvalidInput. Source: Bröcker and Smith 2007 (consistency resampling).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.random(2000)
    >>> labels = rng.random(2000) < scores
    >>> calibration_check(scores, labels, rng).rejects, calibration_check(scores**3, labels, rng).rejects
    (False, True)
    """
    checked, truth = check_training_data(scores, labels)
    bins = np.minimum((checked * _BINS).astype(np.intp), _BINS - 1)
    redrawn = [_error(checked, (rng.random(len(checked)) < checked).astype(np.intp), bins) for _ in range(_SIMULATIONS)]
    usual, limit = np.quantile(redrawn, [0.5, 0.99])
    rarer = min(truth.mean(), 1.0 - truth.mean())
    tolerated = min(_MOST_TOLERATED, _TOLERATED_SHARE * float(rarer))
    return CalibrationCheck(_error(checked, truth, bins), float(usual), float(limit), tolerated)


def _error(scores: FloatArray, labels: IntArray, bins: IntArray) -> float:
    return float(np.abs(np.bincount(bins, labels - scores, _BINS)).sum() / len(scores))
