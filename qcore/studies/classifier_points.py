"""Classifiers as points of a search space: each at the threshold 0.5, and one of them at every threshold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray
from qcore.measures.parametric import ParametricMeasure
from qcore.measures.rate_curve import RateCurve, rate_curve
from qcore.quantifiers.batch import THRESHOLD
from qcore.scoring.plan import Scores
from qcore.studies.iris_example import IrisExample
from qcore.studies.search_space import SearchSpace, errors_at_rates, value_at

_MAX_POINTS: Final = 120
"""Largest number of thresholds on the path in a chart."""


@dataclass(frozen=True)
class ClassifierPoints:
    """Out-of-fold rates of classifiers at 0.5, (n_classifiers,) each, by name.

    For the classifier named `traced`, also the rates at every threshold (`curve`), and at fewer thresholds for charts (`path`).
    """

    names: tuple[str, ...]
    tpr: FloatArray
    fpr: FloatArray
    curve: RateCurve | None = None
    path: RateCurve | None = None
    traced: str = ""


def classifier_points(scores: Mapping[str, Scores], traced: str = "") -> ClassifierPoints:
    """The points of the classifiers, and the path of the one named `traced`, if any."""
    rates = np.array([one.rates for one in scores.values()]).reshape(-1, 2)
    curve = rates_at_every_threshold(scores[traced]) if traced else None
    path = threshold_path(curve) if curve else None
    return ClassifierPoints(tuple(scores), rates[:, 0], rates[:, 1], curve, path, traced)


def classifier_point_table(
    points: ClassifierPoints, measure: ParametricMeasure, positives: int, negatives: int
) -> pd.DataFrame:
    """A row for each classifier, the best first: its rates, its FP and FN for these class sizes, and its value."""
    fp, fn = errors_at_rates(points.tpr, points.fpr, positives, negatives)
    value = value_at(measure, fp, fn, positives, negatives)
    columns = {"classifier": list(points.names), "tpr": points.tpr, "fpr": points.fpr, "FP": fp, "FN": fn, "value": value}
    return pd.DataFrame(columns).sort_values("value", ascending=False, kind="stable")


def rates_at_every_threshold(scores: Scores) -> RateCurve:
    """Out-of-fold rates at thresholds from above all scores, where nothing is positive, down to the lowest one."""
    thresholds = np.unique(np.append(scores.training_scores, THRESHOLD))[::-1]
    return rate_curve(scores.training_scores, scores.training_labels, np.append(np.inf, thresholds))


def threshold_path(curve: RateCurve) -> RateCurve:
    """The thresholds of `rates_at_every_threshold` that lie evenly along the path of tpr and fpr; 0.5 is always included."""
    along = np.append(0.0, np.cumsum(np.diff(curve.tpr) + np.diff(curve.fpr)))
    wanted = np.searchsorted(along, np.linspace(0, along[-1], min(_MAX_POINTS, len(along))))
    default = int(np.flatnonzero(curve.thresholds == THRESHOLD)[0])
    return curve.at(np.unique(np.concatenate([[0, default, len(along) - 1], np.minimum(wanted, len(along) - 1)])))


def points_on_spaces(
    spaces: Sequence[SearchSpace], points: ClassifierPoints, example: IrisExample | None = None
) -> tuple[pd.DataFrame, list[FloatArray]]:
    """Classifiers, and the hypotheses of the iris example if given, as points of search spaces that differ in the measure.

    Returns a table with a row for each point, those of a group together: group, classifier (empty for a hypothesis), text, FP
    and FN; and for each space the values of the points, (n_points,).
    """
    space = spaces[0]
    rows: list[tuple[str, str, str, float, float]] = []

    def add(group: str, classifier: str, texts: Sequence[str], rates: tuple[ArrayLike, ArrayLike]) -> None:
        fp, fn = (np.atleast_1d(errors) for errors in errors_at_rates(*rates, space.positives, space.negatives))
        rows.extend((group, classifier, text, *errors) for text, *errors in zip(texts, fp.tolist(), fn.tolist(), strict=True))

    if points.path is not None:
        texts = ["above all scores" if np.isinf(t) else f"threshold {t:.4f}" for t in points.path.thresholds]
        add(f"{points.traced}, every threshold", points.traced, texts, (points.path.tpr, points.path.fpr))
    for i, name in enumerate(points.names):
        add(name, name, [f"{name} at 0.5"], (points.tpr[i], points.fpr[i]))
    for hypothesis in example.hypotheses if example else ():
        add(hypothesis.name, "", [hypothesis.name], example.rates(hypothesis) if example else (0.0, 0.0))
    table = pd.DataFrame(rows, columns=["group", "classifier", "text", "FP", "FN"])
    fp, fn = table.FP.to_numpy(float), table.FN.to_numpy(float)
    return table, [value_at(one.measure, fp, fn, one.positives, one.negatives) for one in spaces]
