"""ROC curve, confusion matrix and the measures of both, as figures of the page and of its tabs."""

from collections.abc import Mapping
from math import isinf
from typing import Any, Final

import numpy as np
import pandas as pd

from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.figure import NEUTRAL, SEQUENTIAL_HIGH, SERIES, TEXT_SIZE, Figure, figure
from pages.charts.traces import UNIT, Trace, axis, diagonal, heatmap, line, markers, method_markers
from qcore.measures.roc import RateCurve, Skew
from qcore.quantifiers.operating_points import OperatingPoint
from qcore.studies.classifier_evaluation import ClassifierEvaluation

_CURVE, _HULL, _COST = SERIES[0], SERIES[2], SERIES[1]
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


_NAMES = {
    "recall": "recall (tpr)",
    "precision": "precision",
    "npv": "npv",
    "F1": "F1",
    "GM": "GM",
    "accuracy": "accuracy",
    "macro accuracy": "macro accuracy",
}
"""Measure -> its name on the axis, for the measures that are drawn."""

_SHARES: Final[dict[str, Any]] = {**SEQUENTIAL_HIGH, "zmin": 0, "zmax": 1, "showscale": False}
"""The colours of shares of an actual class."""


def confusion_figure(evaluation: ClassifierEvaluation, index: int) -> DraggedFigure:
    """The 2 x 2 counts of predicted against actual class, shaded by their share of the actual class.

    `index`: of the threshold among `evaluation.rates` that the figure shows.
    """
    table = evaluation.table
    cells = ((("TP", table.tp), ("FP", table.fp)), (("FN", table.fn), ("TN", table.tn)))
    totals = (float(table.tp[0] + table.fn[0]), float(table.fp[0] + table.tn[0]))

    def at(i: int) -> list[Trace]:
        shares = [[float(counts[i]) / total for (_, counts), total in zip(row, totals, strict=True)] for row in cells]
        texts = [
            [
                f"{name} <b>{counts[i]:,.0f}</b><br>{share:.0%} of {of_class}"
                for (name, counts), share, of_class in zip(row, of, ("positives", "negatives"), strict=True)
            ]
            for row, of in zip(cells, shares, strict=True)
        ]
        return [_matrix(shares, texts)]

    return dragged_figure(
        at,
        evaluation.rates.thresholds.tolist(),
        index,
        title="What is taken for what?",
        height=400,
        hovermode="closest",
        xaxis={"type": "category", "side": "bottom"},
        yaxis={"type": "category", "autorange": "reversed"},
    )


def _matrix(shares: list[list[float]], texts: list[list[str]]) -> Trace:
    return heatmap(
        "counts",
        ["actual positive", "actual negative"],
        ["predicted<br>positive", "predicted<br>negative"],
        shares,
        hover="%{y}, %{x}: %{z:.1%} of the actual class<extra></extra>",
        text=texts,
        texttemplate="%{text}",
        textfont={"size": TEXT_SIZE},
        **_SHARES,
        xgap=4,
        ygap=4,
    )


def measures_figure(measures: pd.DataFrame, index: int) -> DraggedFigure:
    """The measures at a threshold as dots from 0 to 1, or "undefined"; `measures` from `ClassifierEvaluation.measures`."""
    names = list(_NAMES.values())[::-1]
    values = measures[list(_NAMES)[::-1]].to_numpy()

    def at(i: int) -> list[Trace]:
        known = [None if np.isnan(value) else float(value) for value in values[i]]
        texts = ["" if value is None else f"  {value:.3f}" for value in known]
        look: dict[str, Any] = {"textposition": "middle right", "showlegend": False, "cliponaxis": False}
        dots = markers("measure", known, names, colour=NEUTRAL, size=12, text=texts, **look) | {"mode": "markers+text"}
        words = ["undefined" if value is None else "" for value in known]
        gaps = markers("undefined", [0.0] * len(names), names, colour=NEUTRAL, text=words, **look)
        return [dots, gaps | {"mode": "text", "hoverinfo": "skip"}]

    return dragged_figure(
        at,
        measures.threshold.tolist(),
        index,
        title="How good is that?",
        height=340,
        hovermode="closest",
        xaxis={"range": (-0.02, 1.35), "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": names},
    )


def class_counts_figure(counts: np.ndarray, classes: tuple[str, ...], title: str) -> Figure:
    """How often each class, by row, is predicted for each actual class, by column; darker is a larger share of the actual."""
    totals = np.maximum(counts.sum(axis=0, keepdims=True), 1)
    labels = {"texttemplate": "%{text}"} if len(classes) <= 12 else {}
    texts = [[f"{int(count):,}" for count in row] for row in counts]
    hover = "predicted %{y}, actually %{x}: %{text}, %{z:.1%} of that class<extra></extra>"
    scale = {**_SHARES, "xgap": 2, "ygap": 2}
    return figure(
        [heatmap("count", classes, classes, (counts / totals).tolist(), hover=hover, text=texts, **scale, **labels)],
        title=title,
        height=420,
        hovermode="closest",
        xaxis=axis("actual class", type="category"),
        yaxis=axis("predicted class", type="category", autorange="reversed"),
    )


def pairs_figure(pairs: np.ndarray, classes: tuple[str, ...]) -> Figure:
    """AUC of each pair of classes as a heatmap, (n_classes, n_classes), NaN on the diagonal."""
    values = [[None if np.isnan(value) else float(value) for value in row] for row in pairs]
    scale = {**SEQUENTIAL_HIGH, "zmin": min(0.5, float(np.nanmin(pairs))), "zmax": 1.0}
    labels = {"texttemplate": "%{z:.2f}"} if len(classes) <= 12 else {}
    hover = "%{y} and %{x}: AUC %{z:.3f}<extra></extra>"
    colorbar = {"title": {"text": "AUC"}, "thickness": 14}
    return figure(
        [heatmap("AUC", classes, classes, values, hover=hover, colorbar=colorbar, **scale, **labels)],
        title="Which classes does it confuse?",
        height=420,
        hovermode="closest",
        xaxis=axis("class", type="category"),
        yaxis=axis("class", type="category", autorange="reversed"),
    )
