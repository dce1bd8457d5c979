"""Curves by true prevalence: losses and mean estimates as figures, and names at the ends of lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import pandas as pd

from pages.charts.figure import NEUTRAL, Figure, figure, layout, method_style
from pages.charts.panels import MAX_LINES, Panels, axis_number, panel_layout, small_multiples, traces_in_panels
from pages.charts.traces import (
    POINTED_AT,
    ROOM_FOR_NAMES,
    Trace,
    axis,
    band,
    diagonal,
    method_line,
    names_at_ends,
    vertical_mark,
)
from pages.error_by_prevalence.settings import OF_MEAN, OFF, PERCENTILES, POINTED
from pages.settings.number_text import enumerated
from qcore.losses import LOSSES, Loss

Members = Mapping[str, Sequence[str]]
_Columns = Mapping[str, list[float]]

_MAX_MARKERS = 21
"""The largest number of markers on a line: more would merge into a bar."""

_BAND_OPACITY = 0.16
_ENDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {PERCENTILES: {"lower": "p10", "upper": "p90"}, OF_MEAN: {"lower": "mean_low", "upper": "mean_high"}}
)
"""The columns between which the bands of a kind lie."""
_ONE_LINE_BOX: Final[Mapping[str, Any]] = MappingProxyType({"hovermode": "closest", "hoverdistance": 40})
"""Hover settings: a box for the nearest line only, which hides less than one box for all lines."""

_MAX_BANDS = 2
"""The largest number of bands shown at once: more would hide each other."""

_LIMITS = (-0.02, 1.02)
_HEIGHT = 480
_PANEL_HEIGHT, _LOW_PANEL_HEIGHT = 380, 250
_GAP = 0.11
"""The gap between panels: the names of the lines of one, and the numbers of the next one's axis."""
_MARGINS = {"l": 68, "r": ROOM_FOR_NAMES, "t": 40, "b": 64}
_X_AXIS = axis(
    "true prevalence of the positive class",
    _LIMITS,
    tickformat=".0%",
    uirevision="x",
) | {"title": {"text": "true prevalence of the positive class", "standoff": 10}}
_SHORT_X_AXIS = {**_X_AXIS, "title": {"text": "true prevalence", "standoff": 10}}


def loss_figure(
    curves: pd.DataFrame,
    loss: Loss,
    training_prevalence: float | None = None,
    *,
    free_axes: bool = False,
    panels: Members | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
    bands: str = POINTED,
) -> Figure:
    """Mean loss by true prevalence, a line and a band for each method.

    Parameters
    ----------
    curves : table of `summaries.curves`: method, true, mean, p10, p90, mean_low, mean_high.
    training_prevalence : marked on the x axis if given.
    free_axes : whether the y range fits the lines; otherwise it depends on the loss only.
    panels : title -> methods, to divide the lines among small multiples.
    names : what some quantifiers are called with this classifier.
    bands : one of BANDS; of percentiles where one points, if there are more than two, else around all lines.
    """
    name = loss.key if loss.name.lower() == loss.key else f"{loss.name}, {loss.key}"
    limits = _limits(curves, loss, free_axes)
    yaxis = axis(f"{name} (mean)", limits, uirevision=f"{loss.key} {limits}")
    title = f"Where does each quantifier err? Mean {loss.key}"
    methods = _by_method(curves, bands)
    if panels:
        shared = {name: _lines({key: methods[key] for key in keys}, bands) for name, keys in panels.items()}
        return small_multiples(shared, title=title, xaxis=_SHORT_X_AXIS, yaxis=yaxis, mark=training_prevalence, **_ONE_LINE_BOX)
    return _with_names(_lines(methods, bands), methods, limits, training_prevalence, names, title=title, yaxis=yaxis)


def estimate_figure(
    curves: pd.DataFrame,
    training_prevalence: float | None = None,
    *,
    panels: Members | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
    bands: str = POINTED,
) -> Figure:
    """Mean estimate by true prevalence, a line and a band for each method, with the diagonal of perfect estimates.

    `curves`, `training_prevalence`, `panels`, `names` and `bands` as in `loss_figure`.
    """
    title = "What does each one estimate?"
    yaxis = axis("estimated prevalence (mean)", _LIMITS, uirevision="y", tickformat=".0%")
    methods = _by_method(curves, bands)
    if panels:
        shared = {
            name: [diagonal(f"truth {i}", opacity=0.7, showlegend=False), *_lines({key: methods[key] for key in keys}, bands)]
            for i, (name, keys) in enumerate(panels.items())
        }
        return small_multiples(shared, title=title, xaxis=_SHORT_X_AXIS, yaxis=yaxis, mark=training_prevalence, **_ONE_LINE_BOX)
    traces = _lines(methods, bands)
    traces.insert(len(traces) - len(methods), diagonal(opacity=0.7, showlegend=len(methods) > MAX_LINES))
    return _with_names(traces, methods, _LIMITS, training_prevalence, names, title=title, yaxis=yaxis)


def losses_figure(
    curves: Mapping[str, pd.DataFrame],
    training_prevalence: float,
    *,
    free_axes: bool = False,
    names: Mapping[str, str] = MappingProxyType({}),
    bands: str = POINTED,
) -> Panels:
    """Several losses, a panel for each: beside each other, or below each other on a narrow screen.

    `curves`: key of LOSSES -> table as in `loss_figure`, which explains the other arguments, too.
    """
    by_method = {key: _by_method(table, bands) for key, table in curves.items()}
    limits = {key: _limits(table, LOSSES[key], free_axes) for key, table in curves.items()}
    own = {key: axis(key, ends, uirevision=f"{key} {ends}") for key, ends in limits.items()}
    # A trace is known by its name: in other panels it has that of the loss, too.
    first = next(iter(curves))
    panels = {
        key: [
            trace if key == first else {**trace, "name": f"{trace['name']}, {key}", "showlegend": False}
            for trace in _lines(methods, bands)
        ]
        for key, methods in by_method.items()
    }
    traces = traces_in_panels(panels)
    few = len(by_method[first]) <= MAX_LINES

    def arranged(columns: int) -> dict[str, Any]:
        height = _PANEL_HEIGHT if columns > 1 else _LOW_PANEL_HEIGHT
        frame: dict[str, Any] = {"row_height": height, "margin": {**_MARGINS, "t": 62, "b": 24}, "gap": _GAP}
        arrangement = panel_layout(list(curves), columns, xaxis=_SHORT_X_AXIS, yaxis=axis("mean loss"), own=own, **frame)
        arrangement["shapes"] = []
        for i, (key, methods) in enumerate(by_method.items()):
            number = axis_number(i)
            place = {"xref": f"x{number}", "yref": f"y{number} domain"}
            arrangement["shapes"].append(vertical_mark(training_prevalence, **place))
            if few:
                ends = {method: (columns["true"][-1], columns["mean"][-1]) for method, columns in methods.items()}
                arrangement["annotations"] += names_at_ends(ends, limits[key], names, number)
        title = f"Where does each quantifier err? Mean {enumerated(list(curves))}"
        return layout(title=title, showlegend=not few, **_ONE_LINE_BOX, **arrangement)

    return Panels(Figure(traces, arranged(len(curves))), arranged(1))


def _limits(curves: pd.DataFrame, loss: Loss, free_axes: bool) -> tuple[float, float]:
    return _fitted(curves["mean"], loss) if free_axes else loss.axis


def _fitted(means: pd.Series[float], loss: Loss) -> tuple[float, float]:
    """The range that the lines fill, with the loss of a perfect estimate in it."""
    low, high = min(float(means.min()), loss.best), max(float(means.max()), loss.best)
    room = 0.05 * (high - low) or 0.01
    return low - room if low < loss.best else low, high + room


def _with_names(
    traces: list[Trace],
    methods: Mapping[str, _Columns],
    limits: tuple[float, float],
    training_prevalence: float | None,
    called: Mapping[str, str],
    **more: Any,
) -> Figure:
    """The figure with names at the lines' ends, or with a legend where they are too many."""
    arrangement = {**_ONE_LINE_BOX, **_training_mark(training_prevalence)}
    if len(methods) <= MAX_LINES:
        ends = {method: (columns["true"][-1], columns["mean"][-1]) for method, columns in methods.items()}
        names = names_at_ends(ends, limits, called)
        arrangement["annotations"] = [*arrangement.get("annotations", []), *names]
        arrangement |= {"margin": _MARGINS, "showlegend": False}
    return figure(traces, xaxis=_X_AXIS, height=_HEIGHT, **more, **arrangement)


def _by_method(curves: pd.DataFrame, bands: str) -> dict[str, _Columns]:
    """Each method's columns as plain lists, which Plotly takes ten times faster than pandas' own."""
    names = {"true": "true", "mean": "mean", **_ENDS.get(bands, _ENDS[PERCENTILES])}
    columns = {name: curves[column].round(8).tolist() for name, column in names.items()}
    rows: dict[str, list[int]] = {}
    for row, method in enumerate(curves["method"].tolist()):
        rows.setdefault(method, []).append(row)
    return {method: {n: [v[row] for row in of_method] for n, v in columns.items()} for method, of_method in rows.items()}


def _lines(methods: Mapping[str, _Columns], bands: str) -> list[Trace]:
    """All bands, then all lines, so that no band covers a line. More than two are shown one at a time unless all are wanted."""
    if bands == OFF:
        return [_line(*item) for item in methods.items()]
    pointed: dict[str, Any] = {"meta": POINTED_AT} if len(methods) > _MAX_BANDS and bands == POINTED else {}
    return [*(_band(*item, **pointed) for item in methods.items()), *(_line(*item) for item in methods.items())]


def _band(method: str, columns: _Columns, **more: Any) -> Trace:
    bounds = (columns["true"], columns["lower"], columns["upper"])
    return band(method, *bounds, opacity=_BAND_OPACITY, legendgroup=method, **more)


def _line(method: str, columns: _Columns) -> Trace:
    trace = method_line(
        method,
        columns["true"],
        columns["mean"],
        hover=f"<b>{method}</b> at %{{x:.0%}}: %{{y:.3f}} (%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}})<extra></extra>",
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
        "font": {"color": NEUTRAL},
    }
    return {"shapes": [vertical_mark(prevalence)], "annotations": [label]}
