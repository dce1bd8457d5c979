"""A figure as plain data, and how each looks: the style of every quantifier and classifier, the layout around the data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import orjson
import plotly.graph_objects as go

from qcore import CLASSIFIERS, QUANTIFIERS
from qcore.displays.plotly_display import NEUTRAL as NEUTRAL
from qcore.displays.plotly_display import tinted as tinted

_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


def json_text(value: Any) -> str:
    """A value of dictionaries, lists, numbers, text and arrays as JSON."""
    return orjson.dumps(value, default=_plain, option=_OPTIONS).decode()


def _plain(value: Any) -> Any:
    """A value that orjson cannot write, as one that it can: text arrays and views as lists, mappings as dictionaries."""
    return value.tolist() if hasattr(value, "tolist") else dict(value)


_NO_TAG_OF_OURS = re.compile(r"<(?!(?:/?(?:b|sub|extra|span)|br|span style='color:#[0-9A-Fa-f]{6}')>)")


def figure_text(part: Any) -> str:
    """A figure or a part of one as JSON, in which `<` begins one of the tags that figures use, or is the character.

    Plotly reads tags in every text: a class of somebody's table that is called `<a href=...>` would be a link for everybody.
    """
    return _NO_TAG_OF_OURS.sub("&lt;", json_text(part))


def as_named(text: Any) -> Any:
    """What the browser tells of a mark, such as a name, as it was before `figure_text`."""
    return text.replace("&lt;", "<") if isinstance(text, str) else text


@dataclass(frozen=True)
class Figure:
    """Traces and a layout.

    Attributes
    ----------
    traces : dictionaries as of traces.py.
    arrangement : the layout, as of `layout`.
    """

    traces: Sequence[Mapping[str, Any]]
    arrangement: Mapping[str, Any]

    @cached_property
    def checked(self) -> go.Figure:
        """The figure as Plotly's object. Raises ValueError for an invalid figure."""
        return go.Figure(data=list(self.traces), layout=dict(self.arrangement))

    @property
    def data(self) -> Any:
        """The traces as Plotly's objects."""
        return self.checked.data

    @property
    def layout(self) -> Any:
        """The layout as Plotly's object."""
        return self.checked.layout

    def to_json(self) -> str:
        """The figure as JSON, which the browser reads."""
        return figure_text({"data": self.traces, "layout": self.arrangement})


POSITIVES = "#C95B66"
NEGATIVES = "#708CC3"
"""The two classes, wherever they are drawn separately; no quantifier has these colours."""

METHOD_COLOURS = MappingProxyType(
    {
        "CC": "#2584C4",
        "AC": "#D86105",
        "PCC": "#0C9E71",
        "PACC": "#C25C9C",
        "X": "#AB704C",
        "Max": "#8D813D",
        "T50": "#B38C15",
        "MS": "#5F8D33",
        "HDy": "#038F91",
        "DyS-TS": "#BD72E7",
        "DyS-JD": "#47A0B5",
        "DyS-HD": "#C57E8B",
        "DyS-PS": "#A586C0",
        "EMQ": "#8073D1",
        "SORD": "#F66375",
        "DyS-ORD": "#9583FA",
        "EMQ-5": "#A663BF",
        "MM": "#CA8153",
        "FM": "#48A830",
        "EDy": "#5392FC",
        "KDEy-ML": "#E865AF",
        "o-ACC": "#4779EA",
    }
)
"""Each quantifier's own colour: a contrast of 3 or more with a white page and of 4.5 or more with a dark one, and as far from
each other as such colours can be, by Oklab."""

SPARE_COLOURS = ("#7E9E64", "#8E9C04")
"""Colours of quantifiers that are not in the app, such as those of the user's own experiment."""

SERIES = ("#5E88AA", "#A2728E", "#5D8A69", "#A49068", "#699B8B", "#8179A7", "#AB7C75", "#AA85A0")
"""Quieter colours for anything but quantifiers: classes, losses, classifiers, parts of a picture."""

_NO_BREAK = "\N{NO-BREAK SPACE}"
_GAP = "\N{EN SPACE}"
"""What stands between the names under a title."""

SEQUENTIAL = "Cividis"
"""A perceptually uniform scale for values from 0 upwards that are best low: dark is good."""

SEQUENTIAL_HIGH = {"colorscale": SEQUENTIAL, "reversescale": True}
"""The same scale for values that are best high: dark is good there, too."""

DIVERGING = ((0.0, "#0B5A8A"), (0.25, "#6FA8CC"), (0.5, "#E8E8E8"), (0.75, "#E39A63"), (1.0, "#A64800"))
"""A scale for values with a sign: blue below zero, grey at zero, orange above."""

_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "x",
    "cross",
    "triangle-down",
    "star",
    "hexagon",
    "pentagon",
    "bowtie",
    "hexagram",
    "triangle-left",
    "triangle-right",
    "hourglass",
    "octagon",
    "star-triangle-up",
    "star-square",
    "star-diamond",
    "diamond-tall",
    "diamond-wide",
    "star-triangle-down",
    "triangle-ne",
    "triangle-sw",
)

_CHARACTERS = MappingProxyType(
    # The variation selector makes phones draw a character as text, not as an emoji.
    {
        "circle": "●",
        "square": "■",
        "diamond": "◆",
        "triangle-up": "▲",
        "x": "✖\N{VARIATION SELECTOR-15}",
        "cross": "✚",
        "triangle-down": "▼",
        "triangle-left": "◀\N{VARIATION SELECTOR-15}",
        "triangle-right": "▶\N{VARIATION SELECTOR-15}",
        "star": "★",
        "hexagon": "⬢",
        "pentagon": "⬟",
        "star-diamond": "✦",
        "circle-open": "○",
        "square-open": "□",
        "diamond-open": "◇",
    }
)
"""Symbols as characters, where text names what charts mark."""

SYMBOLS_IN_SPACE = ("circle", "square", "diamond", "cross", "x")
"""The symbols that Plotly can also draw in three dimensions."""

AXIS: Final[Mapping[str, Any]] = MappingProxyType({"zeroline": False, "ticks": "outside", "automargin": True})
"""The properties that all axes have in common."""


@dataclass(frozen=True)
class Style:
    """The colour, dash and symbol of a method, the same on every page, light and dark."""

    colour: str
    dash: str
    symbol: str

    @property
    def character(self) -> str:
        """The symbol as a character; a disc for symbols that have none."""
        return _CHARACTERS.get(self.symbol, "●")


def numbered_style(number: int, symbols: Sequence[str] = _SYMBOLS) -> Style:
    """The style of the `number`-th of several things, not quantifiers: those of one colour differ in dash and symbol."""
    turn = number // len(SERIES)
    return Style(SERIES[number % len(SERIES)], _DASHES[(number + turn) % len(_DASHES)], symbols[number % len(symbols)])


def method_style(method: str) -> Style:
    """The style of a registered quantifier; dash and symbol follow from its position in the registry."""
    position = list(QUANTIFIERS).index(method) - 1
    if position < 0:
        return Style(NEUTRAL, "solid", "line-ew")
    colour = METHOD_COLOURS.get(method, SPARE_COLOURS[position % len(SPARE_COLOURS)])
    # Neighbours differ in dash, as do those eight apart.
    return Style(colour, _DASHES[(position + position // 8) % len(_DASHES)], _SYMBOLS[position % len(_SYMBOLS)])


def run_style(method: str) -> Style:
    """The style of a method of an experiment: that of a registered quantifier, or one that its name alone decides."""
    if method in QUANTIFIERS:
        return method_style(method)
    number = sum(map(ord, method))
    colour = SPARE_COLOURS[number % len(SPARE_COLOURS)]
    return Style(colour, _DASHES[number % len(_DASHES)], _SYMBOLS[number % len(_SYMBOLS)])


def classifier_style(classifier: str) -> Style:
    """The style of a registered classifier: by its position in the registry; its symbol can be drawn in three dimensions."""
    position = list(CLASSIFIERS).index(classifier)
    style = numbered_style(position)
    symbol = SYMBOLS_IN_SPACE[(position + position // len(SERIES)) % len(SYMBOLS_IN_SPACE)]
    return Style(style.colour, style.dash, symbol)


_SHADES = ((1.0, 0.0), (0.65, 0.0), (0.5, 127.0))


def distinct_colours(methods: Sequence[str]) -> list[str]:
    """A different colour for each method, darker or lighter if methods share one: for areas, which have no dash or marker."""
    colours = [run_style(method).colour for method in methods]
    distinct = []
    for i, colour in enumerate(colours):
        weight, white = _SHADES[colours[:i].count(colour) % len(_SHADES)]
        parts = (int(weight * int(colour[k : k + 2], 16) + white) for k in (1, 3, 5))
        distinct.append("#" + "".join(f"{part:02X}" for part in parts))
    return distinct


_MARGIN = MappingProxyType({"l": 68, "r": 24, "t": 40, "b": 64})
"""As much as most labels need. Where they need more, the browser finds out while it draws, and draws again."""
TITLE_SIZE, TEXT_SIZE = 16, 13
"""Sizes of text in a figure, in pixels: that of its title, and that of all else."""
SUBTITLE = 22
"""Height that a line under the title adds, in pixels."""
MOST_NAMED = 8
"""The largest number of names that stand under a title: of more a legend can be searched."""
_IN_LEGENDS = ("scatter", "bar", "box")
_LINES = MappingProxyType({"solid": "\N{EM DASH}", "dash": "- -", "dot": "\u00b7\u00b7\u00b7", "dashdot": "-\u00b7-"})
"""Dashes of lines as characters."""


def figure(
    traces: Sequence[Mapping[str, Any]],
    *,
    title: str,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    height: int = 480,
    **more: Any,
) -> Figure:
    """A figure of `traces` in the common layout; the names of up to eight stand under its title, in their colours."""
    return Figure(list(traces), layout(title=title, xaxis=xaxis, yaxis=yaxis, height=height, **named(traces, more)))


def named(traces: Sequence[Mapping[str, Any]], arrangement: Mapping[str, Any]) -> dict[str, Any]:
    """An arrangement with the names of its traces under the title instead of in a legend, if they are few."""
    shown = [trace for trace in traces if trace.get("type", "scatter") in _IN_LEGENDS and trace.get("showlegend", True)]
    if not 1 < len(shown) <= MOST_NAMED or not arrangement.get("showlegend", True):
        return dict(arrangement)
    names = " ".join(map(_name, shown))
    subtitle = "<br>".join(filter(None, (str(arrangement.get("subtitle", "")), names)))
    return {**arrangement, "subtitle": subtitle, "showlegend": False}


def _name(trace: Mapping[str, Any]) -> str:
    """A trace's name in its colour, after the sign that it is drawn with; the whole is kept on one line."""
    line, marker = trace.get("line", {}), trace.get("marker", {})
    symbol = marker.get("symbol", "circle")
    has_line = "lines" in str(trace.get("mode", "")) and line.get("width", 2) and "fill" not in trace
    if has_line:
        sign = _LINES.get(line.get("dash", "solid"), _LINES["solid"])
    else:
        sign = _CHARACTERS.get(str(symbol), "●") if "markers" in str(trace.get("mode", "")) else "■"
    # A pale area has its colour in its outline.
    candidates = (line.get("color"), marker.get("color"), marker.get("line", {}).get("color"))
    colours = (one for one in candidates if isinstance(one, str) and one[:1] == "#")
    # What is white in the plot would be hard to read on a white page.
    colour = next((one for one in colours if one != "#FFFFFF"), NEUTRAL)
    text = without_tags(f"{sign} {trace['name']}").replace(" ", _NO_BREAK)
    return f"<span style='color:{colour}'>{text}</span>{_GAP}"


def layout(
    *,
    title: str,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    height: int = 480,
    subtitle: str = "",
    **more: Any,
) -> dict[str, Any]:
    """The layout of all figures: quiet axes, the title where the page's text starts, a legend below the plot.

    `subtitle` : lines under the title: what the picture was made of, for where it stands alone, or names of traces.
    """
    common: dict[str, Any] = {
        "template": "none",
        "title": {
            "text": title,
            "x": 0,
            "xanchor": "left",
            "xref": "container",
            "font": {"size": TITLE_SIZE},
            "yref": "container",
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 6},
        },
        "height": height,
        "margin": dict(_MARGIN),
        "hovermode": "x unified",
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        "uirevision": "kept",
        "xaxis": {**AXIS, **xaxis},
        "yaxis": {**AXIS, **yaxis},
    }
    result = common | more
    if subtitle:
        result["title"] = {**common["title"], "subtitle": {"text": subtitle, "font": {"size": TEXT_SIZE}}}
        n_lines = subtitle.count("<br>") + 1
        result["margin"] = {**result["margin"], "t": result["margin"]["t"] + n_lines * SUBTITLE}
    return result


_MOST_OF_A_NAME = 40


def as_written(name: str) -> str:
    """A name that the user gave, for a title: cut off with … if it is long, and with no tag, not even one that figures use."""
    return without_tags(name if len(name) <= _MOST_OF_A_NAME else f"{name[: _MOST_OF_A_NAME - 1]}…")


def without_tags(text: str) -> str:
    """A text with names that the user gave, without a tag."""
    return text.replace("<", "&lt;")
