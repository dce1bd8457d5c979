"""Small multiples: what one chart can't hold, shared out among panels on the same axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import plotly.graph_objects as go

from qcore.figures.template import AXIS, NEUTRAL, frame, framed

Axis = Mapping[str, Any]

_COLUMNS = 2
_ROW_HEIGHT = 240
_SMALL_ROW = 190
_MARGINS = {"l": 60, "r": 16, "t": 92, "b": 150}
_MARKERS = {"size": 5, "maxdisplayed": 11}
_GAP_DOWN = 44


@dataclass(frozen=True)
class Panels:
    """A figure of panels, and the layout that a narrow screen takes instead: the same traces in fewer columns."""

    figure: go.Figure
    narrow: dict[str, Any]


def small_multiples(
    panels: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    title: str,
    xaxis: Axis,
    yaxis: Axis,
    mark: float | None = None,
) -> go.Figure:
    """One figure with a panel for each entry, title over traces, two in a row; all share the x and the y axis.

    `mark` draws a dotted line at that x in every panel. The y axis's title stands once, the x axis's below the last of each
    column.
    """
    layout = arranged(list(panels), _COLUMNS, xaxis=xaxis, yaxis=yaxis, row_height=_ROW_HEIGHT, margin=_MARGINS)
    if mark is not None:
        layout["shapes"] = [
            {
                "type": "line", "x0": mark, "x1": mark, "y0": 0, "y1": 1, "xref": f"x{numbered(place)}",
                "yref": f"y{numbered(place)} domain", "line": {"color": NEUTRAL, "dash": "dot", "width": 1.5},
            }
            for place in range(len(panels))
        ]  # fmt: skip
    slighter = {name: [_slighter(trace) for trace in members] for name, members in panels.items()}
    return framed(in_panels(slighter), title=title, **layout)


def wide_and_narrow(
    panels: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    title: str,
    xaxis: Axis,
    yaxis: Axis,
    margin: Mapping[str, int],
    more: Callable[[int], Mapping[str, Any]] | None = None,
) -> Panels:
    """Many small panels without zoom, four in a row or, on a narrow screen, two; `more` adds to a layout of that height."""
    wide, narrow = (
        _layout(list(panels), columns, gap_across, title, xaxis=xaxis, yaxis=yaxis, margin=margin, more=more)
        for columns, gap_across in ((4, 0.025), (2, 0.05))
    )
    return Panels(go.Figure(data=in_panels(panels), layout=wide), narrow)


def _layout(
    titles: Sequence[str],
    columns: int,
    gap_across: float,
    title: str,
    *,
    more: Callable[[int], Mapping[str, Any]] | None,
    **axes: Any,
) -> dict[str, Any]:
    layout = arranged(titles, min(columns, len(titles)), **axes, row_height=_SMALL_ROW, gap_across=gap_across)
    added = more(layout["height"]) if more else {}
    return frame(title=title, hovermode="closest", dragmode=False, **layout, **added)


def in_panels(panels: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """The traces of all panels, each on the axes of its own."""
    return [
        {**trace, "xaxis": f"x{numbered(place)}", "yaxis": f"y{numbered(place)}"}
        for place, members in enumerate(panels.values())
        for trace in members
    ]


def arranged(
    titles: Sequence[str],
    columns: int,
    *,
    xaxis: Axis,
    yaxis: Axis,
    row_height: int,
    margin: Mapping[str, int],
    gap_across: float = 0.06,
) -> dict[str, Any]:
    """The layout of panels, so many in a row: their axes, which all share x and y, titles, height and margin."""
    rows = ceil(len(titles) / columns)
    gap = _GAP_DOWN / (rows * row_height)
    layout: dict[str, Any] = {"annotations": [_y_title(yaxis)], "height": rows * row_height + margin["t"] + margin["b"]}
    layout |= {"margin": dict(margin)}
    for place, title in enumerate(titles):
        number = numbered(place)
        row, column = divmod(place, columns)
        last = place + columns >= len(titles)
        width, depth = (1.0 - (columns - 1) * gap_across) / columns, 1.0 / rows
        left, bottom = column * (width + gap_across), 1.0 - (row + 1) * depth
        linked = {"matches": "x"} if place else {}
        across = {"domain": [left, left + width], "anchor": f"y{number}", "showticklabels": last, **linked}
        across |= {} if last else {"ticks": ""}
        linked = {"matches": "y"} if place else {}
        down = {"domain": [bottom + gap, bottom + depth], "anchor": f"x{number}", "showticklabels": column == 0, **linked}
        down |= {} if column == 0 else {"ticks": ""}
        layout[f"xaxis{number}"] = {**AXIS, **xaxis, **across, **({} if last else {"title": None})}
        layout[f"yaxis{number}"] = {**AXIS, **yaxis, **down, "title": None}
        layout["annotations"].append(
            {
                "text": f"<b>{title}</b>", "xref": "paper", "yref": "paper", "x": left, "y": bottom + depth,
                "xanchor": "left", "yanchor": "bottom", "showarrow": False, "font": {"size": 13},
            }
        )  # fmt: skip
    return layout


def categories(values: Sequence[int], most: int = 8) -> dict[str, Any]:
    """An axis on which numbers stand as far apart as names do: at most so many are named, the first and the last always."""
    names = [str(value) for value in values]
    shown = np.unique(np.rint(np.linspace(0, len(names) - 1, min(len(names), most))).astype(int))
    # By name: Plotly would take a number for the name, not for the place.
    return {
        "type": "category", "categoryorder": "array", "categoryarray": names, "tickvals": [names[place] for place in shown],
        "range": (-0.5, len(names) - 0.5), "showgrid": False, "fixedrange": True,
    }  # fmt: skip


def numbered(place: int) -> str:
    """How Plotly numbers axes and scenes: the first have none."""
    return str(place + 1) if place else ""


def _y_title(yaxis: Axis) -> dict[str, Any]:
    return {
        "text": yaxis["title"]["text"], "xref": "paper", "yref": "paper", "x": 0, "y": 0.5, "xanchor": "right", "xshift": -38,
        "textangle": -90, "showarrow": False, "font": {"size": 14},
    }  # fmt: skip


def _slighter(trace: Mapping[str, Any]) -> dict[str, Any]:
    """A trace with markers as a small panel can hold them."""
    if "marker" not in trace:
        return dict(trace)
    return {**trace, "marker": {**trace["marker"], **_MARKERS}}
