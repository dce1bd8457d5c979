"""Losses by sample size and prevalence: the tab and its figures."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.charts.chart import chart
from pages.charts.figure import DIVERGING, NEUTRAL, SEQUENTIAL, Figure, figure
from pages.charts.panels import Panels, category_axis, wide_and_narrow
from pages.charts.traces import Trace, axis, band, heatmap, line, markers, method_line
from pages.frame.layout import narrow_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.address import current_settings, mark_address_incomplete
from pages.settings.shared import LARGEST_SIZE
from pages.test_size.computations import TestSizeView
from pages.test_size.findings import smoothing_note
from pages.test_size.settings import SETTINGS
from qcore import QUANTIFIERS
from qcore.base import FloatArray
from qcore.evaluation.loss_grid import Difference, GridSection, LossGrid, column_section, row_section
from qcore.protocols.artificial_prevalence import SMALLEST_SIZE

_MARGIN = {"l": 64, "r": 24, "t": 62, "b": 112}
_HEIGHT = 500
_SIGNS = ": below 0 it underestimates"

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
        yaxis=size_axis(grid, 8),
        margin=_MARGIN,
        more=lambda _height: {"coloraxis": _loss_colours(grid, top)},
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
        coloraxis=_loss_colours(grid, None),
        shapes=[style | where for style in (dark, light) for where in (across, down)],
        **_grid_layout(grid),
    )


def difference_heatmap(grid: LossGrid, difference: Difference, first: str, second: str) -> Figure:
    """How much larger the loss of `first` is than that of `second`; blue where `first` is better, grey at zero.

    The scale is that of most cells: where a few differ much more, such as by RAE where a class is absent, they are marked.
    """
    apart = np.abs(difference.mean)
    largest, of_most = max(float(apart.max()), 1e-9), float(np.quantile(apart, _MOST_CELLS))
    end = of_most if 0.0 < of_most < largest / 2.0 else largest
    rows, columns = np.nonzero(apart > end)
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
    bar = _colour_bar(f"{grid.measure}, {first} less {second}")
    sizes = np.array(_size_names(grid))
    beyond = markers("beyond the scale", grid.targets[columns], sizes[rows], symbol="x-thin", colour="#FFFFFF", size=7)
    beyond |= {"marker": {**beyond["marker"], "line": {"width": 1.5, "color": "#FFFFFF"}}}
    marked = f"\N{MULTIPLICATION SIGN} beyond the scale, up to {largest:.2g}" if len(rows) else ""
    return figure(
        [cells, *([beyond] if len(rows) else [])],
        subtitle=marked,
        title=f"{first} or {second}?",
        coloraxis={"colorscale": [list(stop) for stop in DIVERGING], "cmin": -end, "cmax": end, "colorbar": bar},
        **_grid_layout(grid),
    )


_MOST_CELLS = 0.9


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


def _loss_colours(grid: LossGrid, top: float | None) -> dict[str, Any]:
    end = max(grid.largest if top is None else top, 1e-9)
    if grid.signed:
        scale = {"colorscale": [list(stop) for stop in DIVERGING], "cmin": -end, "cmax": end}
    else:
        scale = {"colorscale": SEQUENTIAL, "cmin": 0.0, "cmax": end}
    return {**scale, "colorbar": _colour_bar(f"mean {grid.loss}{_SIGNS if grid.signed else ''}")}


def _colour_bar(title: str) -> dict[str, Any]:
    """A colour bar at the bottom of a figure, below the title of the x axis."""
    return {
        "orientation": "h",
        "thickness": 12,
        "len": 0.6,
        "lenmode": "fraction",
        "x": 0,
        "xanchor": "left",
        "xpad": 0,
        "yref": "container",
        "y": 0,
        "yanchor": "bottom",
        "ypad": 0,
        "title": {"text": title, "side": "top"},
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


def size_axis(grid: LossGrid, max_labels: int = 24) -> dict[str, Any]:
    """The y axis of a grid: its sizes, as rows of equal height, of which at most `max_labels` are named."""
    return {**category_axis(grid.sizes.tolist(), max_labels), **axis("sample size")}


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


TEXTS = texts_of("test_size")
_GOOD_COLOUR = {False: "dark is good", True: "grey is good"}


def heatmaps_section(view: TestSizeView) -> None:
    """Draw heatmaps of the chosen methods; below them any one method enlarged, with the curves along a row and a column."""
    chosen = view.losses()
    st.markdown(TEXTS["heatmaps"].format(good=_GOOD_COLOUR[chosen.signed]))
    panel_part = st.container()
    st.markdown(TEXTS["enlarged_heatmap"])
    left, middle, right = narrow_row("enlarged_heatmap", 3)
    with left:
        method = control.choice(SETTINGS["look"])
    with middle:
        size = _size(chosen.sizes.tolist())
    with right:
        prevalence = control.slider(SETTINGS["at_p"])
    cell = method, chosen.sizes.tolist().index(size), int(np.abs(chosen.targets - prevalence).argmin())
    with panel_part:
        top = chosen.scale_end
        chart(
            loss_heatmaps(chosen, top, cell),
            key="loss_by_size",
            alt=f"Heatmaps of mean {view.loss} by sample size and true prevalence, one for each quantifier.",
            on_click=_select_cell,
            enlarges="enlarged_heatmap",
        )
        st.caption(_caption(chosen, top))
    _enlarged(view, cell)


def _size(sizes: list[int]) -> int:
    """Draw the control of the size; returns one of `sizes`, the nearest to the current setting."""
    default = int(str(SETTINGS["at_size"].default))
    requested = int(str(current_settings({"at_size": SETTINGS["at_size"]})["at_size"]))
    if (nearest := _nearest(sizes, requested)) != requested:
        if "at_size" not in st.session_state:
            control.note(f"The link's size (row), {requested}, is not in the grid; the nearest, {nearest}, is used instead.")
        st.session_state["at_size"] = nearest
        mark_address_incomplete()
    # The default's index, whatever it is: a value equal to the default is left out of the URL.
    index = sizes.index(_nearest(sizes, default))
    chosen: int = st.selectbox("Size (row)", sizes, index=index, key="at_size", bind="query-params")
    return chosen


def _nearest(sizes: list[int], size: int) -> int:
    return min(sizes, key=lambda other: abs(other - size))


def _enlarged(view: TestSizeView, cell: tuple[str, int, int]) -> None:
    method, row, column = cell
    chart(
        enlarged_heatmap(view.losses([method]), method, (row, column)),
        key="enlarged_heatmap",
        alt=f"Heatmap of the mean {view.loss} of {method} by sample size and true prevalence.",
        on_click=_select_cell,
    )


def _select_cell(name: Any, x: Any, y: Any) -> None:
    """Select a clicked cell, given by the clicked trace's name, the prevalence and the size."""
    cell = clicked_cell(name, x, y)
    if cell is not None:
        st.session_state["look"], st.session_state["at_size"], st.session_state["at_p"] = cell


def clicked_cell(name: Any, x: Any, y: Any) -> tuple[str, int, float] | None:
    """(method, size, prevalence) of a clicked mark, or None if it is invalid: a browser may send anything."""
    try:
        size, prevalence = int(str(y)), round(float(x), 6)
    except (TypeError, ValueError):
        return None
    known = isinstance(name, str) and name in QUANTIFIERS
    fits = SMALLEST_SIZE <= size <= LARGEST_SIZE and 0.0 <= prevalence <= 1.0
    return (name, size, prevalence) if known and fits else None


def _caption(cells: LossGrid, top: float) -> str:
    note = ""
    if top < cells.largest:
        note = f" The colour scale ends at {top:.2g}, the largest value is {cells.largest:.2g}."
    return (
        f"Each cell is the mean over {cells.n_repeats} samples. The truth is the prevalence that a sample really has: with 10 "
        f"instances, 0.33 becomes 0.3, and columns may be equal.{note} "
        f"{smoothing_note(cells.loss)}"
    )


_SECTION_HEIGHT = 235
_SECTION_MARGIN = {"l": 64, "r": 24, "t": 54, "b": 56}


def row_figure(grid: LossGrid, method: str, row: int) -> Figure:
    """Mean loss by prevalence at one size, along a row of the heatmap."""
    title = f"{method} with samples of {int(grid.sizes[row])}"
    return _section_figure(
        grid, method, row_section(grid, row), title, axis("true prevalence", (-0.02, 1.02), tickformat=".0%")
    )


def column_figure(grid: LossGrid, method: str, column: int) -> Figure:
    """Mean loss by size at one prevalence, along a column of the heatmap; sizes on a logarithmic axis."""
    ticks = _spaced(grid.sizes.tolist())
    xaxis = axis("sample size (logarithmic)", type="log", tickvals=ticks, ticktext=[str(size) for size in ticks])
    title = f"{method} at a prevalence of {float(grid.targets[column]):.0%}"
    return _section_figure(grid, method, column_section(grid, column), title, xaxis)


def _section_figure(grid: LossGrid, method: str, section: GridSection, title: str, xaxis: dict[str, Any]) -> Figure:
    i, x = grid.methods.index(method), section.x.tolist()
    lower, upper = section.lower[i].tolist(), section.upper[i].tolist()
    others = [
        line(name, x, section.mean[j], width=1.2, hover=f"{name} %{{y:.4f}}<extra></extra>", showlegend=False, opacity=0.55)
        for j, name in enumerate(grid.methods)
        if j != i
    ]
    hover = "%{y:.4f} (%{customdata[0]:.4f} to %{customdata[1]:.4f})"
    ends = [list(pair) for pair in zip(lower, upper, strict=True)]
    means = method_line(method, x, section.mean[i], width=3, size=6, hover=hover, customdata=ends, showlegend=False)
    means["line"].pop("dash", None)
    return figure(
        [band(method, x, lower, upper, opacity=0.2), *others, means],
        title=title,
        xaxis=xaxis,
        yaxis=axis(f"mean {grid.loss}", rangemode="normal" if grid.signed else "tozero"),
        height=_SECTION_HEIGHT,
        margin=_SECTION_MARGIN,
        hovermode="closest",
    )


def _spaced(sizes: Sequence[int]) -> list[int]:
    """The sizes to label on a logarithmic axis: far enough apart, chosen from the largest down."""
    kept: list[int] = []
    for size in reversed(sizes):
        if not kept or size * 1.6 <= kept[-1]:
            kept.append(size)
    return kept[::-1]
