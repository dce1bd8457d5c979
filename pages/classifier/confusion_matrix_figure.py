"""The confusion matrix at a threshold, the measures that are made of it, and the AUC of pairs of classes."""

from typing import Any, Final

import numpy as np
import pandas as pd

from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, SEQUENTIAL_HIGH, figure
from pages.charts.traces import Trace, axis, heatmap, markers
from qcore.studies.classifier_evaluation import ClassifierEvaluation

_NAMES: Final = {
    "recall": "recall (tpr)",
    "precision": "precision",
    "npv": "npv",
    "F1": "F1",
    "GM": "GM",
    "accuracy": "accuracy",
    "macro accuracy": "macro accuracy",
}
"""Measure -> its name on the axis, for the measures that are drawn."""

_SHARES: Final[dict[str, Any]] = {"colorscale": [[0, "#B9CADD"], [1, "#2A5A8C"]], "zmin": 0, "zmax": 1, "showscale": False}
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
        textfont={"size": 13},
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
    scale = {"colorscale": SEQUENTIAL_HIGH, "zmin": min(0.5, float(np.nanmin(pairs))), "zmax": 1.0}
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
