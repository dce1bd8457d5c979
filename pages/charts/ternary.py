"""Figures of three classes on a triangle, whose corners are samples of one class alone; estimates with their regions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pages.charts.figure import NEUTRAL, Figure, figure, method_style, tinted
from pages.charts.traces import line, markers, method_markers
from qcore.base import FloatArray

_HEIGHT = float(np.sqrt(0.75))
_STEPS = 5


def on_triangle(prevalences: FloatArray) -> FloatArray:
    """Where prevalence vectors, (n, 3), are drawn, (n, 2): the first class at the top, the second left, the third right."""
    return np.stack([0.5 * prevalences[:, 0] + prevalences[:, 2], _HEIGHT * prevalences[:, 0]], axis=1)


def triangle(classes: Sequence[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The frame of a triangle with the names of its corners: traces, and what goes into the layout."""
    ends = []
    for step in range(1, _STEPS):
        share = step / _STEPS
        rest = 1.0 - share
        ends += [
            [(share, rest, 0), (share, 0, rest)],
            [(rest, share, 0), (0, share, rest)],
            [(rest, 0, share), (0, rest, share)],
        ]
    lines = [on_triangle(np.array(pair, dtype=float)) for pair in ends]
    x = [part for pair in lines for part in (*pair[:, 0].tolist(), None)]
    y = [part for pair in lines for part in (*pair[:, 1].tolist(), None)]
    grid = line("a fifth each", x, y, colour=tinted(NEUTRAL, 0.35), width=1, showlegend=False)
    edge = on_triangle(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float))
    frame = line("edge", edge[:, 0], edge[:, 1], width=1.5, showlegend=False)
    corners = (((0.5, _HEIGHT), "center", "bottom", 10), ((0.0, 0.0), "left", "top", -10), ((1.0, 0.0), "right", "top", -10))
    names = [
        {"x": x, "y": y, "text": f"<b>all {name}</b>", "showarrow": False, "xanchor": anchor, "yanchor": side, "yshift": shift}
        for name, ((x, y), anchor, side, shift) in zip(classes, corners, strict=True)
    ]
    hidden = {"visible": False, "fixedrange": False}
    return [grid, frame], {
        "annotations": names,
        "hovermode": "closest",
        "xaxis": {**hidden, "range": (-0.06, 1.06)},
        "yaxis": {**hidden, "range": (-0.1, _HEIGHT + 0.1), "scaleanchor": "x"},
        "margin": {"l": 8, "r": 8, "t": 48, "b": 56},
    }


def regions_figure(
    estimates: Mapping[str, FloatArray], outlines: Mapping[str, FloatArray], classes: Sequence[str], truth: FloatArray | None
) -> Figure:
    """Each method's estimate, (3,), with the outline of its region, (n, 3); the truth as a star, where it is known."""
    traces, arrangement = triangle(classes)
    for method, outline in outlines.items():
        colour = method_style(method).colour
        points = on_triangle(outline)
        traces.append(
            line(
                f"{method} region",
                points[:, 0],
                points[:, 1],
                colour=colour,
                width=2,
                fill="toself",
                fillcolor=tinted(colour, 0.15),
                showlegend=False,
                legendgroup=method,
            )
        )
    for method, shares in estimates.items():
        (point,) = on_triangle(shares[np.newaxis])
        hover = f"{method}: {_shares(shares, classes)}"
        traces.append(method_markers(method, point[:1], point[1:], size=11, hover=hover, legendgroup=method))
    if truth is not None:
        (point,) = on_triangle(truth[np.newaxis])
        traces.append(markers("truth", point[:1], point[1:], symbol="star", size=14, hover=f"truth: {_shares(truth, classes)}"))
    return figure(traces, title="Where is the sample?", height=430, **arrangement)


def _shares(shares: FloatArray, classes: Sequence[str]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in zip(classes, shares, strict=True))
