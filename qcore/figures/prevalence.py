"""Figures with the true prevalence on the x axis: a loss, and the estimates themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from qcore.figures.panels import small_multiples
from qcore.figures.template import NEUTRAL, framed, mark_at, method_style
from qcore.losses import Loss

Panels = Mapping[str, Sequence[str]]

_MOST_MARKERS = 21
_BAND_OPACITY = 0.12
_UNIT_RANGE = (-0.02, 1.02)
_X_AXIS = {
    "unifiedhovertitle": {"text": "true prevalence %{x:.2f}"},
    "title": {"text": "true prevalence of the positive class", "standoff": 10},
    "range": _UNIT_RANGE,
    "uirevision": "x",
}
_SHORT_X_AXIS = {**_X_AXIS, "title": {"text": "true prevalence", "standoff": 10}}


def loss_figure(
    curves: pd.DataFrame,
    loss: Loss,
    training_prevalence: float | None = None,
    *,
    free_axes: bool = False,
    panels: Panels | None = None,
) -> go.Figure:
    """Mean loss by true prevalence, a line and a band for each method.

    Parameters
    ----------
    curves : table of `summaries.curves`: method, true, mean, lower, upper.
    training_prevalence : marked on the x axis when given.
    free_axes : let the data set the y range; else it is the loss's own, whatever the data.
    panels : title -> methods, to share the lines out among small multiples.
    """
    yaxis: dict[str, Any] = {
        "title": {"text": f"{loss.key if loss.name.lower() == loss.key else f'{loss.name}, {loss.key}'} (mean)", "standoff": 8},
        "rangemode": "normal" if loss.signed else "tozero",
        "uirevision": f"{loss.key} {free_axes}",
    }
    # Said outright: axes that match each other else fall back on Plotly's empty default when a fixed range goes.
    yaxis |= {"autorange": True} if free_axes else {"range": loss.axis}
    title = f"Where does each quantifier err? Mean {loss.key}"
    methods = _by_method(curves)
    if panels:
        shared = {name: _lines({key: methods[key] for key in keys}) for name, keys in panels.items()}
        return small_multiples(shared, title=title, xaxis=_SHORT_X_AXIS, yaxis=yaxis, mark=training_prevalence)
    return framed(_lines(methods), title=title, xaxis=_X_AXIS, yaxis=yaxis, **_training_mark(training_prevalence))


def estimate_figure(
    curves: pd.DataFrame,
    training_prevalence: float | None = None,
    *,
    title: str = "What does each one say?",
    today: float | None = None,
    bands: bool = True,
    panels: Panels | None = None,
) -> go.Figure:
    """Mean estimate by true prevalence, a line and a band for each method, with the diagonal of perfect estimates.

    `curves`, `training_prevalence` and `panels` as in `loss_figure`; `today` marks one true prevalence; `bands` False leaves
    the bands out, which along one diagonal hide each other.
    """
    yaxis = {"title": {"text": "estimated prevalence (mean)", "standoff": 8}, "range": _UNIT_RANGE, "uirevision": "y"}
    methods = _by_method(curves)
    if panels:
        shared = {}
        for place, (name, keys) in enumerate(panels.items()):
            truth = _guide(f"truth {place}", (0, 1), (0, 1), 1.5) | {"showlegend": False}
            shared[name] = [truth, *_lines({key: methods[key] for key in keys}, bands=bands)]
        return small_multiples(shared, title=title, xaxis=_SHORT_X_AXIS, yaxis=yaxis, mark=training_prevalence)
    traces = _lines(methods, bands=bands)
    first_line = len(traces) - len(methods)
    traces.insert(first_line, _guide("truth", (0, 1), (0, 1), 1.5))
    if today is not None:
        traces.append(_guide("today", (today, today), (0, 1), 4))
    return framed(traces, title=title, xaxis=_X_AXIS, yaxis=yaxis, **_training_mark(training_prevalence))


_Columns = Mapping[str, list[float]]


def _by_method(curves: pd.DataFrame) -> dict[str, _Columns]:
    """Each method's columns as plain lists, which Plotly takes ten times faster than pandas' own."""
    columns = {name: curves[name].tolist() for name in ("true", "mean", "lower", "upper")}
    rows: dict[str, list[int]] = {}
    for row, method in enumerate(curves["method"].tolist()):
        rows.setdefault(method, []).append(row)
    return {method: {n: [v[row] for row in own] for n, v in columns.items()} for method, own in rows.items()}


def _lines(methods: Mapping[str, _Columns], *, bands: bool = True) -> list[dict[str, Any]]:
    """All bands, then all lines, so that no band covers a line."""
    shaded = [_band(*item) for item in methods.items()] if bands else []
    return [*shaded, *(_line(*item) for item in methods.items())]


def _band(method: str, columns: _Columns) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "name": f"{method} band", "legendgroup": method, "showlegend": False,
        "x": columns["true"] + columns["true"][::-1], "y": columns["upper"] + columns["lower"][::-1],
        "fill": "toself", "fillcolor": method_style(method).fill(_BAND_OPACITY), "line": {"width": 0}, "hoverinfo": "skip",
    }  # fmt: skip


def _line(method: str, columns: _Columns) -> dict[str, Any]:
    style = method_style(method)
    return {
        "type": "scatter", "mode": "lines+markers", "name": method, "legendgroup": method,
        "x": columns["true"], "y": columns["mean"],
        "customdata": [list(band) for band in zip(columns["lower"], columns["upper"], strict=True)],
        "line": {"color": style.colour, "dash": style.dash, "width": 2},
        "marker": {
            "symbol": style.symbol, "size": 7, "color": style.colour, "line": {"width": 1, "color": style.colour},
            # More would melt into a bar.
            "maxdisplayed": _MOST_MARKERS,
        },
        "hovertemplate": "%{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})",
    }  # fmt: skip


def _guide(name: str, x: tuple[float, float], y: tuple[float, float], width: float) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "hoverinfo": "skip",
        "line": {"color": NEUTRAL, "width": width}, "opacity": 0.7,
    }  # fmt: skip


def _training_mark(prevalence: float | None) -> dict[str, Any]:
    if prevalence is None:
        return {}
    return {
        "shapes": [mark_at(prevalence)],
        "annotations": [
            {
                "text": f"training {prevalence:.2f}", "x": prevalence, "y": 1, "yref": "paper", "yanchor": "bottom",
                "showarrow": False, "font": {"size": 12, "color": NEUTRAL},
            }
        ],
    }  # fmt: skip
