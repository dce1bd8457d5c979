"""Where on its ROC curve a classifier operates: the curve, its hull, its area, and the points that policies choose (S)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.metrics import roc_auc_score

from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.base import training_data
from qcore.quantifiers.counting import THRESHOLD
from qcore.quantifiers.rate_curve import RateCurve, candidates, rate_curve
from qcore.quantifiers.thresholds import MedianSweep, ThresholdPolicy
from qcore.rounding import TIE
from qcore.validation import FloatArray, InvalidInput, check_class_labels, check_class_scores

POLICIES: Final = ("AC", *(key for key, entry in QUANTIFIERS.items() if isinstance(entry.make(), ThresholdPolicy)))
"""Keys of the quantifiers that count at one threshold and adjust: at 0.5 (AC), or where they choose."""


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold with the tpr and fpr of the training scores there."""

    threshold: float
    tpr: float
    fpr: float


def policy_points(scores: ArrayLike, labels: ArrayLike) -> dict[str, OperatingPoint]:
    """The operating point of each of POLICIES on out-of-fold scores and labels, (n,) each. Raises InvalidInput.

    Without a candidate (no threshold has tpr > fpr) only AC has one: the others count at 0.5 without correcting.
    """
    checked, truth = training_data(scores, labels)
    none = not len(candidates(rate_curve(checked, truth)).thresholds)
    thresholds = {}
    for key in POLICIES:
        fitted = QUANTIFIERS[key].make()
        if not isinstance(fitted, ThresholdPolicy):
            thresholds[key] = THRESHOLD
        elif not none:
            thresholds[key] = fitted.fit(checked, truth).threshold_
    rates = rate_curve(checked, truth, np.array([*thresholds.values()]))
    points = (OperatingPoint(*map(float, point)) for point in zip(rates.thresholds, rates.tpr, rates.fpr, strict=True))
    return dict(zip(thresholds, points, strict=True))


def sweep_bands(scores: ArrayLike, labels: ArrayLike) -> list[tuple[float, float]]:
    """The stretches (low, high] of thresholds that Median Sweep uses: those with tpr - fpr >= 1/4, or Max's alone.

    A threshold counts as the training score that is the next above it, up to which tpr and fpr stay as they are. Without a
    candidate (no threshold has tpr > fpr) there is none: it counts at 0.5 without correcting.
    """
    checked, truth = training_data(scores, labels)
    if not len(candidates(rate_curve(checked, truth)).thresholds):
        return []
    every = np.unique(checked)
    places = np.searchsorted(every, MedianSweep().fit(checked, truth).curve_.thresholds)
    runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    # At the lowest score of all both rates are 1, so that each run has a score before it.
    return [(float(every[run[0] - 1]), float(every[run[-1]])) for run in runs]


def roc_curve(scores: ArrayLike, labels: ArrayLike) -> RateCurve:
    """The rates at every distinct score, from (1, 1) on, and above all scores, (0, 0): thresholds increase to infinity.

    One point for each distinct score: instances with the same score are all predicted positive, or none. Raises InvalidInput.
    """
    checked, truth = training_data(scores, labels)
    return rate_curve(checked, truth, np.append(np.unique(checked), np.inf))


def convex_hull(curve: RateCurve) -> RateCurve:
    """The points of a ROC curve, or of several classifiers, that are best for some class ratio and costs (S).

    Always with (0, 0), all negative, and (1, 1), all positive, whose thresholds are infinity and 0.
    """
    thresholds = np.concatenate([[np.inf, 0.0], curve.thresholds])
    tpr, fpr = np.concatenate([[0.0, 1.0], curve.tpr]), np.concatenate([[0.0, 1.0], curve.fpr])
    kept: list[int] = []
    for place in np.lexsort((-tpr, fpr)).tolist():
        if kept and tpr[place] <= tpr[kept[-1]]:
            continue
        while len(kept) >= 2 and _turns_left(fpr[[*kept[-2:], place]], tpr[[*kept[-2:], place]]):
            kept.pop()
        kept.append(place)
    nothing, everything = [0] if tpr[kept[0]] > 0.0 else [], [1] if fpr[kept[-1]] < 1.0 else []
    kept = [*everything, *kept[::-1], *nothing]
    return RateCurve(thresholds[kept], tpr[kept], fpr[kept])


def _turns_left(x: FloatArray, y: FloatArray) -> bool:
    """Whether the middle of three points lies on or below the line between the others."""
    return bool((x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]) >= -TIE)


def auc(scores: ArrayLike, labels: ArrayLike) -> float:
    """Probability that a positive scores above a negative, ties half: the area under the ROC curve (S). Raises InvalidInput."""
    checked, truth = training_data(scores, labels)
    return float(roc_auc_score(truth, checked))


def pairwise_auc(scores: ArrayLike, labels: ArrayLike) -> FloatArray:
    """A(i, j) of each pair of classes, (n_classes, n_classes), symmetric, NaN on the diagonal (Hand and Till 2001; S).

    A(i, j) is the mean of the AUC of class i's scores and that of class j's, among the instances of both.
    `scores`: (n, n_classes), `labels`: (n,) numbers of classes, each present. Raises InvalidInput.
    """
    checked, truth = check_class_scores("scores", scores), check_class_labels("labels", labels)
    n_classes = int(truth.max()) + 1
    if checked.shape != (len(truth), n_classes):
        rule, way_out = f"have shape ({len(truth)}, {n_classes})", "Give a row for each label, a column for each class."
        raise InvalidInput("scores", rule, f"shape {checked.shape}", way_out)
    found = np.full((n_classes, n_classes), np.nan)
    for i, j in combinations(range(n_classes), 2):
        both = (truth == i) | (truth == j)
        ways = [roc_auc_score(truth[both] == one, checked[both, one]) for one in (i, j)]
        found[i, j] = found[j, i] = sum(ways) / 2.0
    return found


def hand_till_auc(scores: ArrayLike, labels: ArrayLike) -> float:
    """AUC of more classes: the mean of `pairwise_auc` over all pairs (Hand and Till 2001; S). Raises as that does."""
    return float(np.nanmean(pairwise_auc(scores, labels)))


def hull_area(hull: RateCurve) -> float:
    """Area under a ROC curve's convex hull: what the best mixture of its thresholds would reach."""
    return float(-np.trapezoid(hull.tpr, hull.fpr))


def point_table(points: dict[str, OperatingPoint]) -> pd.DataFrame:
    """One row for each policy: method, threshold, tpr, fpr and gap = tpr - fpr."""
    rows = [(key, point.threshold, point.tpr, point.fpr, point.tpr - point.fpr) for key, point in points.items()]
    return pd.DataFrame(rows, columns=["method", "threshold", "tpr", "fpr", "gap"])
