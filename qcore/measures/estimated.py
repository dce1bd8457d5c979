"""Accuracy, F1 and AUC of a sample without labels: what is expected of them if posteriors are right."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import BoolArray, FloatArray, InvalidInput, check_fraction, check_scores

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
