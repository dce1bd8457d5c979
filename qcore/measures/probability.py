"""Are scores probabilities? Reliability, Brier score, log loss, a check for few labels; what posteriors say of classifiers."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.isotonic import isotonic_regression

from qcore._base.validation import (
    BoolArray,
    FloatArray,
    IntArray,
    InvalidInput,
    check_fraction,
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


CLASSIFIER_MEASURES = ("accuracy", "F1", "AUC")
"""The names, in tables, of what `EstimatedMeasures` holds besides the prevalence."""


class EstimatedMeasures(NamedTuple):
    """Prevalence, accuracy, F1 and AUC; a number for one sample, (...,) for several. AUC is NaN for a single class."""

    prevalence: FloatArray
    accuracy: FloatArray
    f1: FloatArray
    auc: FloatArray


def estimated_measures(posteriors: ArrayLike, scores: ArrayLike | None = None, *, threshold: float = 0.5) -> EstimatedMeasures:
    """Prevalence, and a classifier's accuracy, F1 and AUC, expected under posteriors on samples without labels.

    Parameters
    ----------
    posteriors : (..., m), the probability of each instance of a sample to be positive.
    scores : (..., m), the classifier's scores, by which it ranks and predicts; None for the posteriors themselves.
    threshold : instances with this score or more are predicted to be positive.

    Raises
    ------
    InvalidInput
        Values outside [0, 1], no instance, or shapes that differ.

    Notes
    -----
    With q the posteriors: prevalence is mean(q), accuracy the mean of q where positive is predicted and of 1 - q elsewhere,
    F1 = 2 sum(q where positive is predicted) / (number predicted positive + sum(q)), 0 where that is 0/0. AUC is the expected
    share of pairs of two instances, a positive and a negative, that the scores put in order, ties half: an instance is no
    pair with itself. (NannyML counts these, too, which draws the AUC of small samples to one half.)

    Examples
    --------
    >>> q = [0.9, 0.8, 0.6, 0.4, 0.3, 0.1]
    >>> [round(float(value), 4) for value in estimated_measures(q)]
    [0.5167, 0.75, 0.7541, 0.858]

    Source: NannyML (confidence-based performance estimation); Moreo 2025.
    """
    check_fraction("threshold", threshold)
    q = check_scores("posteriors", posteriors)
    ranks = q if scores is None else check_scores("scores", scores)
    if ranks.shape != q.shape:
        got = f"{ranks.shape} beside {q.shape}"
        raise InvalidInput("scores", "have the shape of the posteriors", got, "Give a score for each posterior.")
    found = ranks >= threshold
    return EstimatedMeasures(q.mean(axis=-1), np.where(found, q, 1.0 - q).mean(axis=-1), _f1(q, found), _auc(q, ranks))


def _f1(q: FloatArray, found: BoolArray) -> FloatArray:
    both = found.sum(axis=-1) + q.sum(axis=-1)
    return np.divide(2.0 * np.where(found, q, 0.0).sum(axis=-1), both, out=np.zeros_like(both), where=both > 0.0)


def _auc(q: FloatArray, scores: FloatArray) -> FloatArray:
    order = np.argsort(scores, axis=-1, kind="stable")
    ranked, positive = np.take_along_axis(scores, order, axis=-1), np.take_along_axis(q, order, axis=-1)
    negative = 1.0 - positive
    up_to = np.cumsum(negative, axis=-1)
    first, last = _ends_of_ties(ranked)
    through = np.take_along_axis(up_to, last, axis=-1)
    below = np.take_along_axis(up_to - negative, first, axis=-1)
    # An instance ties with itself in the sums; those pairs are taken out of both.
    own = (positive * negative).sum(axis=-1)
    ordered = (positive * (below + through) / 2.0).sum(axis=-1) - own / 2.0
    pairs = positive.sum(axis=-1) * negative.sum(axis=-1) - own
    return np.divide(ordered, pairs, out=np.full_like(pairs, np.nan), where=pairs > 1e-12)


def _ends_of_ties(ranked: FloatArray) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the first and the last of the scores that equal each, in rows that are sorted."""
    places = np.broadcast_to(np.arange(ranked.shape[-1]), ranked.shape)
    edge = np.ones((*ranked.shape[:-1], 1), dtype=bool)
    steps = np.diff(ranked, axis=-1) > 0.0
    starts, ends = np.concatenate([edge, steps], axis=-1), np.concatenate([steps, edge], axis=-1)
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, places, places[..., -1:])[..., ::-1], axis=-1)[..., ::-1]
    return first, last
