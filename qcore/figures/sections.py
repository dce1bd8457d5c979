"""Curves along a row and along a column of a heatmap: one method with its band, the others for comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go

from qcore.figures.template import NEUTRAL, framed, method_style
from qcore.size_effects import Cells, Section, column_section, row_section

_HEIGHT: Final = 300
_MARGIN: Final = {"l": 64, "r": 16, "t": 84, "b": 52}
_BAND_OPACITY: Final = 0.2


def row_figure(cells: Cells, method: str, row: int) -> go.Figure:
    """Mean loss by prevalence at one size, along a row of the heatmap."""
    size = int(cells.sizes[row])
    return _section(
        cells,
        method,
        row_section(cells, row),
        title=f"{method} with samples of {size}",
        xaxis={"title": {"text": "true prevalence", "standoff": 8}, "range": (-0.02, 1.02)},
    )


def column_figure(cells: Cells, method: str, column: int) -> go.Figure:
    """Mean loss by size at one prevalence, along a column of the heatmap; sizes on a logarithmic axis."""
    sizes = cells.sizes.tolist()
    target = float(cells.targets[column])
    return _section(
        cells,
        method,
        column_section(cells, column),
        title=f"{method} at a prevalence of {target:.2f}",
        xaxis={
            "title": {"text": "sample size (logarithmic)", "standoff": 8}, "type": "log", "tickvals": _spaced(sizes),
            "ticktext": [str(size) for size in _spaced(sizes)],
        },
    )  # fmt: skip


def _section(cells: Cells, method: str, section: Section, *, title: str, xaxis: dict[str, Any]) -> go.Figure:
    place, x = cells.methods.index(method), section.x.tolist()
    lower, upper = section.lower[place].tolist(), section.upper[place].tolist()
    style = method_style(method)
    others = [_quiet(name, x, section.mean[i].tolist()) for i, name in enumerate(cells.methods) if i != place]
    band = {
        "type": "scatter", "mode": "lines", "name": f"{method} band", "x": [*x, *x[::-1]],
        "y": [*upper, *lower[::-1]], "fill": "toself", "showlegend": False,
        "fillcolor": style.fill(_BAND_OPACITY), "line": {"width": 0}, "hoverinfo": "skip",
    }  # fmt: skip
    line = {
        "type": "scatter", "mode": "lines+markers", "name": method, "x": x, "showlegend": False,
        "y": section.mean[place].tolist(),
        "customdata": [list(ends) for ends in zip(lower, upper, strict=True)],
        "line": {"color": style.colour, "width": 3}, "marker": {"symbol": style.symbol, "size": 6, "color": style.colour},
        "hovertemplate": "%{y:.4f} (%{customdata[0]:.4f} to %{customdata[1]:.4f})",
    }  # fmt: skip
    yaxis = {"title": {"text": f"mean {cells.loss}", "standoff": 8}, "rangemode": "normal" if cells.signed else "tozero"}
    return framed([band, *others, line], title=title, xaxis=xaxis, yaxis=yaxis, height=_HEIGHT, margin=_MARGIN,
                  hovermode="closest")  # fmt: skip


def _quiet(name: str, x: list[float], y: list[float]) -> dict[str, Any]:
    """Another method, in grey: its name on hover."""
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "showlegend": False, "opacity": 0.55,
        "line": {"color": NEUTRAL, "width": 1.2}, "hovertemplate": f"{name} %{{y:.4f}}<extra></extra>",
    }  # fmt: skip


def _spaced(sizes: Sequence[int]) -> list[int]:
    """Sizes far enough apart on a logarithmic axis to be named, from the largest down."""
    kept: list[int] = []
    for size in reversed(sizes):
        if not kept or size * 1.6 <= kept[-1]:
            kept.append(size)
    return kept[::-1]
