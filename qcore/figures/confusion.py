"""The confusion matrix at a threshold, and the measures that are made of it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from qcore.figures.following import Following, Trace, following
from qcore.figures.template import NEUTRAL, framed
from qcore.judgement import Judgement

_NAMES: Final = {"recall": "recall (tpr)", "precision": "precision", "F1": "F1", "GM": "GM", "accuracy": "accuracy",
                 "macro accuracy": "macro accuracy"}  # fmt: skip
"""The measures that are drawn, as the axis names them."""


def confusion_figure(judgement: Judgement, place: int) -> Following:
    """The 2 x 2 counts of predicted against actual class, shaded by their share of the actual class.

    `place`: number of the threshold among `judgement.rates` that the figure shows.
    """
    table = judgement.table
    cells = ((("TP", table.tp), ("FP", table.fp)), (("FN", table.fn), ("TN", table.tn)))
    totals = (float(table.tp[0] + table.fn[0]), float(table.fp[0] + table.tn[0]))
    matrix: Trace = {
        "type": "heatmap", "name": "counts", "x": ["actual positive", "actual negative"],
        "y": ["predicted positive", "predicted negative"], "texttemplate": "%{text}", "textfont": {"size": 15},
        "colorscale": [[0, "#B9CADD"], [1, "#2A5A8C"]], "zmin": 0, "zmax": 1, "showscale": False, "xgap": 4, "ygap": 4,
        "hovertemplate": "%{y}, %{x}: %{z:.1%} of the actual class<extra></extra>",
    }  # fmt: skip

    def at(i: int) -> list[dict[str, Any]]:
        shares = [[float(counts[i]) / total for (_, counts), total in zip(row, totals, strict=True)] for row in cells]
        texts = [
            [f"{name} <b>{counts[i]:,.0f}</b><br>{share:.0%} of these" for (name, counts), share in zip(row, own, strict=True)]
            for row, own in zip(cells, shares, strict=True)
        ]
        return [{"z": shares, "text": texts}]

    return following(
        [], [matrix], at, judgement.rates.thresholds.tolist(), place,
        title="What is taken for what?", height=340, hovermode="closest",
        xaxis={"type": "category", "side": "bottom"}, yaxis={"type": "category", "autorange": "reversed"},
    )  # fmt: skip


def measures_figure(measures: pd.DataFrame, place: int) -> Following:
    """The measures at a threshold as dots from 0 to 1; the table of `Judgement.measures`."""
    names = list(_NAMES.values())[::-1]
    values = measures[list(_NAMES)[::-1]].to_numpy().tolist()
    dots: Trace = {
        "type": "scatter", "mode": "markers+text", "name": "measure", "y": names, "showlegend": False, "hoverinfo": "skip",
        "marker": {"size": 12, "color": NEUTRAL}, "textposition": "middle right",
    }  # fmt: skip
    return following(
        [], [dots], lambda i: [{"x": values[i], "text": [f"  {value:.3f}" for value in values[i]]}],
        measures.threshold.tolist(), place, title="How good is that?", height=340, hovermode="closest",
        xaxis={"range": (-0.02, 1.35), "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": names},
    )  # fmt: skip


def pairs_figure(pairs: np.ndarray, classes: tuple[str, ...]) -> go.Figure:
    """AUC of each pair of classes as a heatmap, (n_classes, n_classes), NaN on the diagonal."""
    cells = [[None if np.isnan(value) else float(value) for value in row] for row in pairs]
    heat = {
        "type": "heatmap", "name": "AUC", "x": list(classes), "y": list(classes), "z": cells, "colorscale": "Cividis",
        "zmin": min(0.5, float(np.nanmin(pairs))), "zmax": 1.0, "colorbar": {"title": {"text": "AUC"}, "thickness": 14},
        "hovertemplate": "%{y} and %{x}: AUC %{z:.3f}<extra></extra>",
    }  # fmt: skip
    if len(classes) <= 12:
        heat |= {"texttemplate": "%{z:.2f}"}
    return framed(
        [heat], title="Which classes does it confuse?", height=420, hovermode="closest",
        xaxis={"type": "category", "title": {"text": "class", "standoff": 8}},
        yaxis={"type": "category", "title": {"text": "class", "standoff": 8}, "autorange": "reversed"},
    )  # fmt: skip
