"""Small multiples: more lines than one chart can hold, shared out among panels on the same axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import plotly.graph_objects as go

from qcore.figures.template import AXIS, NEUTRAL, framed

_COLUMNS = 2
_ROW_HEIGHT = 240
_MARGINS = {"l": 60, "r": 16, "t": 92, "b": 150}
_MARKERS = {"size": 5, "maxdisplayed": 11}
_GAP_ACROSS = 0.06
_GAP_DOWN = 44


def small_multiples(
    panels: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    title: str,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    mark: float | None = None,
) -> go.Figure:
    """One figure with a panel for each entry, title over traces, two in a row; all share the x and the y axis.

    `mark` draws a dotted line at that x in every panel. The y axis's title stands once, the x axis's below the last of each
    column.
    """
    rows = ceil(len(panels) / _COLUMNS)
    height = rows * _ROW_HEIGHT + _MARGINS["t"] + _MARGINS["b"]
    gap = _GAP_DOWN / (rows * _ROW_HEIGHT)
    y_title = {
        "text": yaxis["title"]["text"], "xref": "paper", "yref": "paper", "x": 0, "y": 0.5, "xanchor": "right", "xshift": -38,
        "textangle": -90, "showarrow": False, "font": {"size": 14},
    }  # fmt: skip
    layout: dict[str, Any] = {"annotations": [y_title], "shapes": []}
    traces: list[Mapping[str, Any]] = []
    for place, (name, members) in enumerate(panels.items()):
        number = str(place + 1) if place else ""
        row, column = divmod(place, _COLUMNS)
        last = place + _COLUMNS >= len(panels)
        width, depth = (1.0 - _GAP_ACROSS) / _COLUMNS, 1.0 / rows
        left, bottom = column * (width + _GAP_ACROSS), 1.0 - (row + 1) * depth
        linked = {"matches": "x"} if place else {}
        across = {"domain": [left, left + width], "anchor": f"y{number}", "showticklabels": last, **linked}
        linked = {"matches": "y"} if place else {}
        down = {"domain": [bottom + gap, bottom + depth], "anchor": f"x{number}", "showticklabels": column == 0, **linked}
        layout[f"xaxis{number}"] = {**AXIS, **xaxis, **across, **({} if last else {"title": None})}
        layout[f"yaxis{number}"] = {**AXIS, **yaxis, **down, "title": None}
        traces += [{**_slighter(trace), "xaxis": f"x{number}", "yaxis": f"y{number}"} for trace in members]
        layout["annotations"].append(
            {
                "text": f"<b>{name}</b>", "xref": "paper", "yref": "paper", "x": left, "y": bottom + depth,
                "xanchor": "left", "yanchor": "bottom", "showarrow": False, "font": {"size": 13},
            }
        )  # fmt: skip
        if mark is not None:
            layout["shapes"].append(
                {
                    "type": "line", "x0": mark, "x1": mark, "y0": 0, "y1": 1, "xref": f"x{number}", "yref": f"y{number} domain",
                    "line": {"color": NEUTRAL, "dash": "dot", "width": 1.5},
                }
            )  # fmt: skip
    return framed(traces, title=title, height=height, margin=_MARGINS, **layout)


def _slighter(trace: Mapping[str, Any]) -> dict[str, Any]:
    """A trace with markers as a small panel can hold them."""
    if "marker" not in trace:
        return dict(trace)
    return {**trace, "marker": {**trace["marker"], **_MARKERS}}
