"""The method with the lowest mean loss by sample size and prevalence, and where others are as good."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, distinct_colours, figure, method_style, tinted
from pages.charts.traces import Trace, heatmap, markers
from pages.test_size.loss_heatmaps_figure import prevalence_axis, size_axis
from qcore.evaluation.loss_grid import LossGrid
from qcore.evaluation.loss_grid_comparison import Winners

_MAX_MARKED: Final = 21
"""The largest number of prevalences whose cells can hold a marker; narrower cells show their winner by colour only."""

_TIED_OPACITY: Final = 0.35


def winners_figure(grid: LossGrid, winners: Winners) -> Figure:
    """The winner of each cell by its colour and marker; a faint cell with an open marker has methods that are as good.

    A cell in which several have exactly the same mean is grey, without a marker.
    """
    shown = [int(i) for i in np.unique(winners.best[~winners.equal])]
    names = [grid.methods[i] for i in shown]
    colours = dict(zip(names, distinct_colours(names), strict=True))
    traces = [_cells(grid, winners, shown, colours)]
    if len(grid.targets) <= _MAX_MARKED:
        traces += [_winner_markers(grid, winners, i, colours) for i in shown]
    traces += [_legend_entry(method, _symbol(method), colour) for method, colour in colours.items()]
    if winners.equal.any():
        traces.append(_legend_entry("equal", "square", tinted(NEUTRAL, _TIED_OPACITY)))
    return figure(
        traces,
        title=f"Lowest {grid.measure}; faint: others as good",
        height=470,
        hovermode="closest",
        dragmode=False,
        margin={"l": 64, "r": 16, "t": 54, "b": 112},
        xaxis=prevalence_axis(grid),
        yaxis=size_axis(grid),
    )


def _cells(grid: LossGrid, winners: Winners, shown: list[int], method_colours: Mapping[str, str]) -> Trace:
    """Every cell in the colour of its winner, faint where others are as good; one colour for each number."""
    numbers = np.where(winners.equal, 2 * len(shown), np.searchsorted(shown, winners.best) * 2 + ~winners.clear)
    colours = [colour for full in (*method_colours.values(), NEUTRAL) for colour in (full, tinted(full, _TIED_OPACITY))]
    colours.remove(NEUTRAL)
    edges = np.linspace(0.0, 1.0, len(colours) + 1).tolist()
    stops = [[edge, colour] for colour, ends in zip(colours, pairwise(edges), strict=True) for edge in ends]
    return heatmap(
        "winners",
        grid.targets,
        [str(size) for size in grid.sizes],
        numbers.astype(np.int16),
        hover="%{text}<extra></extra>",
        zmin=-0.5,
        zmax=len(colours) - 0.5,
        colorscale=stops,
        showscale=False,
        text=_hover_texts(grid, winners),
        xgap=1,
        ygap=1,
    )


def _hover_texts(grid: LossGrid, winners: Winners) -> list[list[str]]:
    """The hover text of each cell: which method is lowest, the next ones, and which of them are as good."""
    means, tied = (np.take_along_axis(of, winners.order, axis=0).tolist() for of in (grid.means, winners.tied))
    names = np.array(grid.methods)[winners.order].tolist()
    n_tied, equal = winners.tied.sum(axis=0).tolist(), winners.equal.tolist()

    def text(row: int, column: int) -> str:
        first = grid.methods[winners.best[row, column]]
        heading = f"{first} wins" if n_tied[row][column] == 1 else f"{first} is lowest, {n_tied[row][column] - 1} as good"
        lines = [f"<b>{'Several are equal' if equal[row][column] else heading}</b>"]
        for name, mean, as_good in zip(names, means, tied, strict=True):
            also = ", as good" if as_good[row][column] and name[row][column] != first else ""
            lines.append(f"{name[row][column]} {mean[row][column]:.4f}{also}")
        cell = f"samples of {grid.sizes[row]}, prevalence {grid.true[row, column]:.2f}"
        return "<br>".join([*lines, cell])

    return [[text(row, column) for column in range(len(grid.targets))] for row in range(len(grid.sizes))]


def _winner_markers(grid: LossGrid, winners: Winners, i: int, colours: Mapping[str, str]) -> Trace:
    method = grid.methods[i]
    rows, columns = np.nonzero((winners.best == i) & ~winners.equal)
    clear = winners.clear[rows, columns].tolist()
    symbol, colour = _symbol(method), colours[method]
    drawn = ["#FFFFFF" if is_clear else colour for is_clear in clear]
    return markers(
        f"{method} marks",
        grid.targets[columns],
        [str(grid.sizes[row]) for row in rows],
        symbol=[symbol if is_clear else f"{symbol}-open" for is_clear in clear],
        size=8,
        colour=drawn,
        edge={"width": 1.5, "color": drawn},
        showlegend=False,
    )


def _symbol(method: str) -> str:
    """A method's marker, or for BL, whose marker is a stroke, one that can be filled."""
    symbol = method_style(method).symbol
    return "square" if symbol.startswith("line") else symbol


def _legend_entry(name: str, symbol: str, colour: str) -> Trace:
    return markers(name, [None], [None], symbol=symbol, size=11, colour=colour)
