"""Curves with the true prevalence on the x axis: a loss, and the estimates themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from pages.figures.panels import small_multiples
from pages.figures.style import NEUTRAL, figure, method_style
from pages.figures.traces import Trace, axis, band, diagonal, method_line, vertical_mark
from qcore.losses import Loss

Panels = Mapping[str, Sequence[str]]

_MAX_MARKERS: Final = 21
"""More would merge into a bar."""

_BAND_OPACITY: Final = 0.12
_LIMITS: Final = (-0.02, 1.02)
_X_AXIS: Final = axis(
    "true prevalence of the positive class",
    _LIMITS,
    unifiedhovertitle={"text": "true prevalence %{x:.0%}"},
    tickformat=".0%",
    uirevision="x",
) | {"title": {"text": "true prevalence of the positive class", "standoff": 10}}
_SHORT_X_AXIS: Final = {**_X_AXIS, "title": {"text": "true prevalence", "standoff": 10}}


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
    training_prevalence : marked on the x axis if given.
    free_axes : fit the y range to the data; else it is that of the loss, whatever the data.
    panels : title -> methods, to share the lines out among small multiples.
    """
    name = loss.key if loss.name.lower() == loss.key else f"{loss.name}, {loss.key}"
    yaxis = axis(f"{name} (mean)", rangemode="normal" if loss.signed else "tozero", uirevision=f"{loss.key} {free_axes}")
    # Explicit: axes that match each other otherwise fall back on Plotly's empty default when a fixed range is removed.
    yaxis |= {"autorange": True} if free_axes else {"range": loss.axis}
    title = f"Where does each quantifier err? Mean {loss.key}"
    methods = _by_method(curves)
    if panels:
        shared = {name: _lines({key: methods[key] for key in keys}) for name, keys in panels.items()}
        return small_multiples(shared, title=title, xaxis=_SHORT_X_AXIS, yaxis=yaxis, mark=training_prevalence)
    return figure(_lines(methods), title=title, xaxis=_X_AXIS, yaxis=yaxis, **_training_mark(training_prevalence))


def estimate_figure(
    curves: pd.DataFrame,
    training_prevalence: float | None = None,
    *,
    title: str = "What does each one estimate?",
    bands: bool = True,
    panels: Panels | None = None,
) -> go.Figure:
    """Mean estimate by true prevalence, a line and a band for each method, with the diagonal of perfect estimates.

    `curves`, `training_prevalence` and `panels` as in `loss_figure`; `bands` False leaves out the bands, which along one
    diagonal hide each other.
    """
    yaxis = axis("estimated prevalence (mean)", _LIMITS, uirevision="y", tickformat=".0%")
    methods = _by_method(curves)
    if panels:
        shared = {
            name: [
                diagonal(f"truth {i}", opacity=0.7, showlegend=False),
                *_lines({key: methods[key] for key in keys}, bands=bands),
            ]
            for i, (name, keys) in enumerate(panels.items())
        }
        return small_multiples(shared, title=title, xaxis=_SHORT_X_AXIS, yaxis=yaxis, mark=training_prevalence)
    traces = _lines(methods, bands=bands)
    traces.insert(len(traces) - len(methods), diagonal(opacity=0.7))
    return figure(traces, title=title, xaxis=_X_AXIS, yaxis=yaxis, **_training_mark(training_prevalence))


_Columns = Mapping[str, list[float]]


def _by_method(curves: pd.DataFrame) -> dict[str, _Columns]:
    """Each method's columns as plain lists, which Plotly takes ten times faster than pandas' own."""
    columns = {name: curves[name].tolist() for name in ("true", "mean", "lower", "upper")}
    rows: dict[str, list[int]] = {}
    for row, method in enumerate(curves["method"].tolist()):
        rows.setdefault(method, []).append(row)
    return {method: {n: [v[row] for row in of_method] for n, v in columns.items()} for method, of_method in rows.items()}


def _lines(methods: Mapping[str, _Columns], *, bands: bool = True) -> list[Trace]:
    """All bands, then all lines, so that no band covers a line."""
    areas = [_band(*item) for item in methods.items()] if bands else []
    return [*areas, *(_line(*item) for item in methods.items())]


def _band(method: str, columns: _Columns) -> Trace:
    return band(method, columns["true"], columns["lower"], columns["upper"], opacity=_BAND_OPACITY, legendgroup=method)


def _line(method: str, columns: _Columns) -> Trace:
    trace = method_line(
        method,
        columns["true"],
        columns["mean"],
        hover="%{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})",
        legendgroup=method,
        customdata=[list(ends) for ends in zip(columns["lower"], columns["upper"], strict=True)],
    )
    trace["marker"] |= {"line": {"width": 1, "color": method_style(method).colour}, "maxdisplayed": _MAX_MARKERS}
    return trace


def _training_mark(prevalence: float | None) -> dict[str, Any]:
    if prevalence is None:
        return {}
    label = {
        "text": f"training {prevalence:.0%}",
        "x": prevalence,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12, "color": NEUTRAL},
    }
    return {"shapes": [vertical_mark(prevalence)], "annotations": [label]}
