"""The rate curve: tpr and fpr by threshold, and counts at or above thresholds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qcore._base.validation import FloatArray, IntArray


@dataclass(frozen=True)
class RateCurve:
    """tpr and fpr at thresholds, usually at each out-of-fold score: three arrays (n_thresholds,), thresholds increasing."""

    thresholds: FloatArray
    tpr: FloatArray
    fpr: FloatArray

    def nearest(self, threshold: float) -> int:
        """The index of the threshold nearest to `threshold`."""
        return int(np.abs(self.thresholds - threshold).argmin())

    def at(self, which: IntArray | np.ndarray) -> RateCurve:
        """The curve at some of its thresholds, by index or by mask."""
        return RateCurve(self.thresholds[which], self.tpr[which], self.fpr[which])

    def coarsened(self, cells: int = 250) -> RateCurve:
        """The curve for a picture: the first of neighbours that lie in the same cell, and the last point.

        A cell has width 1 / `cells` in threshold, tpr and fpr, so each omitted point lies that close to a kept one. A short
        curve stays as it is.
        """
        if len(self.thresholds) <= 2 * cells:
            return self
        cell = np.floor(np.column_stack([self.thresholds, self.tpr, self.fpr]) * cells)
        first = np.r_[True, (cell[1:] != cell[:-1]).any(axis=1)]
        first[-1] = True
        return self.at(first)


def rate_curve(scores: FloatArray, labels: IntArray, thresholds: FloatArray | None = None) -> RateCurve:
    """tpr(t) and fpr(t), the share of each class with score >= t, at every distinct score t or at `thresholds`.

    `scores` and `labels` are (n,), and are not checked. Source: Barranquero 2013, eq. 2.7-2.8.
    """
    if thresholds is None:
        thresholds = np.unique(scores)
    tpr, fpr = (counts_at(members, thresholds) / len(members) for members in (scores[labels == 1], scores[labels == 0]))
    return RateCurve(thresholds, tpr, fpr)


def counts_at(scores: FloatArray, thresholds: FloatArray) -> IntArray:
    """Number of a sample's scores, (sample_size,), that are >= each threshold: (n_thresholds,)."""
    return len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")
