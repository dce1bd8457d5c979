"""Losses by sample size (rows) and prevalence (columns): a heatmap for each method, one of them closely, a difference."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from qcore.figures.panels import Panels, categories, wide_and_narrow
from qcore.figures.template import DIVERGING, NEUTRAL, SEQUENTIAL, framed
from qcore.size_effects import Cells, Difference
from qcore.validation import FloatArray

_MARGIN: Final = {"l": 64, "r": 16, "t": 92, "b": 128}
_X_TITLE: Final = {"text": "true prevalence", "standoff": 8}
_Y_TITLE: Final = {"text": "sample size", "standoff": 8}
_HEIGHT: Final = 500
_SIGNS: Final = ": below 0 it underestimates"


Place = tuple[str, int, int]
"""A cell: its method, and its places among sizes and prevalences."""


def loss_heatmaps(cells: Cells, top: float | None = None, at: Place | None = None) -> Panels:
    """Mean loss by size and prevalence, a panel for each method, all on one colour scale.

    `top` is where the scale ends (by default at the largest mean): what is above is drawn in its last colour. `at` is a cell
    to mark, if its method is here.
    """
    panels = {method: [_heat(cells, place)] for place, method in enumerate(cells.methods)}
    if at and at[0] in panels:
        panels[at[0]] += _mark(cells, *at[1:])
    title = f"Mean {cells.loss} by sample size and prevalence"
    return wide_and_narrow(
        panels,
        title=title,
        xaxis={**prevalences(cells), "tickvals": [0, 0.5, 1]},
        yaxis=sizes(cells),
        margin=_MARGIN,
        more=lambda height: {"coloraxis": _loss_colours(cells, top, height)},
    )


def closer_heatmap(cells: Cells, method: str, at: tuple[int, int]) -> go.Figure:
    """One method's heatmap on a scale of its own, the row and the column of the cell `at` framed.

    `at` are places of a size and of a prevalence.
    """
    cells = cells.of([method])
    row, column = at
    half = _half_step(cells.targets)
    frame = {"type": "rect", "line": {"color": "#FFFFFF", "width": 1.5}, "fillcolor": "rgba(0,0,0,0)"}
    dark = {**frame, "line": {"color": "#000000", "width": 3.5}}
    x, y = float(cells.targets[column]), row
    edges = (float(cells.targets[0]) - half, float(cells.targets[-1]) + half)
    across = {"x0": edges[0], "x1": edges[1], "y0": y - 0.5, "y1": y + 0.5}
    down = {"x0": x - half, "x1": x + half, "y0": -0.5, "y1": len(cells.sizes) - 0.5}
    return framed(
        [_heat(cells, 0)],
        title=f"{method}, on its own scale",
        height=_HEIGHT,
        hovermode="closest",
        dragmode=False,
        margin=_MARGIN,
        coloraxis=_loss_colours(cells, None, _HEIGHT),
        shapes=[style | where for style in (dark, frame) for where in (across, down)],
        xaxis=prevalences(cells),
        yaxis=sizes(cells),
    )


def difference_heatmap(cells: Cells, difference: Difference, first: str, second: str) -> go.Figure:
    """How much larger the loss of `first` is than that of `second`; blue where `first` is better, grey at zero."""
    end = max(float(np.abs(difference.mean).max()), 1e-9)
    heat = {
        "type": "heatmap", "name": f"{first} less {second}", "x": cells.targets.tolist(), "y": _names(cells),
        "z": _compact(difference.mean), "coloraxis": "coloraxis",
        "customdata": _compact(np.stack([difference.standard_error, cells.true], axis=-1)),
        "hovertemplate": f"{first} less {second}: <b>%{{z:.4f}}</b><br>standard error %{{customdata[0]:.4f}}"
        "<br>size %{y}, prevalence %{customdata[1]:.2f}<extra></extra>",
    }  # fmt: skip
    bar = _bar(f"{cells.measure}, {first} less {second}", _HEIGHT)
    return framed(
        [heat],
        title=f"{first} or {second}?",
        height=_HEIGHT,
        hovermode="closest",
        dragmode=False,
        margin=_MARGIN,
        coloraxis={"colorscale": [list(stop) for stop in DIVERGING], "cmin": -end, "cmax": end, "colorbar": bar},
        xaxis=prevalences(cells),
        yaxis=sizes(cells),
    )


def _mark(cells: Cells, row: int, column: int) -> list[dict[str, Any]]:
    """A square around a cell, seen on light and on dark."""
    common = {"type": "scatter", "mode": "markers", "x": [float(cells.targets[column])], "y": [_names(cells)[row]],
              "showlegend": False, "hoverinfo": "skip"}  # fmt: skip
    edges = (("looked at, edge", "#000000", 4), ("looked at", "#FFFFFF", 2))
    return [
        {**common, "name": name, "marker": {"symbol": "square-open", "size": 13, "color": colour, "line": {"width": width}}}
        for name, colour, width in edges
    ]


def top_of_scale(cells: Cells) -> float:
    """Where a shared colour scale ends so that few large means do not leave all others in one colour.

    The largest mean, unless it is more than half as large again as the 90th percentile of all: then that.
    """
    high = float(np.quantile(cells.magnitudes, 0.9))
    return high if 0.0 < high < cells.largest / 1.5 else cells.largest


def _heat(cells: Cells, place: int) -> dict[str, Any]:
    details = np.stack([*cells.bands[:, place], cells.true], axis=-1)
    return {
        "type": "heatmap", "name": cells.methods[place], "x": cells.targets.tolist(), "y": _names(cells),
        "z": _compact(cells.means[place]), "customdata": _compact(details), "coloraxis": "coloraxis",
        "hovertemplate": f"<b>{cells.methods[place]}: %{{z:.4f}}</b><br>10th to 90th percentile %{{customdata[0]:.4f}} to "
        f"%{{customdata[1]:.4f}}<br>{cells.n_repeats} samples of %{{y}}, prevalence %{{customdata[2]:.2f}}"
        "<br>(asked for: %{x:.2f})<extra></extra>",
    }  # fmt: skip


def _loss_colours(cells: Cells, top: float | None, height: int) -> dict[str, Any]:
    end = max(cells.largest if top is None else top, 1e-9)
    if cells.signed:
        scale = {"colorscale": [list(stop) for stop in DIVERGING], "cmin": -end, "cmax": end}
    else:
        scale = {"colorscale": SEQUENTIAL, "cmin": 0.0, "cmax": end}
    return {**scale, "colorbar": _bar(f"mean {cells.loss}{_SIGNS if cells.signed else ''}", height)}


def _bar(title: str, height: int) -> dict[str, Any]:
    """A colour bar below the x axis's title, in a figure of that height."""
    plot = height - _MARGIN["t"] - _MARGIN["b"]
    return {
        "orientation": "h", "thickness": 12, "len": 0.6, "lenmode": "fraction", "x": 0, "xanchor": "left", "xpad": 0,
        "y": -62.0 / plot, "yanchor": "top", "ypad": 0, "title": {"text": title, "side": "bottom", "font": {"size": 13}},
        "outlinecolor": NEUTRAL, "outlinewidth": 0.5, "nticks": 6,
    }  # fmt: skip


def prevalences(cells: Cells) -> dict[str, Any]:
    """The x axis of cells: the prevalences that were asked for, with the outer cells whole."""
    half = _half_step(cells.targets)
    return {
        "title": _X_TITLE, "range": (float(cells.targets[0]) - half, float(cells.targets[-1]) + half),
        "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1], "showgrid": False, "fixedrange": True,
    }  # fmt: skip


def sizes(cells: Cells) -> dict[str, Any]:
    """The y axis of cells: their sizes, as rows of one height."""
    return {**categories(cells.sizes.tolist()), "title": _Y_TITLE}


def _names(cells: Cells) -> list[str]:
    return [str(size) for size in cells.sizes]


def _half_step(targets: FloatArray) -> float:
    return float(np.diff(targets).min()) / 2.0


def _compact(values: FloatArray) -> NDArray[np.float32]:
    """Many numbers as Plotly sends them fastest: an array of single precision goes as it is, a list number by number."""
    return values.astype(np.float32)
