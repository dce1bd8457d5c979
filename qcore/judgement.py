"""A classifier judged: its ROC curve, its operating points, its contingency table at every threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from qcore.contingency import MEASURES, ContingencyTable
from qcore.corrections import threshold_grid
from qcore.costs import Skew, cost_table
from qcore.operating import OperatingPoint, auc, convex_hull, policy_points, roc_curve
from qcore.quantifiers.rate_curve import RateCurve, rate_curve
from qcore.scores import Scores
from qcore.validation import FloatArray, IntArray, check_choice

PARTS: Final = ("training", "pool")


@dataclass(frozen=True)
class Judgement:
    """What a classifier does on one set of scores.

    Attributes
    ----------
    scores, labels : what it is judged on, (n,).
    curve, hull : ROC curve and its convex hull; `auc` is the curve's area.
    points : each policy's threshold, chosen in training, with tpr and fpr as they are on these scores.
    rates : at every threshold to look at.
    table : contingency tables there, arrays (n_thresholds,).
    """

    scores: FloatArray
    labels: IntArray
    curve: RateCurve
    hull: RateCurve
    auc: float
    points: dict[str, OperatingPoint]
    rates: RateCurve
    table: ContingencyTable

    def place(self, threshold: float) -> int:
        """The number of a threshold among `rates`, or of the nearest."""
        return int(np.abs(self.rates.thresholds - threshold).argmin())

    def measures(self) -> pd.DataFrame:
        """Every measure of MEASURES at each threshold: threshold and a column for each."""
        columns = {name: np.asarray(measure(self.table)) for name, measure in MEASURES.items()}
        return pd.DataFrame({"threshold": self.rates.thresholds, **columns})

    def costs(self, skew: Skew) -> pd.DataFrame:
        """`costs.cost_table` of the policies, of the cheapest threshold, and of predicting one class alone."""
        best = skew.best(self.curve)
        points = [(point.threshold, point.tpr, point.fpr) for point in self.points.values()]
        points.append((self.curve.thresholds[best], self.curve.tpr[best], self.curve.fpr[best]))
        points += [(np.inf, 0.0, 0.0), (0.0, 1.0, 1.0)]
        names = [*self.points, "cheapest threshold", "all negative", "all positive"]
        return cost_table(names, RateCurve(*np.array(points).T), skew)


def judge(scores: Scores, part: str, threshold: float) -> Judgement:
    """Judge on the out-of-fold training scores or on the pool: `part` is one of PARTS. Raises InvalidInput.

    `threshold`: one to look at, beside 0, 0.01, ..., 1 and those of the policies.
    """
    check_choice("part", part, PARTS)
    training = scores.training_scores, scores.training_labels
    values, labels = training if part == "training" else (scores.pool_scores, scores.pool_labels)
    chosen = policy_points(*training)
    rates = rate_curve(values, labels, threshold_grid(chosen, threshold))
    curve = roc_curve(values, labels)
    points = {}
    for key, point in chosen.items():
        at = int(np.searchsorted(rates.thresholds, point.threshold))
        points[key] = OperatingPoint(point.threshold, float(rates.tpr[at]), float(rates.fpr[at]))
    n_positives, n_negatives = int(labels.sum()), int((1 - labels).sum())
    tp, fp = np.rint(rates.tpr * n_positives), np.rint(rates.fpr * n_negatives)
    table = ContingencyTable(tp, fp, n_positives - tp, n_negatives - fp)
    return Judgement(values, labels, curve, convex_hull(curve), auc(values, labels), points, rates, table)
