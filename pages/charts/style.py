"""How every figure looks: the colour, dash and marker of each quantifier and classifier, and the layout around the data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from pages.charts.figure import Figure
from qcore.classifiers import CLASSIFIERS
from qcore.displays.plotly_display import NEUTRAL as NEUTRAL
from qcore.displays.plotly_display import PALETTE as PALETTE
from qcore.displays.plotly_display import tinted as tinted
from qcore.quantifiers import QUANTIFIERS

POSITIVES = "#B8505A"
NEGATIVES = "#4F7CAC"
"""The two classes, wherever they are drawn separately."""

SEQUENTIAL = "Cividis"
"""A perceptually uniform scale for values from 0 upwards that are best low: dark is good."""

SEQUENTIAL_HIGH = "Reds"
"""A scale for values that are best high: dark is good there, too, and blue, green and grey lines over it are seen."""

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
    # The variation selector after the cross makes phones draw it as text, not as an emoji.
    {
        "circle": "●",
        "square": "■",
        "diamond": "◆",
        "triangle-up": "▲",
        "x": "✖\N{VARIATION SELECTOR-15}",
        "cross": "✚",
        "triangle-down": "▼",
        "star": "★",
        "hexagon": "⬢",
        "pentagon": "⬟",
        "star-diamond": "✦",
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
    """The style of the `number`-th of several things: neighbours differ in colour, those of one colour in dash and symbol."""
    turn = number // len(PALETTE)
    return Style(PALETTE[number % len(PALETTE)], _DASHES[(number + turn) % len(_DASHES)], symbols[number % len(symbols)])


def method_style(method: str) -> Style:
    """The style of a registered quantifier: by its position in the registry, so it never changes; the baseline is neutral."""
    position = list(QUANTIFIERS).index(method)
    return numbered_style(position - 1) if position else Style(NEUTRAL, "solid", "line-ew")


def run_style(method: str) -> Style:
    """The style of a method of an experiment: that of a registered quantifier, or one that its name alone decides."""
    return method_style(method) if method in QUANTIFIERS else numbered_style(len(QUANTIFIERS) + sum(map(ord, method)) % 8)


def classifier_style(classifier: str) -> Style:
    """The style of a registered classifier: by its position in the registry; its symbol can be drawn in three dimensions."""
    position = list(CLASSIFIERS).index(classifier)
    style = numbered_style(position)
    symbol = SYMBOLS_IN_SPACE[(position + position // len(PALETTE)) % len(SYMBOLS_IN_SPACE)]
    return Style(style.colour, style.dash, symbol)


SMALL = 400
"""Figures up to this height in pixels have smaller titles and legends."""

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


_MARGIN = MappingProxyType({"l": 68, "r": 24, "t": 48, "b": 64})
"""As much as most labels need. Where they need more, the browser finds out while it draws, and draws once more."""
SUBTITLE = 14
"""Height that a subtitle adds, in pixels."""
_ONE_ROW = 22
"""Height of a legend of one row, in pixels."""


def figure(
    traces: Sequence[Mapping[str, Any]],
    *,
    title: str,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    height: int = 480,
    **more: Any,
) -> Figure:
    """A figure of `traces` in the common layout."""
    if sum(bool(trace.get("showlegend", True)) for trace in traces) > 1 and more.get("showlegend", True):
        more = {"margin": {**_MARGIN, "b": _MARGIN["b"] + _ONE_ROW}, **more}
    return Figure(list(traces), layout(title=title, xaxis=xaxis, yaxis=yaxis, height=height, **more))


def layout(
    *,
    title: str,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    height: int = 480,
    subtitle: str = "",
    **more: Any,
) -> dict[str, Any]:
    """The layout of all figures: quiet axes, the legend below the plot, clear of the data.

    `subtitle` : what the picture was made of, for where it stands alone, as on a slide.
    """
    common: dict[str, Any] = {
        "template": "none",
        "title": {
            "text": title,
            "x": 0,
            "xanchor": "left",
            "xref": "paper",
            "font": {"size": 17},
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
    if height <= SMALL:
        common["title"] = {**common["title"], "font": {"size": 15}}
    result = common | more
    if subtitle:
        result["title"] = {**common["title"], "subtitle": {"text": subtitle, "font": {"size": 13}}}
        result["margin"] = {**result["margin"], "t": result["margin"]["t"] + SUBTITLE}
    return result


_MOST_OF_A_NAME = 40


def as_written(name: str) -> str:
    """A name that the user gave, for a title: cut off with … if it is long, and with no tag, not even one that figures use."""
    return without_tags(name if len(name) <= _MOST_OF_A_NAME else f"{name[: _MOST_OF_A_NAME - 1]}…")


def without_tags(text: str) -> str:
    """A text with names that the user gave, without a tag."""
    return text.replace("<", "&lt;")
