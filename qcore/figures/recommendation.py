"""A recommender at work: errors by size beside its bounds, what it chooses, which metafeatures decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from qcore.figures.panels import small_multiples
from qcore.figures.template import NEUTRAL, distinct_colours, framed, method_style, tinted

_BOUNDS: Final = {
    "MLQ": {"line": {"color": NEUTRAL, "width": 5}, "marker": {"symbol": "circle", "size": 9, "color": NEUTRAL}},
    "TOP": {"line": {"color": NEUTRAL, "width": 2, "dash": "dash"}, "marker": {"symbol": "triangle-down", "size": 7}},
    "RND": {"line": {"color": NEUTRAL, "width": 2, "dash": "dot"}, "marker": {"symbol": "triangle-up", "size": 7}},
}  # fmt: skip

_PATTERNS: Final = ("", "/", ".", "x", "-", "+", "|", "\\")
"""Bars are told apart by these as well as by colour."""


def errors_figure(errors: pd.DataFrame, panels: Mapping[str, Sequence[str]] | None = None) -> go.Figure:
    """Mean AE by size of each candidate, MLQ, TOP and RND; the table of `recommendation_effects.errors_by_size`.

    The area between TOP and RND is shaded: what there is to win by choosing. `panels`: title -> candidates, to share the lines
    out among small multiples.
    """
    lines = {str(name): _errors(str(name), table) for name, table in errors.groupby("name", sort=False)}
    # The candidates' lines above the others: MLQ's is wide enough to be seen around them.
    frame = [lines.pop("RND"), {**lines.pop("TOP"), "fill": "tonexty", "fillcolor": tinted(NEUTRAL, 0.12)}, lines.pop("MLQ")]
    sizes = [str(size) for size in dict.fromkeys(errors["size"].tolist())]
    xaxis = {
        "title": {"text": "sample size", "standoff": 8}, "type": "category", "categoryorder": "array", "categoryarray": sizes,
    }  # fmt: skip
    yaxis = {"title": {"text": "mean AE", "standoff": 8}, "rangemode": "tozero"}
    title = "Does choosing pay? Mean AE by sample size"
    if panels:
        shared = {
            name: [*(_repeated(trace, place) for trace in frame), *(lines[method] for method in methods)]
            for place, (name, methods) in enumerate(panels.items())
        }
        return small_multiples(shared, title=title, xaxis=xaxis, yaxis=yaxis)
    return framed([*frame, *lines.values()], title=title, xaxis=xaxis, yaxis=yaxis)


def _repeated(trace: Mapping[str, Any], place: int) -> dict[str, Any]:
    """A trace that stands in every panel, and once in the legend."""
    name = str(trace["name"])
    return {**trace, "name": f"{name} {place}" if place else name, "legendgroup": name, "showlegend": not place}


def _errors(name: str, table: pd.DataFrame) -> dict[str, Any]:
    if name in _BOUNDS:
        look = {**_BOUNDS[name], "opacity": 0.8}
    else:
        style = method_style(name)
        look = {"line": {"color": style.colour, "dash": style.dash, "width": 2},
                "marker": {"symbol": style.symbol, "size": 7, "color": style.colour}}  # fmt: skip
    return {
        "type": "scatter", "mode": "lines+markers", "name": name, "x": [str(size) for size in table["size"]],
        "y": table["mean"].tolist(), "customdata": table[["standard_error"]].to_numpy().tolist(),
        "hovertemplate": "%{y:.4f} (standard error %{customdata[0]:.4f})", **look,
    }  # fmt: skip


def choices_figure(choices: pd.DataFrame) -> go.Figure:
    """How often each candidate is chosen at each size, stacked; a table of `recommendation_effects.choices_by_size`."""
    tables = choices.groupby("candidate", sort=False)
    colours = distinct_colours([str(name) for name, _ in tables])
    bars = [_chosen(str(name), table, colours[i], _PATTERNS[i % len(_PATTERNS)]) for i, (name, table) in enumerate(tables)]
    return framed(
        bars,
        title="What does it choose?",
        height=400,
        barmode="stack",
        hovermode="x unified",
        xaxis={"title": {"text": "sample size", "standoff": 8}, "type": "category"},
        yaxis={"title": {"text": "share of the samples", "standoff": 8}, "range": (0, 1.0)},
    )


def _chosen(name: str, table: pd.DataFrame, colour: str, shape: str) -> dict[str, Any]:
    pattern = {"shape": shape, "fgcolor": "#FFFFFF", "size": 6, "fillmode": "overlay"}
    return {
        "type": "bar", "name": name, "x": [str(size) for size in table["size"]], "y": table.chosen.tolist(),
        "customdata": table[["best"]].to_numpy().tolist(),
        "marker": {"color": colour, "pattern": pattern},
        "hovertemplate": "chosen %{y:.0%}, best %{customdata[0]:.0%}",
    }  # fmt: skip


def deciding_figure(deciding: pd.DataFrame) -> go.Figure:
    """The share of recommendations that change with each metafeature; of `recommendation_effects.deciding_metafeatures`."""
    table = deciding.iloc[::-1]
    bars = {
        "type": "bar", "orientation": "h", "name": "changed", "y": table.metafeature.tolist(), "x": table.changed.tolist(),
        "marker": {"color": NEUTRAL}, "customdata": table[["cost", "standard_error"]].to_numpy().tolist(), "showlegend": False,
        "hovertemplate": "%{x:.0%} of the recommendations change; MLQ's mean AE %{customdata[0]:+.5f} (standard error "
        "%{customdata[1]:.5f})<extra></extra>",
    }  # fmt: skip
    return framed(
        [bars],
        title="What decides?",
        height=400,
        hovermode="closest",
        xaxis={
            "title": {"text": "recommendations that change", "standoff": 8}, "rangemode": "tozero",
            "tickformat": ".0%",
        },
        yaxis={"type": "category"},
    )  # fmt: skip
