"""The parts that figures are made of: lines, markers, bands, bars, axes, marks, and a quantifier's style.

Each function returns a plain dictionary in Plotly's format; a figure passes its own details as further keyword arguments.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pages.charts.figure import NEUTRAL, Style, method_style, tinted
from qcore.quantifiers import QUANTIFIERS

Trace = dict[str, Any]

UNIT = (-0.03, 1.03)
"""The range of an axis from 0 to 1, with room for markers at its ends."""


POINTED_AT = "seen when its line is pointed at"
"""The `meta` of a band that the browser shows only while one points at the line of the same legend group."""


END_OF_LINE = "the name of a line at its end"
"""The `name` of an annotation that the browser moves apart from others of its kind; those of a panel come lowest first."""


ROOM_FOR_NAMES = 66
"""Width of the room for names right of a plot, in pixels."""


def _values(values: Iterable[Any]) -> list[Any]:
    """The values as a plain list, which Plotly converts ten times faster than a pandas series."""
    return values.tolist() if hasattr(values, "tolist") else list(values)


def line(
    name: str,
    x: Iterable[Any],
    y: Iterable[Any],
    *,
    colour: str = NEUTRAL,
    width: float = 2,
    dash: str = "solid",
    shape: str | None = None,
    hover: str | None = None,
    **more: Any,
) -> Trace:
    """A line. `shape` "vh" or "hv" makes steps; `hover` is the template of the hover box, None for no box."""
    stroke: Trace = {"color": colour, "width": width}
    stroke |= {} if dash == "solid" else {"dash": dash}
    stroke |= {} if shape is None else {"shape": shape}
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": _values(x),
        "y": _values(y),
        "line": stroke,
        **_hover(hover),
        **more,
    }


def markers(
    name: str,
    x: Iterable[Any],
    y: Iterable[Any],
    *,
    colour: str | Sequence[str] = NEUTRAL,
    symbol: str | Sequence[str] = "circle",
    size: float | Sequence[float] = 9,
    edge: Trace | None = None,
    hover: str | None = None,
    **more: Any,
) -> Trace:
    """Markers without a line; `edge` is their outline, `hover` as in `line`."""
    marker: Trace = {"symbol": symbol, "size": size, "color": colour} | ({} if edge is None else {"line": edge})
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": _values(x),
        "y": _values(y),
        "marker": marker,
        **_hover(hover),
        **more,
    }


def styled_line(
    name: str, style: Style, x: Iterable[Any], y: Iterable[Any], *, width: float = 2, size: float = 7, **more: Any
) -> Trace:
    """A line with markers in a given style; further arguments as in `line`."""
    trace = line(name, x, y, colour=style.colour, dash=style.dash, width=width, **more)
    return trace | {"mode": "lines+markers", "marker": {"symbol": style.symbol, "size": size, "color": style.colour}}


def method_line(method: str, x: Iterable[Any], y: Iterable[Any], *, size: float = 7, **more: Any) -> Trace:
    """A line with markers in the style of a quantifier; further arguments as in `styled_line`."""
    return styled_line(more.pop("name", method), method_style(method), x, y, size=size, **more)


def method_markers(method: str, x: Iterable[Any], y: Iterable[Any], *, size: float = 12, **more: Any) -> Trace:
    """Markers in the style of a quantifier; further arguments as in `markers`."""
    style = method_style(method)
    return markers(more.pop("name", method), x, y, colour=style.colour, symbol=style.symbol, size=size, **more)


def band(method: str, x: Iterable[Any], lower: Iterable[Any], upper: Iterable[Any], *, opacity: float, **more: Any) -> Trace:
    """The area between two curves in the colour of a quantifier, without a legend entry."""
    x, lower, upper = _values(x), _values(lower), _values(upper)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": f"{method} band",
        "x": [*x, *x[::-1]],
        "y": [*upper, *lower[::-1]],
        "fill": "toself",
        "fillcolor": tinted(method_style(method).colour, opacity),
        "line": {"width": 0},
        "showlegend": False,
        "hoverinfo": "skip",
        **more,
    }


def names_at_ends(
    ends: Mapping[str, tuple[float, float]],
    limits: tuple[float, float],
    names: Mapping[str, str] = MappingProxyType({}),
    axis_of_panel: str = "",
) -> list[dict[str, Any]]:
    """An annotation for each quantifier: its short name at the end of its line; pointing at it shows the full name.

    The browser moves names apart that would overlap: it knows how high the plot is.

    Parameters
    ----------
    ends : quantifier -> (x, y) of the end of its line; a line that leaves the frame is named at the edge.
    limits : range of the y axis.
    names : what some quantifiers are called with this classifier.
    axis_of_panel : the number that the axes of its panel have.
    """
    low, high = limits
    return [
        {
            "name": END_OF_LINE,
            "text": f"<b>{names.get(method, method)}</b>",
            "hovertext": f"{QUANTIFIERS[method].name}, {method}" if method in names else QUANTIFIERS[method].name,
            "x": x,
            "y": min(max(y, low), high),
            "xref": f"x{axis_of_panel}",
            "yref": f"y{axis_of_panel}",
            "xshift": 8,
            "xanchor": "left",
            "yanchor": "middle",
            "showarrow": False,
            "font": {"color": method_style(method).colour},
        }
        for method, (x, y) in sorted(ends.items(), key=lambda end: end[1][1])
    ]


def bars(name: str, x: Iterable[Any], y: Iterable[Any], *, colour: str, hover: str | None = None, **more: Any) -> Trace:
    """Bars of heights `y` at `x`."""
    trace = {"type": "bar", "name": name, "x": _values(x), "y": _values(y), "marker": {"color": colour}, **_hover(hover)}
    return trace | more


def histogram_line(name: str, edges: Sequence[float], shares: Sequence[float], **more: Any) -> Trace:
    """The outline of a histogram: steps over bins between `edges`, one more than there are shares."""
    return line(name, edges, [*shares, shares[-1]], width=2.5, shape="hv", hover="%{y:.1%}", **more)


def diagonal(name: str = "truth", *, width: float = 1.5, **more: Any) -> Trace:
    """The line from (0, 0) to (1, 1)."""
    return line(name, (0, 1), (0, 1), width=width, **more)


def heatmap(name: str, x: Iterable[Any], y: Iterable[Any], z: Any, *, hover: str | None = None, **more: Any) -> Trace:
    """A heatmap; rows of `z` belong to `y`."""
    return {"type": "heatmap", "name": name, "x": _values(x), "y": _values(y), "z": z, **_hover(hover), **more}


def axis(title: str, limits: Sequence[float] | None = None, **more: Any) -> dict[str, Any]:
    """An axis with its title, and its range if `limits` are given."""
    return {"title": {"text": title, "standoff": 8}, **({} if limits is None else {"range": tuple(limits)}), **more}


def vertical_mark(x: float, **more: Any) -> dict[str, Any]:
    """A shape: a dotted line up the whole plot, such as at the training prevalence."""
    stroke = {"color": NEUTRAL, "dash": "dot", "width": 1.5}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": stroke, **more}


def horizontal_mark(y: float, **more: Any) -> dict[str, Any]:
    """A shape: a dotted line across the whole plot."""
    stroke = {"color": NEUTRAL, "dash": "dot", "width": 1}
    return {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": y, "y1": y, "line": stroke, **more}


def _hover(template: str | None) -> Trace:
    return {"hoverinfo": "skip"} if template is None else {"hovertemplate": template}
