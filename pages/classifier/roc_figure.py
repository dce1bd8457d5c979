"""ROC space: curve, convex hull, operating points, and the line of equal cost through the cheapest point."""

from collections.abc import Mapping
from math import isinf
from typing import Any, Final

import pandas as pd

from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.figure import Figure
from pages.charts.style import PALETTE, figure
from pages.charts.traces import UNIT, Trace, axis, diagonal, line, markers, method_markers
from qcore.measures.roc import RateCurve, Skew
from qcore.quantifiers.operating_points import OperatingPoint
from qcore.studies.classifier_evaluation import ClassifierEvaluation

_CURVE, _HULL, _COST = PALETTE[0], PALETTE[2], PALETTE[1]
_LAYOUT: Final[dict[str, Any]] = {
    "height": 400,
    "hovermode": "closest",
    "xaxis": axis("fpr: negatives taken for positives", UNIT),
    "yaxis": axis("tpr: positives found", UNIT),
}


def _chance() -> Trace:
    return diagonal("chance", width=1, dash="dot", showlegend=False)


def _hull(hull: RateCurve) -> Trace:
    return line("convex hull", hull.fpr, hull.tpr, colour=_HULL, dash="dash")


def _cheapest(skew: Skew, tpr: float, fpr: float, name: str) -> list[Trace]:
    """The line of equal cost through the cheapest point, and that point."""
    across, up = (0.0, 1.0) if isinf(skew.slope) else (1.0, skew.slope)
    # The line runs from edge to edge of the frame: the distances along it to the frame's four sides.
    distances = [((side - start) / step) for start, step in ((fpr, across), (tpr, up)) if step > 0.0 for side in UNIT]
    ends = [max(d for d in distances if d <= 0.0), min(d for d in distances if d >= 0.0)]
    x, y = [fpr + end * across for end in ends], [tpr + end * up for end in ends]
    hover = f"{name}: fpr %{{x:.3f}}, tpr %{{y:.3f}}<extra></extra>"
    return [
        line("equal cost", x, y, colour=_COST, dash="dashdot"),
        markers(name, [fpr], [tpr], symbol="star", size=20, colour=_COST, hover=hover),
    ]


def roc_figure(evaluation: ClassifierEvaluation, points: Mapping[str, OperatingPoint], skew: Skew, index: int) -> DraggedFigure:
    """ROC curve with its hull, the policies' `points`, the cheapest point, and the point at a threshold that is dragged.

    `index`: of the threshold among `evaluation.rates` that the figure shows.
    """
    curve, rates = evaluation.curve, evaluation.rates
    best, drawn = skew.best(curve), curve.coarsened()
    roc = line(
        "ROC curve",
        drawn.fpr,
        drawn.tpr,
        colour=_CURVE,
        width=2.5,
        hover="threshold %{customdata}: fpr %{x:.3f}, tpr %{y:.3f}<extra></extra>",
        marker={"size": 3, "color": _CURVE},
        customdata=["above all" if isinf(t) else f"{t:.4f}" for t in drawn.thresholds.tolist()],
    ) | {"mode": "lines+markers"}
    policies = [
        method_markers(
            key,
            [point.fpr],
            [point.tpr],
            size=11,
            showlegend=False,
            hover=f"{key}, threshold {point.threshold:.4f}: fpr %{{x:.3f}}, tpr %{{y:.3f}}<extra></extra>",
        )
        for key, point in points.items()
    ]
    cheapest = _cheapest(skew, float(curve.tpr[best]), float(curve.fpr[best]), "cheapest threshold")
    still = [_chance(), _hull(evaluation.hull), roc, *cheapest, *policies]
    at_thresholds = list(zip(rates.fpr.tolist(), rates.tpr.tolist(), strict=True))

    def at(i: int) -> list[Trace]:
        fpr, tpr = at_thresholds[i]
        return [markers("threshold", [fpr], [tpr], symbol="circle-open", size=16, edge={"width": 3})]

    title = f"How well does it rank? AUC {evaluation.auc:.3f}"
    return dragged_figure(at, rates.thresholds.tolist(), index, still=still, title=title, **_LAYOUT)


def classifiers_figure(table: pd.DataFrame, hull: RateCurve, skew: Skew) -> Figure:
    """Crisp classifiers as points in ROC space, with their hull and the line of equal cost; `table` from `cost_table`."""
    best = table[table.cheapest].iloc[0]
    symbols = ("circle", "square", "diamond")
    points = [
        markers(
            name,
            [fpr],
            [tpr],
            symbol=symbols[i % len(symbols)],
            size=12,
            colour=_CURVE,
            hover=f"{name}: fpr %{{x:.4f}}, tpr %{{y:.3f}}<extra></extra>",
            text=[f"  {name}"],
            textposition="top right" if tpr < 0.1 else "bottom right",
            showlegend=False,
        )
        | {"mode": "markers+text"}
        for i, (name, tpr, fpr) in enumerate(zip(table["name"].tolist(), table.tpr.tolist(), table.fpr.tolist(), strict=True))
    ]
    cheapest = _cheapest(skew, float(best.tpr), float(best.fpr), "cheapest")
    return figure([_chance(), _hull(hull), *cheapest, *points], title="Which classifier is cheapest?", **_LAYOUT)
