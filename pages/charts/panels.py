"""Panels of a chart, also one for each family of methods."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import wrap
from types import MappingProxyType
from typing import Any, NamedTuple

from pages.charts.figure import AXIS, Figure, figure, layout, named
from pages.charts.traces import ROOM_FOR_NAMES, names_at_ends, vertical_mark
from qcore.quantifiers import FAMILIES, QUANTIFIERS

Axis = Mapping[str, Any]

_COLUMNS = 2
_ROW_HEIGHT = 240
_SMALL_ROW_HEIGHT = 190
_MARGINS = {"l": 60, "r": ROOM_FOR_NAMES, "t": 62, "b": 64}
_GAP_WITH_NAMES = 0.12
_SMALL_MARKERS = {"size": 5, "maxdisplayed": 11}
_VERTICAL_GAP = 44
_NUMBERED = MappingProxyType({"showticklabels": True, "nticks": 4})


class _Row(NamedTuple):
    """Number of panels in a row, the gap between them (numbers of neighbouring axes need it), letters in a line of a title."""

    columns: int
    gap: float
    letters: int


_WIDE, _NARROW = _Row(4, 0.06, 18), _Row(2, 0.12, 20)


@dataclass(frozen=True)
class Panels:
    """A figure of panels, and the layout that a narrow screen takes instead: the same traces in fewer columns."""

    figure: Figure
    narrow: dict[str, Any]


def small_multiples(
    panels: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    title: str,
    xaxis: Axis,
    yaxis: Axis,
    mark: float | None = None,
    **more: Any,
) -> Figure:
    """One figure with a panel for each entry of `panels` (title -> traces), two in a row; all share the x and the y axis.

    `mark` draws a dotted line at that x in every panel; `more` goes into the layout. The y axis has its title once, the x axis
    below the last panel of each column. Lines of quantifiers are named at their ends.
    """
    frame: dict[str, Any] = {"row_height": _ROW_HEIGHT, "margin": _MARGINS, "gap": _GAP_WITH_NAMES}
    arrangement = panel_layout(list(panels), _COLUMNS, xaxis=xaxis, yaxis=yaxis, **frame)
    limits = yaxis["range"]
    for i, traces in enumerate(panels.values()):
        lines = [trace for trace in traces if trace["name"] in QUANTIFIERS]
        ends = {trace["name"]: (trace["x"][-1], trace["y"][-1]) for trace in lines}
        arrangement["annotations"] += names_at_ends(ends, limits, axis_of_panel=axis_number(i))
    if mark is not None:
        arrangement["shapes"] = [
            vertical_mark(mark, xref=f"x{axis_number(i)}", yref=f"y{axis_number(i)} domain") for i in range(len(panels))
        ]
    smaller = {
        name: [_with_small_markers(trace) | ({"showlegend": False} if trace["name"] in QUANTIFIERS else {}) for trace in traces]
        for name, traces in panels.items()
    }
    return figure(traces_in_panels(smaller), title=title, **arrangement, **more)


def wide_and_narrow(
    panels: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    title: str,
    xaxis: Axis,
    yaxis: Axis,
    margin: Mapping[str, int],
    more: Callable[[int], Mapping[str, Any]] | None = None,
    own: Mapping[str, Axis] = MappingProxyType({}),
) -> Panels:
    """Many small panels without zoom, four in a row, or two on a narrow screen.

    `more`: height -> additions to the layout; `own`: title -> y axis, of panels in which the shared axis would show nothing.
    """
    traces = traces_in_panels(panels)

    def arranged(row: _Row) -> dict[str, Any]:
        columns = min(row.columns, len(panels))
        arrangement = panel_layout(
            list(panels),
            columns,
            xaxis=xaxis,
            yaxis=yaxis,
            row_height=_SMALL_ROW_HEIGHT,
            margin=margin,
            gap=row.gap,
            own=own,
            letters=row.letters,
        )
        added = more(arrangement["height"]) if more else {}
        return layout(title=title, hovermode="closest", dragmode=False, **named(traces, {**arrangement, **added}))

    return Panels(Figure(traces, arranged(_WIDE)), arranged(_NARROW))


def traces_in_panels(panels: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """The traces of all panels, each on the axes of its panel."""
    return [
        {**trace, "xaxis": f"x{axis_number(i)}", "yaxis": f"y{axis_number(i)}"}
        for i, traces in enumerate(panels.values())
        for trace in traces
    ]


def panel_layout(
    titles: Sequence[str],
    columns: int,
    *,
    xaxis: Axis,
    yaxis: Axis,
    row_height: int,
    margin: Mapping[str, int],
    gap: float = 0.06,
    own: Mapping[str, Axis] = MappingProxyType({}),
    letters: int = 60,
) -> dict[str, Any]:
    """The layout of panels with `columns` in a row: axes, titles with at most `letters` letters in a line, height and margin.

    All share the x axis; all share the y axis, except those that have their `own`.
    """
    rows = ceil(len(titles) / columns)
    height = rows * row_height
    arrangement: dict[str, Any] = {"annotations": [_y_title(yaxis)], "height": height + margin["t"] + margin["b"]}
    arrangement |= {"margin": dict(margin)}
    width, depth = (1.0 - (columns - 1) * gap) / columns, 1.0 / rows
    shared = next((f"y{axis_number(i)}" for i, title in enumerate(titles) if title not in own), "y")
    for i, title in enumerate(titles):
        number = axis_number(i)
        row, column = divmod(i, columns)
        is_last = i + columns >= len(titles)
        left, bottom = column * (width + gap), 1.0 - (row + 1) * depth
        x_domain, y_domain = [left, left + width], [bottom + _VERTICAL_GAP / height, bottom + depth]
        x_title = {} if is_last else {"title": None}
        arrangement[f"xaxis{number}"] = {
            **AXIS,
            **xaxis,
            **_panel_axis(x_domain, f"y{number}", labels=is_last, matches="x" if i else ""),
            **x_title,
        }
        of_first = "" if shared == f"y{number}" else shared
        arrangement[f"yaxis{number}"] = {
            **AXIS,
            **yaxis,
            **_panel_axis(y_domain, f"x{number}", labels=column == 0, matches=of_first),
            "title": None,
        }
        if title in own:
            arrangement[f"yaxis{number}"] |= {**own[title], **_NUMBERED, "matches": None, "title": None}
            title = f"{title} (own\N{NO-BREAK SPACE}axis)" if len(own) < len(titles) else title
        lines = "<br>".join(wrap(title, letters, break_long_words=False))
        arrangement["annotations"].append(panel_title(lines, left, bottom + depth))
    return arrangement


def _panel_axis(domain: list[float], anchor: str, *, labels: bool, matches: str) -> dict[str, Any]:
    linked = {"matches": matches} if matches else {}
    return {"domain": domain, "anchor": anchor, "showticklabels": labels, **linked, **({} if labels else {"ticks": ""})}


def panel_title(title: str, x: float, y: float, *, xanchor: str = "left") -> dict[str, Any]:
    """An annotation: the title of a panel, its lower edge at `y` of the figure."""
    return {
        "text": f"<b>{title}</b>",
        "xref": "paper",
        "yref": "paper",
        "x": x,
        "y": y,
        "xanchor": xanchor,
        "align": xanchor,
        "yanchor": "bottom",
        "showarrow": False,
    }


def category_axis(values: Sequence[int], max_labels: int = 8) -> dict[str, Any]:
    """An axis with numbers at equal distances, like names: at most `max_labels` labels, as many from each to the next."""
    names = [str(value) for value in values]
    shown = range((len(names) - 1) % (step := -(-len(names) // max_labels)), len(names), step)
    # Ticks are given as names: Plotly would read a number as a name, not as a position.
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": names,
        "tickvals": [names[i] for i in shown],
        "range": (-0.5, len(names) - 0.5),
        "showgrid": False,
        "fixedrange": True,
    }


def axis_number(i: int) -> str:
    """The number that Plotly adds to the name of an axis or a scene: none for the first, 2 for the second."""
    return str(i + 1) if i else ""


def _y_title(yaxis: Axis) -> dict[str, Any]:
    return {
        "text": yaxis["title"]["text"],
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 0.5,
        "xanchor": "right",
        "xshift": -38,
        "textangle": -90,
        "showarrow": False,
    }


def _with_small_markers(trace: Mapping[str, Any]) -> dict[str, Any]:
    if "marker" not in trace:
        return dict(trace)
    return {**trace, "marker": {**trace["marker"], **_SMALL_MARKERS}}


MAX_LINES = 8
"""The largest number of methods whose lines fit into one chart."""


def family_panels(methods: Sequence[str], max_lines: int = MAX_LINES) -> dict[str, list[str]] | None:
    """Title -> methods of each panel; None if there are at most `max_lines` methods, which fit into one chart."""
    if len(methods) <= max_lines:
        return None
    members = {family.capitalize(): [m for m in methods if QUANTIFIERS[m].family == family] for family in FAMILIES}
    return {title: keys for title, keys in members.items() if keys}
