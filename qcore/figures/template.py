"""How every figure looks: the colour, dash and marker of each method, and the quiet frame around the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import plotly.graph_objects as go

from qcore.quantifiers import QUANTIFIERS

NEUTRAL: Final = "#808080"
"""For what is not a method: the diagonal, the training prevalence. Seen on white and on black."""

PALETTE: Final = ("#0072B2", "#D55E00", "#009E73", "#C2589A", "#B58A00", "#8F5A48", "#7A68C8", "#5E8C31")
"""Okabe and Ito's hues, the light ones darkened: each has contrast of 3 or more with white and with the dark page."""

POSITIVES: Final = "#B8505A"
NEGATIVES: Final = "#4F7CAC"
"""The two classes, wherever they are drawn apart."""

SEQUENTIAL: Final = "Cividis"
"""Perceptually even, for what grows from 0: dark is little."""

DIVERGING: Final = ((0.0, "#0B5A8A"), (0.25, "#6FA8CC"), (0.5, "#E8E8E8"), (0.75, "#E39A63"), (1.0, "#A64800"))
"""For what has a sign: blue below zero, grey at it, orange above."""

DASHES: Final = ("solid", "dash", "dot", "dashdot")
_SYMBOLS: Final = (
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
)


AXIS: Final[Mapping[str, Any]] = MappingProxyType({"zeroline": False, "ticks": "outside", "automargin": True})
"""What all axes have in common."""


def tinted(colour: str, opacity: float) -> str:
    """A colour #rrggbb as rgba with `opacity`."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def mark_at(x: float) -> dict[str, Any]:
    """A shape: a dotted line up the whole plot, such as at the training prevalence."""
    line = {"color": NEUTRAL, "dash": "dot", "width": 1.5}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": line}


@dataclass(frozen=True)
class Style:
    """How a method is drawn, on every page, light and dark."""

    colour: str
    dash: str
    symbol: str

    def fill(self, opacity: float) -> str:
        """The colour as rgba with `opacity`, for a band."""
        return tinted(self.colour, opacity)


def method_style(method: str) -> Style:
    """The style of a registered quantifier: by its place in the registry, so that it never changes; BL is neutral."""
    place = list(QUANTIFIERS).index(method)
    if place == 0:
        return Style(NEUTRAL, "solid", "line-ew")
    place -= 1
    return Style(
        PALETTE[place % len(PALETTE)],
        DASHES[(place + place // len(PALETTE)) % len(DASHES)],
        _SYMBOLS[place % len(_SYMBOLS)],
    )


_SHADES: Final = ((1.0, 0.0), (0.65, 0.0), (0.5, 127.0))


def distinct_colours(methods: Sequence[str]) -> list[str]:
    """Each method's own colour, darker or lighter where an earlier one has it too: for areas, which have no dash or marker."""
    own = [method_style(method).colour for method in methods]
    found = []
    for place, colour in enumerate(own):
        weight, white = _SHADES[own[:place].count(colour) % len(_SHADES)]
        parts = (int(weight * int(colour[i : i + 2], 16) + white) for i in (1, 3, 5))
        found.append("#" + "".join(f"{part:02X}" for part in parts))
    return found


def framed(
    traces: Sequence[Mapping[str, Any]],
    *,
    title: str,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    height: int = 480,
    **layout: Any,
) -> go.Figure:
    """A figure of `traces` in the common frame.

    The figure is made in one call: Plotly checks each part once, which a string of updates would make it repeat.
    """
    return go.Figure(data=list(traces), layout=frame(title=title, xaxis=xaxis, yaxis=yaxis, height=height, **layout))


def frame(
    *, title: str, xaxis: Mapping[str, Any], yaxis: Mapping[str, Any], height: int = 480, **layout: Any
) -> dict[str, Any]:
    """The layout of all figures: quiet axes, the legend below the plot, clear of the data."""
    common = {
        "template": "none",
        # Below the strip where the buttons appear.
        "title": {
            "text": title,
            "x": 0,
            "xanchor": "left",
            "xref": "paper",
            "font": {"size": 16},
            "yref": "container",
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 32},
        },
        "height": height,
        "margin": {"l": 60, "r": 16, "t": 78, "b": 64},
        "hovermode": "x unified",
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        "uirevision": "kept",
        "xaxis": {**AXIS, **xaxis},
        "yaxis": {**AXIS, **yaxis},
    }
    return common | layout
