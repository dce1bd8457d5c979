"""tpr and fpr at every threshold, and counts at thresholds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qcore.rounding import TIE
from qcore.validation import FloatArray, IntArray


@dataclass(frozen=True)
class RateCurve:
    """tpr and fpr at thresholds, as a rule each out-of-fold score: three arrays (n_thresholds,), thresholds increasing."""

    thresholds: FloatArray
    tpr: FloatArray
    fpr: FloatArray


def rate_curve(scores: FloatArray, labels: IntArray, thresholds: FloatArray | None = None) -> RateCurve:
    """Share of each class with score >= t at every distinct score t, or at `thresholds`. `scores`, `labels`: (n,)."""
    at = np.unique(scores) if thresholds is None else thresholds
    tpr, fpr = (counts_at(members, at) / len(members) for members in (scores[labels == 1], scores[labels == 0]))
    return RateCurve(at, tpr, fpr)


def candidates(curve: RateCurve) -> RateCurve:
    """The thresholds with tpr > fpr, from which every policy chooses (B 3.2.1)."""
    better = curve.tpr - curve.fpr > TIE
    return RateCurve(curve.thresholds[better], curve.tpr[better], curve.fpr[better])


def counts_at(scores: FloatArray, thresholds: FloatArray) -> IntArray:
    """Number of a sample's scores, (sample_size,), that are >= each threshold: (n_thresholds,)."""
    return len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")
