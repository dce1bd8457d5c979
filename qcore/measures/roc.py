"""The ROC curve, its convex hull and its area (slides on model evaluation)."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import roc_auc_score

from qcore._base.validation import TIE, FloatArray, check_training_data
from qcore.measures.rate_curve import RateCurve, rate_curve


def roc_curve(scores: ArrayLike, labels: ArrayLike) -> RateCurve:
    """The rates at every distinct score, starting at (1, 1), and above all scores, (0, 0): thresholds increase to infinity.

    One point for each distinct score: instances with the same score are all predicted positive, or none. `scores` and `labels`
    are (n,). Raises InvalidInput.
    """
    checked, truth = check_training_data(scores, labels)
    return rate_curve(checked, truth, np.append(np.unique(checked), np.inf))


def convex_hull(curve: RateCurve) -> RateCurve:
    """The points of a ROC curve, or of several classifiers, that are best for some class ratio and costs.

    Always with (0, 0), all negative, and (1, 1), all positive, whose thresholds are infinity and 0.
    Source: slides on model evaluation.
    """
    thresholds = np.concatenate([[np.inf, 0.0], curve.thresholds])
    tpr, fpr = np.concatenate([[0.0, 1.0], curve.tpr]), np.concatenate([[0.0, 1.0], curve.fpr])
    kept: list[int] = []
    for point in np.lexsort((-tpr, fpr)).tolist():
        if kept and tpr[point] <= tpr[kept[-1]]:
            continue
        while len(kept) >= 2 and _turns_left(fpr[[*kept[-2:], point]], tpr[[*kept[-2:], point]]):
            kept.pop()
        kept.append(point)
    nothing, everything = [0] if tpr[kept[0]] > 0.0 else [], [1] if fpr[kept[-1]] < 1.0 else []
    kept = [*everything, *kept[::-1], *nothing]
    return RateCurve(thresholds[kept], tpr[kept], fpr[kept])


def _turns_left(x: FloatArray, y: FloatArray) -> bool:
    """Whether the middle of three points lies on or below the line between the others."""
    return bool((x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]) >= -TIE)


def auc(scores: ArrayLike, labels: ArrayLike) -> float:
    """Probability that a positive scores above a negative, ties half: the area under the ROC curve.

    Equals the Wilcoxon-Mann-Whitney statistic. `scores` and `labels` are (n,). Raises InvalidInput.

    Examples
    --------
    >>> auc([0.9, 0.4, 0.4, 0.1], [1, 1, 0, 0])
    0.875

    Source: slides on model evaluation.
    """
    checked, truth = check_training_data(scores, labels)
    return float(roc_auc_score(truth, checked))
