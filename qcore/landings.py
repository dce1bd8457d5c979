"""Where classifiers land in a search space: each at its threshold, and one of them at every threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from qcore.quantifiers.counting import THRESHOLD
from qcore.quantifiers.rate_curve import RateCurve, rate_curve
from qcore.scores import Scores
from qcore.search_space import landing, value_at
from qcore.table_measures import Measured
from qcore.validation import FloatArray

_MOST: Final = 120
"""Thresholds of a sweep that a chart can hold."""


@dataclass(frozen=True)
class Landings:
    """Out-of-fold rates of classifiers at 0.5, (n_classifiers,) each, by name.

    Of the one named `swept` also at every threshold (`curve`), and at as many of those as a chart can hold (`sweep`).
    """

    names: tuple[str, ...]
    tpr: FloatArray
    fpr: FloatArray
    curve: RateCurve | None = None
    sweep: RateCurve | None = None
    swept: str = ""


def landings(scores: Mapping[str, Scores], swept: str = "") -> Landings:
    """Where the classifiers land, and the sweep of the one named `swept`, if any."""
    rates = np.array([found.rates for found in scores.values()]).reshape(-1, 2)
    curve = every_threshold(scores[swept]) if swept else None
    return Landings(tuple(scores), rates[:, 0], rates[:, 1], curve, sweep(curve) if curve else None, swept)


def landing_table(landed: Landings, measured: Measured, positives: int, negatives: int) -> pd.DataFrame:
    """A row for each classifier, the best first: its rates, its errors among so many of both classes, its value."""
    fp, fn = landing(landed.tpr, landed.fpr, positives, negatives)
    value = value_at(measured, fp, fn, positives, negatives)
    columns = {"classifier": list(landed.names), "tpr": landed.tpr, "fpr": landed.fpr, "FP": fp, "FN": fn, "value": value}
    return pd.DataFrame(columns).sort_values("value", ascending=False, kind="stable")


def every_threshold(scores: Scores) -> RateCurve:
    """Out-of-fold rates at thresholds from above all scores, where nothing is positive, down to the lowest one."""
    every = np.unique(np.append(scores.training_scores, THRESHOLD))[::-1]
    return rate_curve(scores.training_scores, scores.training_labels, np.append(np.inf, every))


def sweep(curve: RateCurve) -> RateCurve:
    """Of the thresholds of `every_threshold` those that lie evenly along the path of tpr and fpr; 0.5 is always there."""
    along = np.append(0.0, np.cumsum(np.diff(curve.tpr) + np.diff(curve.fpr)))
    wanted = np.searchsorted(along, np.linspace(0, along[-1], min(_MOST, len(along))))
    at = int(np.flatnonzero(curve.thresholds == THRESHOLD)[0])
    kept = np.unique(np.concatenate([[0, at, len(along) - 1], np.minimum(wanted, len(along) - 1)]))
    return RateCurve(curve.thresholds[kept], curve.tpr[kept], curve.fpr[kept])
