"""ROC curves, their convex hull and area, and what errors cost (slides on model evaluation)."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import roc_auc_score

from qcore._base.validation import TIE, FloatArray, IntArray, InvalidInput, check_fraction, check_training_data
from qcore.measures.classification import fpr, recall
from qcore.measures.measure import ContingencyTable


@dataclass(frozen=True)
class RateCurve:
    """tpr and fpr at thresholds, usually at each out-of-fold score: three arrays (n_thresholds,), thresholds increasing."""

    thresholds: FloatArray
    tpr: FloatArray
    fpr: FloatArray

    def nearest(self, threshold: float) -> int:
        """The index of the threshold nearest to `threshold`."""
        return int(np.abs(self.thresholds - threshold).argmin())

    def at(self, which: IntArray | np.ndarray) -> "RateCurve":
        """The curve at some of its thresholds, by index or by mask."""
        return RateCurve(self.thresholds[which], self.tpr[which], self.fpr[which])

    def coarsened(self, cells: int = 250) -> "RateCurve":
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


SLIDES_CLASSIFIERS = MappingProxyType(
    {
        "classifier 1": ContingencyTable(*map(np.asarray, (300.0, 500.0, 200.0, 99_000.0))),
        "classifier 2": ContingencyTable(*map(np.asarray, (0.0, 0.0, 500.0, 99_500.0))),
        "classifier 3": ContingencyTable(*map(np.asarray, (400.0, 5_400.0, 100.0, 94_100.0))),
    }
)
"""The three classifiers of the slides on model evaluation, on 100,000 instances with 500 positives."""


@dataclass(frozen=True)
class Skew:
    """The context in which a classifier works: what each error costs, and which share of its instances is positive.

    Parameters
    ----------
    false_positive, false_negative : cost of one error, at least 0, not both 0; correct predictions cost nothing.
    prevalence : share of positives, in [0, 1].

    Raises InvalidInput for a value out of range.

    Examples
    --------
    >>> round(Skew(false_positive=100, false_negative=2000, prevalence=0.005).slope, 2)
    9.95

    Source: slides on model evaluation.
    """

    false_positive: float
    false_negative: float
    prevalence: float

    def __post_init__(self) -> None:
        costs = {"a false positive": self.false_positive, "a false negative": self.false_negative}
        for name, cost in costs.items():
            number = isinstance(cost, Real) and not isinstance(cost, bool)
            if not number or not 0.0 <= float(cost) < np.inf:
                hint = "Choose 0 or more; only the ratio of the two costs matters."
                raise InvalidInput(f"the cost of {name}", "be a number of at least 0", f"{cost:g}" if number else cost, hint)
        if self.false_positive == self.false_negative == 0:
            hint = "If no error costs anything, any threshold is best: give one of them a cost."
            raise InvalidInput("the costs of the two errors", "not both be 0", "0 and 0", hint)
        check_fraction("the prevalence", self.prevalence)

    @property
    def slope(self) -> float:
        """(FPcost / FNcost) (Neg / Pos): slope of the lines of equal cost in ROC space; infinite if misses are free."""
        across, up = self.false_positive * (1.0 - self.prevalence), self.false_negative * self.prevalence
        return across / up if up > 0.0 else np.inf

    def cost(self, tpr: ArrayLike, fpr: ArrayLike) -> FloatArray:
        """Cost per instance = FNcost p FNR + FPcost (1 - p) FPR = FNcost p M; shapes broadcast."""
        false_negatives = self.false_negative * self.prevalence * (1.0 - np.asarray(tpr))
        return false_negatives + self.false_positive * (1.0 - self.prevalence) * np.asarray(fpr)

    def normalised(self, tpr: ArrayLike, fpr: ArrayLike) -> FloatArray:
        """M = FNR + slope FPR; NaN where the slope is infinite."""
        if np.isinf(self.slope):
            return np.full(np.broadcast_shapes(np.shape(tpr), np.shape(fpr)), np.nan)
        return 1.0 - np.asarray(tpr) + self.slope * np.asarray(fpr)

    def best(self, curve: RateCurve) -> int:
        """The index on the curve with the lowest cost; ties go to the highest tpr."""
        cost = self.cost(curve.tpr, curve.fpr)
        cheapest = np.flatnonzero(_cheapest(cost))
        return int(cheapest[np.argmax(curve.tpr[cheapest])])


def _cheapest(cost: FloatArray) -> NDArray[np.bool_]:
    """Which costs are the lowest, up to rounding."""
    return cost <= cost.min() * (1.0 + 1e-12)


def total_cost(counts: ArrayLike, costs: ArrayLike) -> float:
    """Sum over predicted and actual classes of count times cost; a negative cost is a gain.

    Both (n_classes, n_classes), predicted class by row. Raises InvalidInput. Source: slides on model evaluation.
    """
    table, prices = np.asarray(counts, dtype=float), np.asarray(costs, dtype=float)
    if table.ndim != 2 or table.shape != prices.shape or table.shape[0] != table.shape[1]:
        rule = f"have as many rows and columns as the counts, shape {table.shape}"
        raise InvalidInput("costs", rule, f"shape {prices.shape}", "Give a row for each predicted class.")
    return float(np.sum(table * prices))


def cost_table(names: Sequence[str], points: RateCurve, skew: Skew) -> pd.DataFrame:
    """One row for each named point: name, threshold, tpr, fpr, auc, error (in this context), m, cost (per unit), cheapest.

    `auc` is the area under the two lines through the point, which is the macro accuracy of a classifier without a threshold.
    """
    false_negatives, false_positives = skew.prevalence * (1.0 - points.tpr), (1.0 - skew.prevalence) * points.fpr
    cost = skew.cost(points.tpr, points.fpr)
    return pd.DataFrame(
        {
            "name": list(names),
            "threshold": points.thresholds,
            "tpr": points.tpr,
            "fpr": points.fpr,
            "auc": (points.tpr + 1.0 - points.fpr) / 2.0,
            "error": false_negatives + false_positives,
            "m": skew.normalised(points.tpr, points.fpr),
            "cost": cost,
            "cheapest": _cheapest(cost),
        }
    )


def slides_points() -> RateCurve:
    """The slides' three classifiers as points in ROC space; they have no threshold."""
    tables = list(SLIDES_CLASSIFIERS.values())
    rates = ([float(rate(table)) for table in tables] for rate in (recall, fpr))
    return RateCurve(np.full(len(tables), np.nan), *map(np.array, rates))
