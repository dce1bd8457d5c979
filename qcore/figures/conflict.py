"""Two perfect quantifiers that contradict each other: their lines among the irises, and what they count as classes move."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from qcore.conflict import FEATURES, POSITIVE, Conflict, Hypothesis
from qcore.figures.template import NEGATIVES, NEUTRAL, PALETTE, POSITIVES, framed, mark_at
from qcore.validation import FloatArray

_STYLES: Final = (("dash", PALETTE[1]), ("solid", PALETTE[2]))
_SYMBOLS: Final = ("square-open", "diamond-open")


def hypotheses_figure(found: Conflict) -> go.Figure:
    """The irises by petal length and width, with both lines."""
    across, up = (found.table[feature].to_numpy(float) for feature in FEATURES)
    classes = found.table["class"].to_numpy(str)
    others = [name for name in dict.fromkeys(classes.tolist()) if name != POSITIVE]
    dots = [_dots(f"{name} (negative)", across[classes == name], up[classes == name], NEGATIVES, symbol)
            for name, symbol in zip(others, _SYMBOLS, strict=True)]  # fmt: skip
    dots.append(_dots(f"{POSITIVE} (positive)", across[classes == POSITIVE], up[classes == POSITIVE], POSITIVES, "circle"))
    ends = np.array([across.min() - 0.3, across.max() + 0.3]), np.array([up.min() - 0.2, up.max() + 0.2])
    lines = [_line(one, style, ends) for one, style in zip(found.hypotheses, _STYLES, strict=True)]
    return framed(
        [*dots, *lines],
        title="Which side is class 3?",
        height=420,
        hovermode="closest",
        xaxis={"title": {"text": FEATURES[0]}, "range": ends[0].tolist(), "showgrid": False},
        yaxis={"title": {"text": FEATURES[1]}, "range": ends[1].tolist(), "showgrid": False},
    )


def counted_figure(found: Conflict) -> go.Figure:
    """What each hypothesis counts by the true prevalence of class 3."""
    prevalences = np.linspace(0, 1, 21)
    here = found.positives / (found.positives + found.negatives)
    traces: list[dict[str, Any]] = [
        {"type": "scatter", "name": "truth", "x": [0, 1], "y": [0, 1], "mode": "lines", "hoverinfo": "skip",
         "line": {"color": NEUTRAL, "width": 1.5}},
    ]  # fmt: skip
    for one, (dash, colour) in zip(found.hypotheses, _STYLES, strict=True):
        traces.append(
            {"type": "scatter", "name": one.name, "x": prevalences.tolist(), "y": found.counted(one, prevalences).tolist(),
             "mode": "lines", "line": {"color": colour, "dash": dash, "width": 3}, "hovertemplate": "%{y:.2f}"}
        )  # fmt: skip
    return framed(
        traces,
        title="What each counts, by prevalence",
        height=420,
        shapes=[mark_at(here)],
        xaxis={"title": {"text": "true prevalence of class 3"}, "range": [0, 1]},
        yaxis={"title": {"text": "counted prevalence"}, "range": [-0.02, 1.02]},
    )


def _dots(name: str, x: FloatArray, y: FloatArray, colour: str, symbol: str) -> dict[str, Any]:
    return {
        "type": "scatter", "name": name, "x": x.tolist(), "y": y.tolist(), "mode": "markers",
        "marker": {"color": colour, "symbol": symbol, "size": 8, "opacity": 0.85},
        "hovertemplate": f"{name}<br>%{{x}} cm x %{{y}} cm<extra></extra>",
    }  # fmt: skip


def _line(one: Hypothesis, style: tuple[str, str], ends: tuple[FloatArray, FloatArray]) -> dict[str, Any]:
    """The stretch of the line that lies in the frame."""
    (length, width), (across, up) = one.normal, ends
    # Where it crosses the lower and the upper edge, cut off at the left and the right one.
    x = np.clip((one.offset - width * up) / length, across[0], across[1])
    y = (one.offset - length * x) / width
    side = "above" if width > 0 else "below"
    return {
        "type": "scatter", "name": f"{one.name}: counts what lies {side}", "x": x.tolist(), "y": y.tolist(), "mode": "lines",
        "hoverinfo": "name",
        "line": {"dash": style[0], "color": style[1], "width": 3},
    }  # fmt: skip
