"""ROC space: curve, convex hull, operating points, and the line of equal cost through the cheapest (S)."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from qcore.costs import Skew
from qcore.figures.following import Following, Trace, following
from qcore.figures.template import NEUTRAL, PALETTE, framed, method_style
from qcore.judgement import Judgement
from qcore.quantifiers.rate_curve import RateCurve

_RANGE: Final = (-0.03, 1.03)
_CURVE, _HULL, _COST = PALETTE[0], PALETTE[2], PALETTE[1]
_CHANCE: Final[Trace] = {
    "type": "scatter", "mode": "lines", "name": "chance", "x": [0, 1], "y": [0, 1], "hoverinfo": "skip",
    "line": {"color": NEUTRAL, "width": 1, "dash": "dot"},
}  # fmt: skip
_LAYOUT: Final[dict[str, Any]] = {
    "height": 560,
    "hovermode": "closest",
    "xaxis": {"title": {"text": "fpr: negatives taken for positives", "standoff": 8}, "range": _RANGE},
    "yaxis": {"title": {"text": "tpr: positives found", "standoff": 8}, "range": _RANGE},
}


def _hull(hull: RateCurve) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "name": "convex hull", "x": hull.fpr.tolist(), "y": hull.tpr.tolist(),
        "line": {"color": _HULL, "width": 2, "dash": "dash"}, "hoverinfo": "skip",
    }  # fmt: skip


def _costs(skew: Skew, tpr: float, fpr: float, name: str) -> list[dict[str, Any]]:
    """The line of equal cost through the cheapest point, and that point."""
    across, up = (0.0, 1.0) if isinf(skew.slope) else (1.0, skew.slope)
    # From edge to edge of the frame: along the line, how far it is to each of its four sides.
    ways = [((side - at) / step) for at, step in ((fpr, across), (tpr, up)) if step > 0.0 for side in _RANGE]
    ends = [max(way for way in ways if way <= 0.0), min(way for way in ways if way >= 0.0)]
    return [
        {
            "type": "scatter", "mode": "lines", "name": "equal cost", "x": [fpr + end * across for end in ends],
            "y": [tpr + end * up for end in ends], "line": {"color": _COST, "width": 2, "dash": "dashdot"}, "hoverinfo": "skip",
        },
        {
            "type": "scatter", "mode": "markers", "name": name, "x": [fpr], "y": [tpr],
            "marker": {"symbol": "star", "size": 20, "color": _COST},
            "hovertemplate": f"{name}: fpr %{{x:.3f}}, tpr %{{y:.3f}}<extra></extra>",
        },
    ]  # fmt: skip


def roc_figure(judgement: Judgement, skew: Skew, place: int) -> Following:
    """ROC curve with its hull, the policies' points, the cheapest point, and the point at a threshold that is dragged.

    `place`: number of the threshold among `judgement.rates` that the figure shows.
    """
    curve, rates = judgement.curve, judgement.rates
    best = skew.best(curve)
    line = {
        "type": "scatter", "mode": "lines+markers", "name": "ROC curve", "x": curve.fpr.tolist(), "y": curve.tpr.tolist(),
        "customdata": ["above all" if isinf(t) else f"{t:.4f}" for t in curve.thresholds.tolist()],
        "line": {"color": _CURVE, "width": 2.5}, "marker": {"size": 3, "color": _CURVE},
        "hovertemplate": "threshold %{customdata}: fpr %{x:.3f}, tpr %{y:.3f}<extra></extra>",
    }  # fmt: skip
    marks = []
    for key, point in judgement.points.items():
        style = method_style(key)
        marks.append(
            {
                "type": "scatter", "mode": "markers", "name": key, "x": [point.fpr], "y": [point.tpr],
                "marker": {"symbol": style.symbol, "size": 11, "color": style.colour},
                "hovertemplate": f"{key}, threshold {point.threshold:.4f}: fpr %{{x:.3f}}, tpr %{{y:.3f}}<extra></extra>",
            }
        )  # fmt: skip
    here = {
        "type": "scatter", "mode": "markers", "name": "threshold", "hoverinfo": "skip",
        "marker": {"symbol": "circle-open", "size": 16, "color": NEUTRAL, "line": {"width": 3}},
    }  # fmt: skip
    cheapest = _costs(skew, float(curve.tpr[best]), float(curve.fpr[best]), "cheapest threshold")
    points = list(zip(rates.fpr.tolist(), rates.tpr.tolist(), strict=True))
    return following(
        [_CHANCE, _hull(judgement.hull), line, *cheapest, *marks], [here],
        lambda i: [{"x": [points[i][0]], "y": [points[i][1]]}], rates.thresholds.tolist(), place,
        title=f"How well does it rank? AUC {judgement.auc:.3f}", **_LAYOUT,
    )  # fmt: skip


def classifiers_figure(table: pd.DataFrame, hull: RateCurve, skew: Skew) -> go.Figure:
    """Crisp classifiers as points in ROC space, with their hull and the line of equal cost; the table of `cost_table`."""
    best = table[table.cheapest].iloc[0]
    marks: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "markers+text", "name": name, "x": [fpr], "y": [tpr], "text": [f"  {name}"],
            "textposition": "top right" if tpr < 0.1 else "bottom right", "showlegend": False,
            "marker": {"symbol": symbol, "size": 12, "color": _CURVE},
            "hovertemplate": f"{name}: fpr %{{x:.4f}}, tpr %{{y:.3f}}<extra></extra>",
        }
        for name, tpr, fpr, symbol in zip(
            table["name"].tolist(), table.tpr.tolist(), table.fpr.tolist(), _symbols(len(table)), strict=True
        )
    ]  # fmt: skip
    cheapest = _costs(skew, float(best.tpr), float(best.fpr), "cheapest")
    return framed([_CHANCE, _hull(hull), *cheapest, *marks], title="Which classifier is cheapest?", **_LAYOUT)


def _symbols(number: int) -> Sequence[str]:
    return [("circle", "square", "diamond")[i % 3] for i in range(number)]
