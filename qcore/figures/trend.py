"""The prevalence of each day, and what each quantifier says it is (B Figure 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from qcore.figures.panels import small_multiples
from qcore.figures.template import NEUTRAL, framed, method_style


def trend_figure(table: pd.DataFrame, panels: Mapping[str, Sequence[str]] | None = None) -> go.Figure:
    """Each method's estimate day by day over the true prevalence; the table of `trend.trend`.

    `panels`: title -> methods, to share the lines out among small multiples.
    """
    days = sorted(set(table.day.tolist()))
    truth = {
        "type": "scatter", "mode": "lines", "name": "truth", "x": days, "y": table.true.tolist()[: len(days)],
        "line": {"color": NEUTRAL, "width": 5}, "opacity": 0.6, "hovertemplate": "%{y:.2f}",
    }  # fmt: skip
    lines = {str(method): _line(str(method), own) for method, own in table.groupby("method", sort=False)}
    xaxis = {"title": {"text": "day", "standoff": 8}, "range": (0.5, days[-1] + 0.5)}
    yaxis = {"title": {"text": "prevalence", "standoff": 8}, "range": (-0.03, 1.03)}
    title = "Who follows the trend?"
    if panels:
        shared = {
            name: [{**truth, "name": f"truth {place}", "showlegend": False}, *(lines[method] for method in methods)]
            for place, (name, methods) in enumerate(panels.items())
        }
        return small_multiples(shared, title=title, xaxis=xaxis, yaxis=yaxis)
    return framed([truth, *lines.values()], title=title, xaxis=xaxis, yaxis=yaxis)


def _line(method: str, table: pd.DataFrame) -> dict[str, Any]:
    style = method_style(method)
    return {
        "type": "scatter", "mode": "lines+markers", "name": method, "x": table.day.tolist(), "y": table.estimate.tolist(),
        "line": {"color": style.colour, "dash": style.dash, "width": 2},
        "marker": {"symbol": style.symbol, "size": 6, "color": style.colour}, "hovertemplate": "%{y:.3f}",
    }  # fmt: skip
