"""What errors cost: cost matrices, the skew slope, and the cheapest threshold for it (slides on model evaluation)."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from qcore._base.validation import FloatArray, InvalidInput, check_fraction
from qcore.measures.classification import fpr, recall
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.rate_curve import RateCurve

SLIDES_CLASSIFIERS: Final = MappingProxyType(
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
    """One row for each named point: name, threshold, tpr, fpr, error (in this context), m, cost (per unit), cheapest."""
    false_negatives, false_positives = skew.prevalence * (1.0 - points.tpr), (1.0 - skew.prevalence) * points.fpr
    cost = skew.cost(points.tpr, points.fpr)
    return pd.DataFrame(
        {
            "name": list(names),
            "threshold": points.thresholds,
            "tpr": points.tpr,
            "fpr": points.fpr,
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
