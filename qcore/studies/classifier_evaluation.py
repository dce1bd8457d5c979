"""Evaluation of a classifier: its ROC curve, its operating points, its contingency table at every threshold."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from qcore._base.argument_kinds import check_kind
from qcore._base.validation import FloatArray, IntArray, check_choice
from qcore.measures.catalog import MEASURES
from qcore.measures.contingency_table import ContingencyTable
from qcore.measures.costs import Skew, cost_table
from qcore.measures.rate_curve import RateCurve, rate_curve
from qcore.measures.roc import auc, convex_hull, roc_curve
from qcore.quantifiers.operating_points import OperatingPoint, policy_points, threshold_grid
from qcore.scoring.scores import Scores

PARTS: Final = ("training", "pool")


@dataclass(frozen=True)
class ClassifierEvaluation:
    """How a classifier performs on one set of scores.

    Attributes
    ----------
    scores, labels : what it is evaluated on, (n,).
    curve, hull : ROC curve and its convex hull; `auc` is the curve's area.
    points : each policy's threshold, chosen in training, with tpr and fpr as they are on these scores.
    rates : tpr and fpr at every threshold to look at.
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

    def measures(self) -> pd.DataFrame:
        """Every classification measure of MEASURES at each threshold: threshold and a column for each, F1 for F_beta.

        NaN where a measure is undefined, as precision is where nothing is predicted positive.
        """
        columns = {
            key.replace("_beta", "1"): np.where(measure.is_defined(self.table), measure.of(self.table, 1.0), np.nan)
            for key, measure in MEASURES.items()
            if not measure.is_balance
        }
        return pd.DataFrame({"threshold": self.rates.thresholds, **columns})

    def costs(self, skew: Skew) -> pd.DataFrame:
        """`cost_table` of the policies, of the cheapest threshold, and of predicting one class only."""
        best = skew.best(self.curve)
        points = [(point.threshold, point.tpr, point.fpr) for point in self.points.values()]
        points.append((self.curve.thresholds[best], self.curve.tpr[best], self.curve.fpr[best]))
        points += [(np.inf, 0.0, 0.0), (0.0, 1.0, 1.0)]
        names = [*self.points, "cheapest threshold", "all negative", "all positive"]
        return cost_table(names, RateCurve(*np.array(points).T), skew)


def evaluate_classifier(scores: Scores, part: str = "training", threshold: float = 0.5) -> ClassifierEvaluation:
    """Evaluate a classifier on its out-of-fold training scores or on the pool.

    Parameters
    ----------
    scores : of one class against the rest.
    part : "training" or "pool".
    threshold : an additional threshold, besides 0, 0.01, ..., 1 and those of the policies.

    Raises
    ------
    InvalidInput
        An unknown part, or a threshold outside [0, 1].

    Examples
    --------
    >>> from qcore import load_dataset, score_dataset
    >>> round(evaluate_classifier(score_dataset(load_dataset("wdbc")), part="pool").auc, 3)
    0.996
    """
    check_kind("scores", scores, Scores, "For a data set pass score_dataset(dataset).")
    check_choice("part", part, PARTS)
    training = scores.training_scores, scores.training_labels
    values, labels = training if part == "training" else (scores.pool_scores, scores.pool_labels)
    chosen = policy_points(*training)
    rates = rate_curve(values, labels, threshold_grid(chosen, threshold))
    curve = roc_curve(values, labels)
    points = {}
    for key, point in chosen.items():
        i = int(np.searchsorted(rates.thresholds, point.threshold))
        points[key] = OperatingPoint(point.threshold, float(rates.tpr[i]), float(rates.fpr[i]))
    n_positives, n_negatives = int(labels.sum()), int((1 - labels).sum())
    tp, fp = np.rint(rates.tpr * n_positives), np.rint(rates.fpr * n_negatives)
    table = ContingencyTable(tp, fp, n_positives - tp, n_negatives - fp)
    return ClassifierEvaluation(values, labels, curve, convex_hull(curve), auc(values, labels), points, rates, table)
