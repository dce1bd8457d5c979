"""Operating points: the threshold that each policy chooses on training scores, with the tpr and fpr there."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_fraction, check_training_data
from qcore.measures.roc import rate_curve
from qcore.quantifiers.base import ThresholdPolicyQuantifier
from qcore.quantifiers.catalog import QUANTIFIERS
from qcore.quantifiers.threshold_selection import MedianSweep, candidate_thresholds

_STEPS = 100

POLICIES = tuple(key for key, entry in QUANTIFIERS.items() if entry.is_threshold_policy)
"""Keys of the quantifiers that count at one threshold and adjust: at 0.5 (AC), or at a chosen threshold."""


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold with the tpr and fpr of the training scores there."""

    threshold: float
    tpr: float
    fpr: float


def policy_points(scores: ArrayLike, labels: ArrayLike) -> dict[str, OperatingPoint]:
    """The operating point of each of POLICIES on out-of-fold scores and labels, (n,) each. Raises InvalidInput.

    A policy that finds no threshold with tpr > fpr has none: it counts at 0.5 without correcting.
    """
    checked, truth = check_training_data(scores, labels)
    thresholds = {}
    for key in POLICIES:
        fitted = cast(ThresholdPolicyQuantifier, QUANTIFIERS[key].make().fit(checked, truth))
        if fitted.corrects_:
            thresholds[key] = fitted.threshold_
    rates = rate_curve(checked, truth, np.array([*thresholds.values()]))
    points = (OperatingPoint(*map(float, point)) for point in zip(rates.thresholds, rates.tpr, rates.fpr, strict=True))
    return dict(zip(thresholds, points, strict=True))


def sweep_bands(scores: ArrayLike, labels: ArrayLike) -> list[tuple[float, float]]:
    """The intervals (low, high] of thresholds that Median Sweep uses: those with tpr - fpr >= 1/4, or Max's alone.

    A threshold counts as the next training score above it, up to which tpr and fpr are constant. Without a candidate (no
    threshold has tpr > fpr) there is no interval: Median Sweep counts at 0.5 without correcting.
    """
    checked, truth = check_training_data(scores, labels)
    if not len(candidate_thresholds(rate_curve(checked, truth)).thresholds):
        return []
    distinct = np.unique(checked)
    used = np.searchsorted(distinct, MedianSweep().fit(checked, truth).curve_.thresholds)
    runs = np.split(used, np.flatnonzero(np.diff(used) > 1) + 1)
    # At the lowest score both rates are 1, so each run has a score before it.
    return [(float(distinct[run[0] - 1]), float(distinct[run[-1]])) for run in runs]


def threshold_grid(points: dict[str, OperatingPoint], threshold: float) -> FloatArray:
    """The thresholds from 0 to 1 by 0.01, those of the policies, and `threshold`, increasing. Raises InvalidInput."""
    check_fraction("the threshold", threshold, hint="Choose for example 0.5.")
    return np.unique([*(np.arange(_STEPS + 1) / _STEPS), *(point.threshold for point in points.values()), threshold])
