"""How often an instance is drawn, and how much samples of a size share."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from qcore.figures.template import NEGATIVES, NEUTRAL, POSITIVES, framed
from qcore.reuse import MOSTLY_SHARED
from qcore.validation import IntArray

_HEIGHT: Final = 340
_MOST_BARS: Final = 40


def draws_figure(draws: IntArray, pool_labels: IntArray) -> go.Figure:
    """Histogram of how often the pool's instances are drawn over all samples, by class; both (n_pool,)."""
    least, most = int(draws.min()), int(draws.max())
    width = max(1, -(-(most - least + 1) // _MOST_BARS))
    edges = np.arange(least, most + width + 1, width)
    bars = [
        _bars(name, colour, draws[pool_labels == label], edges)
        for name, colour, label in (("negatives", NEGATIVES, 0), ("positives", POSITIVES, 1))
    ]
    return framed(
        bars,
        title="How often is an instance drawn?",
        height=_HEIGHT,
        hovermode="closest",
        barmode="overlay",
        bargap=0.05,
        xaxis={"title": {"text": "times drawn, over all samples", "standoff": 8}, "rangemode": "tozero"},
        yaxis={"title": {"text": "instances of the pool", "standoff": 8}},
    )


def _bars(name: str, colour: str, draws: IntArray, edges: IntArray) -> dict[str, Any]:
    counts = np.histogram(draws, edges)[0]
    width = int(edges[1] - edges[0])
    ranges = [f"{edge}" if width == 1 else f"{edge} to {edge + width - 1}" for edge in edges[:-1].tolist()]
    return {
        "type": "bar", "name": name, "x": (edges[:-1] + (width - 1) / 2.0).tolist(), "y": counts.tolist(),
        "width": width * 0.95,
        "marker": {"color": colour}, "opacity": 0.75, "customdata": ranges,
        "hovertemplate": f"%{{y}} {name} drawn %{{customdata}} times<extra></extra>",
    }  # fmt: skip


def sharing_figure(sharing: pd.DataFrame) -> go.Figure:
    """The share of instances that two samples of the same size and prevalence have in common; table of `reuse.sharing`."""
    sizes = [str(size) for size in sharing["size"]]
    lines = [
        _line("on average over the prevalences", sizes, sharing.shared, "solid"),
        _line("at the worst prevalence", sizes, sharing.most_shared, "dash"),
    ]
    limit = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": MOSTLY_SHARED, "y1": MOSTLY_SHARED,
             "line": {"color": NEUTRAL, "dash": "dot", "width": 1}}  # fmt: skip
    return framed(
        lines,
        title="How much do two samples share?",
        height=_HEIGHT,
        shapes=[limit],
        xaxis={"title": {"text": "sample size", "standoff": 8}, "type": "category"},
        yaxis={"title": {"text": "share of instances in common", "standoff": 8}, "range": (-0.02, 1.02)},
    )


def _line(name: str, x: list[str], y: pd.Series, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines+markers", "name": name, "x": x, "y": y.tolist(),
        "line": {"color": NEUTRAL, "dash": dash, "width": 2}, "marker": {"color": NEUTRAL, "size": 6},
        "hovertemplate": "%{y:.2f}",
    }  # fmt: skip
