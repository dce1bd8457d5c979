"""Figures of an experiment's losses: boxes for each method, a method beside a pivot, bars for each data set."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.charts.figure import Figure
from pages.charts.panels import Panels, wide_and_narrow
from pages.charts.style import NEUTRAL, PALETTE, distinct_colours, figure, run_style
from pages.charts.traces import axis, bars, diagonal, horizontal_mark, line, markers

_GROUP = 0.08
"""Width of the bars at one prevalence; Plotly would give a single one all of the axis."""

_TOO_LOW = 0.1
"""A panel whose highest bar does not reach this share of the shared axis gets an axis of its own."""

_SMALLEST = 1e-4
"""On a logarithmic axis, smaller losses (such as 0) are drawn at this value."""


def boxes_figure(losses: pd.DataFrame, methods: Sequence[str], loss: str, *, log: bool) -> Figure:
    """A box for each method over data sets and prevalences; outliers are named. Columns data, method, prevalence, loss."""
    traces: list[dict[str, Any]] = []
    for method in methods:
        rows = losses[losses.method == method]
        texts = [f"{data}, prevalence {p:.0%}" for data, p in zip(rows["data"], rows.prevalence, strict=True)]
        values = np.maximum(rows.loss, _SMALLEST) if log else rows.loss
        traces.append(
            {
                "type": "box", "name": method, "y": values.tolist(), "text": texts, "boxpoints": "outliers", "boxmean": True,
                "marker": {"color": run_style(method).colour, "size": 4}, "line": {"width": 1.5}, "showlegend": False,
                "hovertemplate": f"{method}: %{{y:.3f}}<br>%{{text}}<extra></extra>", "hoveron": "points",
            }
        )  # fmt: skip
    return figure(
        traces,
        title=f"{loss} over data sets and prevalences",
        height=430,
        hovermode="closest",
        margin={"l": 60, "r": 16, "t": 48, "b": 70},
        xaxis=axis("", type="category"),
        yaxis=axis(loss, None, **({"type": "log"} if log else {"rangemode": "tozero"})),
    )


def pivot_figure(losses: pd.DataFrame, pivot: str, method: str, loss: str) -> Figure:
    """The method's loss over the pivot's, a point for each data set and prevalence. Above the diagonal the pivot is better."""
    table = losses.pivot_table("loss", ["data", "prevalence"], "method", sort=False)
    x, y = table[pivot], table[method]
    texts = [f"{data}, prevalence {p:.0%}" for data, p in table.index]
    most = float(max(x.max(), y.max())) * 1.05 or 1.0
    hover = f"%{{text}}<br>{pivot} %{{x:.3f}}, {method} %{{y:.3f}}<extra></extra>"
    better = np.where(y > x, PALETTE[0], np.where(y < x, PALETTE[1], NEUTRAL)).tolist()
    return figure(
        [
            diagonal("equal", showlegend=False) | {"x": [0, most], "y": [0, most]},
            markers(f"{method} beside {pivot}", x, y, colour=better, size=7, text=texts, hover=hover, showlegend=False),
        ],
        title=f"{method} beside {pivot}: above the line {pivot} is better",
        height=430,
        hovermode="closest",
        xaxis=axis(f"{loss} of {pivot}", (-0.02 * most, most)),
        yaxis=axis(f"{loss} of {method}", (-0.02 * most, most)),
    )


def wins_figure(table: pd.DataFrame, pivot: str, method: str) -> Figure:
    """A pivot's wins minus its losses by test prevalence, against one method and, in grey, against the others.

    `table` from `against_pivot`, by prevalence.
    """
    others = [
        line(str(name), rows.prevalence, rows.dwl, width=1, opacity=0.5, hover=f"{name}: %{{y}}", showlegend=False)
        for name, rows in table.groupby("method", sort=False)
        if name != method
    ]
    rows = table[table.method == method]
    colour = run_style(method).colour
    shown = line(method, rows.prevalence, rows.dwl, colour=colour, width=3, hover=f"{method}: %{{y}}", showlegend=False)
    shown |= {"mode": "lines+markers", "marker": {"size": 8, "color": colour}}
    return figure(
        [*others, shown],
        title=f"Wins minus losses of {pivot} against {method} (grey: others)",
        height=430,
        hovermode="closest",
        shapes=[horizontal_mark(0)],
        xaxis=axis("test prevalence", (-0.02, 1.02), tickformat=".0%"),
        yaxis=axis("wins minus losses"),
    )


def by_data_set_figure(losses: pd.DataFrame, methods: Sequence[str], data_sets: Sequence[str], loss: str) -> Panels:
    """The loss of each method at each prevalence as bars, a panel for each data set, in the order of `data_sets`.

    A panel has an axis of its own where its bars would not reach a tenth of the shared one.
    """
    colours = dict(zip(methods, distinct_colours(methods), strict=True))
    panels = {}
    for number, name in enumerate(data_sets):
        rows = losses[losses["data"] == name]
        panels[_in_short(name)] = [
            bars(
                method, part.prevalence, part.loss, colour=colours[method], hover="%{y:.3f}",
                legendgroup=method, showlegend=number == 0, width=_GROUP / len(methods),
                offset=_GROUP * (place / len(methods) - 0.5),
            )
            for place, method in enumerate(methods)
            for part in [rows[rows.method == method]]
        ]  # fmt: skip
    shown = losses[losses.method.isin(methods)]
    most = float(shown.loss.max()) * 1.05 or 1.0
    tops = {name: float(shown[shown["data"] == name].loss.max()) * 1.05 for name in data_sets}
    own = {
        _in_short(name): axis(loss, (0.0, top), fixedrange=True) for name, top in tops.items() if 0.0 < top < _TOO_LOW * most
    }
    return wide_and_narrow(
        panels,
        title=f"{loss} by data set and test prevalence",
        xaxis=axis("test prevalence", (-0.06, 1.06), tickformat=".0%", fixedrange=True),
        yaxis=axis(loss, (0.0, most), fixedrange=True),
        margin={"l": 60, "r": 16, "t": 62, "b": 84},
        more=lambda _height: {"barmode": "overlay"},
        own=own,
    )


def _in_short(problem: str) -> str:
    """A problem (a data set and its positive class) in short: "spambase 1" for "folder:spambase.csv.gz 1"."""
    return re.sub(r"\.csv(\.gz)?\b", "", problem.removeprefix("folder:"))
