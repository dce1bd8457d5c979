"""Losses by sample size (rows) and prevalence (columns): a heatmap for each method, one of them enlarged, a difference."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pages.charts.figure import Figure
from pages.charts.panels import Panels, category_axis, wide_and_narrow
from pages.charts.style import DIVERGING, NEUTRAL, SEQUENTIAL, figure
from pages.charts.traces import Trace, axis, heatmap, markers
from qcore._base.validation import FloatArray
from qcore.evaluation.loss_grid import LossGrid
from qcore.evaluation.loss_grid_comparison import Difference

_MARGIN: Final = {"l": 64, "r": 24, "t": 62, "b": 112}
_HEIGHT: Final = 500
_SIGNS: Final = ": below 0 it underestimates"

Cell = tuple[str, int, int]
"""A cell: its method, and the indices of its size and of its prevalence."""


def loss_heatmaps(grid: LossGrid, top: float | None = None, cell: Cell | None = None) -> Panels:
    """Mean loss by size and prevalence, a panel for each method, all on one colour scale.

    `top` is the end of the scale (by default the largest mean): larger values get the last colour. `cell` is marked if its
    method is in the grid.
    """
    panels = {method: [_heatmap(grid, i)] for i, method in enumerate(grid.methods)}
    if cell and cell[0] in panels:
        panels[cell[0]] += _mark(grid, *cell[1:])
    return wide_and_narrow(
        panels,
        title=f"Mean {grid.loss} by sample size and prevalence",
        xaxis={**prevalence_axis(grid), "tickvals": [0, 0.5, 1]},
        yaxis=size_axis(grid),
        margin=_MARGIN,
        more=lambda height: {"coloraxis": _loss_colours(grid, top, height)},
    )


def enlarged_heatmap(grid: LossGrid, method: str, cell: tuple[int, int]) -> Figure:
    """One method's heatmap on its own colour scale, the row and the column of a cell framed.

    `cell`: indices of a size and of a prevalence.
    """
    grid = grid.select([method])
    row, column = cell
    half = _half_step(grid.targets)
    x = float(grid.targets[column])
    ends = _prevalence_limits(grid)
    across = {"x0": ends[0], "x1": ends[1], "y0": row - 0.5, "y1": row + 0.5}
    down = {"x0": x - half, "x1": x + half, "y0": -0.5, "y1": len(grid.sizes) - 0.5}
    rectangle = {"type": "rect", "fillcolor": "rgba(0,0,0,0)"}
    dark, light = ({**rectangle, "line": {"color": c, "width": w}} for c, w in (("#000000", 3.5), ("#FFFFFF", 1.5)))
    return figure(
        [_heatmap(grid, 0)],
        title=f"{method}, on its own scale",
        coloraxis=_loss_colours(grid, None, _HEIGHT),
        shapes=[style | where for style in (dark, light) for where in (across, down)],
        **_grid_layout(grid),
    )


def difference_heatmap(grid: LossGrid, difference: Difference, first: str, second: str) -> Figure:
    """How much larger the loss of `first` is than that of `second`; blue where `first` is better, grey at zero."""
    end = max(float(np.abs(difference.mean).max()), 1e-9)
    cells = heatmap(
        f"{first} less {second}",
        grid.targets,
        _size_names(grid),
        _compact(difference.mean),
        hover=f"{first} less {second}: <b>%{{z:.4f}}</b><br>standard error %{{customdata[0]:.4f}}"
        "<br>size %{y}, prevalence %{customdata[1]:.0%}<extra></extra>",
        coloraxis="coloraxis",
        customdata=_compact(np.stack([difference.standard_error, grid.true], axis=-1)),
    )
    bar = _colour_bar(f"{grid.measure}, {first} less {second}", _HEIGHT)
    return figure(
        [cells],
        title=f"{first} or {second}?",
        coloraxis={"colorscale": [list(stop) for stop in DIVERGING], "cmin": -end, "cmax": end, "colorbar": bar},
        **_grid_layout(grid),
    )


def _grid_layout(grid: LossGrid) -> dict[str, Any]:
    return {
        "height": _HEIGHT,
        "hovermode": "closest",
        "dragmode": False,
        "margin": _MARGIN,
        "xaxis": prevalence_axis(grid),
        "yaxis": size_axis(grid),
    }


def _mark(grid: LossGrid, row: int, column: int) -> list[Trace]:
    """A square around a cell, visible on light and on dark."""
    x, y = [float(grid.targets[column])], [_size_names(grid)[row]]
    edges = (("selected, edge", "#000000", 4), ("selected", "#FFFFFF", 2))
    return [
        markers(name, x, y, symbol="square-open", size=13, colour=colour, edge={"width": width}, showlegend=False)
        for name, colour, width in edges
    ]


def _heatmap(grid: LossGrid, i: int) -> Trace:
    method = grid.methods[i]
    return heatmap(
        method,
        grid.targets,
        _size_names(grid),
        _compact(grid.means[i]),
        hover=f"<b>{method}: %{{z:.4f}}</b><br>10th to 90th percentile %{{customdata[0]:.4f}} to "
        f"%{{customdata[1]:.4f}}<br>{grid.n_repeats} samples of %{{y}}, prevalence %{{customdata[2]:.0%}}"
        "<br>(requested: %{x:.0%})<extra></extra>",
        customdata=_compact(np.stack([*grid.bands[:, i], grid.true], axis=-1)),
        coloraxis="coloraxis",
    )


def _loss_colours(grid: LossGrid, top: float | None, height: int) -> dict[str, Any]:
    end = max(grid.largest if top is None else top, 1e-9)
    if grid.signed:
        scale = {"colorscale": [list(stop) for stop in DIVERGING], "cmin": -end, "cmax": end}
    else:
        scale = {"colorscale": SEQUENTIAL, "cmin": 0.0, "cmax": end}
    return {**scale, "colorbar": _colour_bar(f"mean {grid.loss}{_SIGNS if grid.signed else ''}", height)}


def _colour_bar(title: str, height: int) -> dict[str, Any]:
    """A colour bar below the title of the x axis, in a figure of that height."""
    plot = height - _MARGIN["t"] - _MARGIN["b"]
    return {
        "orientation": "h",
        "thickness": 12,
        "len": 0.6,
        "lenmode": "fraction",
        "x": 0,
        "xanchor": "left",
        "xpad": 0,
        "y": -52.0 / plot,
        "yanchor": "top",
        "ypad": 0,
        "title": {"text": title, "side": "top", "font": {"size": 13}},
        "outlinecolor": NEUTRAL,
        "outlinewidth": 0.5,
        "nticks": 6,
    }


def prevalence_axis(grid: LossGrid) -> dict[str, Any]:
    """The x axis of a grid: the requested prevalences, with the outer cells whole."""
    return axis(
        "true prevalence",
        _prevalence_limits(grid),
        tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1],
        tickformat=".0%",
        showgrid=False,
        fixedrange=True,
    )


def size_axis(grid: LossGrid) -> dict[str, Any]:
    """The y axis of a grid: its sizes, as rows of equal height."""
    return {**category_axis(grid.sizes.tolist()), **axis("sample size")}


def _size_names(grid: LossGrid) -> list[str]:
    return [str(size) for size in grid.sizes]


def _prevalence_limits(grid: LossGrid) -> tuple[float, float]:
    half = _half_step(grid.targets)
    return float(grid.targets[0]) - half, float(grid.targets[-1]) + half


def _half_step(targets: FloatArray) -> float:
    return float(np.diff(targets).min()) / 2.0


def _compact(values: FloatArray) -> NDArray[np.float32]:
    """Many numbers in the form that is sent fastest: an array in single precision is sent whole, a list number by number."""
    return values.astype(np.float32)
