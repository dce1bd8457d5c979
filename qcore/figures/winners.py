"""Who wins where: the method with the least mean loss by sample size and prevalence, and where others are as good."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from qcore.figures.heatmaps import prevalences, sizes
from qcore.figures.template import NEUTRAL, distinct_colours, framed, method_style, tinted
from qcore.size_effects import Cells, Winners

_MOST_MARKED: Final = 21
"""Prevalences up to which a cell can hold its winner's marker; more are too narrow, and colour alone tells."""

_TIED_OPACITY: Final = 0.35
_TOLD: Final = 5


def winners_figure(cells: Cells, winners: Winners) -> go.Figure:
    """The winner of each cell by its colour and marker; a faint cell with an open marker has methods that are as good.

    A cell in which several have the very same mean is grey, without a marker.
    """
    shown = [int(place) for place in np.unique(winners.best[~winners.equal])]
    names = [cells.methods[place] for place in shown]
    colours = dict(zip(names, distinct_colours(names), strict=True))
    traces = [_heat(cells, winners, shown, colours)]
    if len(cells.targets) <= _MOST_MARKED:
        traces += [_markers(cells, winners, place, colours) for place in shown]
    traces += [_legend_entry(method, _symbol(method), colour) for method, colour in colours.items()]
    if winners.equal.any():
        traces.append(_legend_entry("equal", "square", tinted(NEUTRAL, _TIED_OPACITY)))
    return framed(
        traces,
        title=f"Who has the lowest {cells.measure}?",
        height=460,
        hovermode="closest",
        dragmode=False,
        margin={"l": 64, "r": 16, "t": 84, "b": 112},
        xaxis=prevalences(cells),
        yaxis=sizes(cells),
    )


def _heat(cells: Cells, winners: Winners, shown: list[int], own: Mapping[str, str]) -> dict[str, Any]:
    """Every cell in the colour of its winner, faint where others are as good; one colour for each number."""
    numbers = np.where(winners.equal, 2 * len(shown), np.searchsorted(shown, winners.best) * 2 + ~winners.clear)
    colours = [colour for full in (*own.values(), NEUTRAL) for colour in (full, tinted(full, _TIED_OPACITY))]
    colours.remove(NEUTRAL)
    edges = np.linspace(0.0, 1.0, len(colours) + 1).tolist()
    stops = [[edge, colour] for colour, ends in zip(colours, pairwise(edges), strict=True) for edge in ends]
    return {
        "type": "heatmap", "name": "winners", "x": cells.targets.tolist(), "y": [str(size) for size in cells.sizes],
        "z": numbers.astype(np.int16), "zmin": -0.5, "zmax": len(colours) - 0.5, "colorscale": stops, "showscale": False,
        "text": _told(cells, winners), "xgap": 1, "ygap": 1, "hovertemplate": "%{text}<extra></extra>",
    }  # fmt: skip


def _told(cells: Cells, winners: Winners) -> list[list[str]]:
    """What hovering says of each cell: who is lowest, the next, who of them is as good."""
    order = np.argsort(cells.magnitudes, axis=0, kind="stable")[:_TOLD]
    means, tied = (np.take_along_axis(of, order, axis=0).tolist() for of in (cells.means, winners.tied))
    names = np.array(cells.methods)[order].tolist()
    n_tied, equal = winners.tied.sum(axis=0).tolist(), winners.equal.tolist()

    def told(row: int, column: int) -> str:
        first = cells.methods[winners.best[row, column]]
        heading = f"{first} wins" if n_tied[row][column] == 1 else f"{first} is lowest, {n_tied[row][column] - 1} as good"
        lines = [f"<b>{'Several are equal' if equal[row][column] else heading}</b>"]
        for name, mean, as_good in zip(names, means, tied, strict=True):
            also = ", as good" if as_good[row][column] and name[row][column] != first else ""
            lines.append(f"{name[row][column]} {mean[row][column]:.4f}{also}")
        where = f"samples of {cells.sizes[row]}, prevalence {cells.true[row, column]:.2f}"
        return "<br>".join([*lines, where])

    return [[told(row, column) for column in range(len(cells.targets))] for row in range(len(cells.sizes))]


def _markers(cells: Cells, winners: Winners, place: int, colours: Mapping[str, str]) -> dict[str, Any]:
    symbol = _symbol(cells.methods[place])
    rows, columns = np.nonzero((winners.best == place) & ~winners.equal)
    symbols = [symbol if winners.clear[row, column] else f"{symbol}-open"
               for row, column in zip(rows, columns, strict=True)]  # fmt: skip
    own = colours[cells.methods[place]]
    drawn = ["#FFFFFF" if winners.clear[row, column] else own for row, column in zip(rows, columns, strict=True)]
    return {
        "type": "scatter", "mode": "markers", "name": f"{cells.methods[place]} marks", "showlegend": False, "hoverinfo": "skip",
        "x": cells.targets[columns].tolist(), "y": [str(cells.sizes[row]) for row in rows],
        "marker": {"symbol": symbols, "size": 8, "color": drawn, "line": {"width": 1.5, "color": drawn}},
    }  # fmt: skip


def _symbol(method: str) -> str:
    """A method's marker, or for BL, whose is a stroke, one that can be filled."""
    symbol = method_style(method).symbol
    return "square" if symbol.startswith("line") else symbol


def _legend_entry(name: str, symbol: str, colour: str) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "name": name, "x": [None], "y": [None], "hoverinfo": "skip",
        "marker": {"symbol": symbol, "size": 11, "color": colour},
    }  # fmt: skip
