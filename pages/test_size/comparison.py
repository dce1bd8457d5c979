"""Methods compared at each sample size, two quantifiers or two data sets beside each other, and mean ranks."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, SEQUENTIAL, Figure, distinct_colours, figure, method_style, tinted
from pages.charts.panels import Panels, category_axis, wide_and_narrow
from pages.charts.small_table import Column, small_table
from pages.charts.traces import Trace, axis, band, heatmap, line, markers, method_line
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.sampling_controls import left_out_sentence
from pages.frame.sidebar import nothing_to_train
from pages.frame.texts import texts_of
from pages.own_data import uploads
from pages.settings import control
from pages.settings.number_text import formatted
from pages.test_size import computations
from pages.test_size.computations import TestSizeView
from pages.test_size.findings import agreement_sentence, difference_sentence, ranks_sentence
from pages.test_size.heatmaps import difference_heatmap, prevalence_axis, size_axis
from pages.test_size.settings import SETTINGS
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput
from qcore.evaluation.loss_grid import LossGrid, Winners, difference, ranks_by_size, regret, winners

_MARGIN = {"l": 64, "r": 24, "t": 62, "b": 64}


def ranks_figure(ranks: pd.DataFrame, loss: str) -> Panels:
    """A panel for each method: its mean rank by size with its band, the other methods' in grey.

    `ranks` of `ranks_by_size`; the band runs from the 10th to the 90th percentile over the prevalences.
    """
    methods = list(dict.fromkeys(ranks.method.tolist()))
    tables = {method: ranks[ranks.method == method] for method in methods}
    sizes = [str(size) for size in tables[methods[0]]["size"]]
    last = len(methods)
    return wide_and_narrow(
        {method: _panel(method, tables, sizes) for method in methods},
        title=f"Mean rank by {loss}: 1 is best",
        xaxis={**category_axis([int(size) for size in sizes], 4), **axis("sample size")},
        yaxis=axis("mean rank", (last + 0.4, 0.6), tickvals=sorted({1, (last + 1) // 2, last}), fixedrange=True),
        margin=_MARGIN,
    )


def _panel(method: str, tables: dict[str, pd.DataFrame], sizes: list[str]) -> list[Trace]:
    rows = tables[method]
    others = [table.mean_rank.tolist() for name, table in tables.items() if name != method]
    x = [x for _ in others for x in [*sizes, None]]
    y = [y for means in others for y in [*means, None]]
    hover = (
        f"<b>{method}: mean rank %{{y:.2f}}</b><br>10th to 90th percentile %{{customdata[0]:.1f}} to "
        "%{customdata[1]:.1f}<br>mean loss %{customdata[2]:.4f}<br>samples of %{x}<extra></extra>"
    )
    details = rows[["lower", "upper", "mean_loss"]].to_numpy().round(4).tolist()
    means = method_line(method, sizes, rows.mean_rank, width=2.5, size=6, hover=hover, customdata=details, showlegend=False)
    means["line"].pop("dash", None)
    return [
        line(f"others than {method}", x, y, width=1, opacity=0.4, showlegend=False),
        band(method, sizes, rows.lower, rows.upper, opacity=0.2),
        means,
    ]


TEXTS = texts_of("test_size")


@fragment
def difference_section(view: TestSizeView) -> None:
    """Draw the section on the difference between any two quantifiers, chosen in the sidebar or not."""
    text_part, controls_part = st.container(), st.container()
    with controls_part:
        left, right = narrow_row("difference", 2)
    with left:
        first = control.choice(SETTINGS["first"])
    with right:
        second = control.choice(SETTINGS["second"])
    try:
        grid = view.losses([first, second])
    except InvalidInput as error:
        show_invalid_input(error)
        return
    text_part.markdown(TEXTS["difference"].format(measure=grid.measure))
    apart = difference(grid, first, second)
    st.markdown(difference_sentence(grid, apart, first, second))
    picture = st.container()
    if first != second:
        with picture:
            chart(
                difference_heatmap(grid, apart, first, second),
                key="difference",
                alt=f"Mean {grid.loss} of {first} less that of {second} by sample size and true prevalence.",
            )


def ranks_section(view: TestSizeView) -> None:
    """Draw the section on the mean rank of each quantifier by size, as a chart and as a table."""
    try:
        grid = view.losses()
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown(TEXTS["ranks"])
    ranks = ranks_by_size(grid)
    st.markdown(ranks_sentence(ranks))
    if len(grid.methods) > 1:
        chart(ranks_figure(ranks, grid.loss), key="ranks", alt="Mean rank of each quantifier by sample size.")
    with st.expander("Means and ranks by size as a table"):
        sizes = (Column(str(size), str(size), ".4g") for size in grid.sizes)
        columns = (Column("quantifier", "Quantifier"), Column("measure", "Measure"), *sizes)
        small_table(_by_size(ranks), columns, label="Means and ranks by sample size")
    name = f"{view.sidebar_choice.data_name}-{view.loss}"
    with st.container(horizontal=True):
        csv_button("Losses as CSV", grid.table, f"{name}-losses")
        csv_button("Ranks as CSV", lambda: ranks, f"{name}-ranks")


def _by_size(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each quantifier and measure, a column for each size."""
    parts = {"mean": "mean_loss", "mean rank": "mean_rank"}
    tables = {name: table.pivot_table(column, "method", "size", sort=False) for name, column in parts.items()}
    shown = pd.concat(tables, names=["measure", "quantifier"])
    return shown.rename(columns=str).reset_index()


MOST_PREVALENCES = 21
"""The largest number of prevalences whose cells can hold a marker: of a finer grid, only some prevalences are shown."""

_EQUAL_OPACITY = 0.35
_NO_COLOUR = "rgba(0,0,0,0)"
_LAYOUT: Final[Mapping[str, Any]] = MappingProxyType({"height": 470, "margin": {"l": 64, "r": 24, "t": 54, "b": 112}})


def winners_figure(grid: LossGrid, winners: Winners, title: str = "") -> Figure:
    """The winner of each cell by its colour and marker; a cell without colour, with an open marker, has others as good.

    A cell in which several have exactly the same mean is grey, without a marker.
    """
    shown = [int(i) for i in np.unique(winners.best[~winners.equal])]
    names = [grid.methods[i] for i in shown]
    colours = dict(zip(names, distinct_colours(names), strict=True))
    traces = [_cells(grid, winners, shown, colours), *(_winner_markers(grid, winners, i, colours) for i in shown)]
    traces += [_legend_entry(method, _symbol(method), colour) for method, colour in colours.items()]
    if winners.equal.any():
        traces.append(_legend_entry("equal", "square", tinted(NEUTRAL, _EQUAL_OPACITY)))
    return figure(
        traces,
        title=title or f"Lowest {grid.measure}; no colour: others as good",
        hovermode="closest",
        dragmode=False,
        **_LAYOUT,
        xaxis=prevalence_axis(grid),
        yaxis=size_axis(grid),
    )


def regret_figure(grid: LossGrid, method: str) -> Figure:
    """How much choosing one method costs in each cell: its mean loss above the lowest one there."""
    cost = regret(grid, method)
    cells = heatmap(
        f"cost of {method}",
        grid.targets,
        [str(size) for size in grid.sizes],
        cost.round(5).tolist(),
        hover="samples of %{y}, prevalence %{x:.0%}: <b>%{z:.4f}</b> above the best<extra></extra>",
        colorscale=SEQUENTIAL,
        zmin=0.0,
        zmax=max(float(cost.max()), 1e-9),
        colorbar={"title": {"text": f"{grid.measure}<br>above the best"}, "thickness": 12},
        xgap=1,
        ygap=1,
    )
    return figure(
        [cells],
        title=f"What choosing {method} everywhere costs: dark is good",
        hovermode="closest",
        dragmode=False,
        **_LAYOUT,
        xaxis=prevalence_axis(grid),
        yaxis=size_axis(grid),
    )


def _cells(grid: LossGrid, winners: Winners, shown: list[int], method_colours: Mapping[str, str]) -> Trace:
    """Every cell in the colour of its winner, without one where others are as good; one colour for each number."""
    numbers = np.where(winners.equal, 2 * len(shown), np.searchsorted(shown, winners.best) * 2 + ~winners.clear)
    colours = [colour for full in method_colours.values() for colour in (full, _NO_COLOUR)]
    colours.append(tinted(NEUTRAL, _EQUAL_OPACITY))
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
            lines.append(f"{name[row][column]} {formatted(mean[row][column], '.4f')}{also}")
        cell = f"samples of {grid.sizes[row]}, prevalence {grid.true[row, column]:.0%}"
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


def two_data_sets_section(view: TestSizeView) -> None:
    """Draw the winners on the page's data set beside those on a second one, and how often they agree."""
    st.markdown(TEXTS["two_data_sets"])
    if nothing_to_train(view.sidebar_choice):
        return
    words = [word for word in uploads.words_with_features() if word != str(view.sidebar_choice.data)]
    default = str(SETTINGS["beside_data"].default)
    word = control.choice_among(SETTINGS["beside_data"], words, default if default in words else words[0])
    sentence_part = st.container()
    parts = wide_row("two data sets", [1, 1], align="top")
    try:
        second, left_out = _second(view, word)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    names = view.sidebar_choice.data_name, uploads.shown_name(word)
    here, beside = view.losses().thinned(MOST_PREVALENCES), second.thinned(MOST_PREVALENCES)
    for part, grid, name, key in zip(parts, (here, beside), names, ("winners_here", "winners_beside"), strict=True):
        with part:
            figure = winners_figure(grid, winners(grid), title=f"{name}: lowest {grid.measure}")
            chart(figure, key=key, alt=f"The best quantifier on {name} by sample size and true prevalence.")
    sentence_part.markdown(control.escaped(agreement_sentence(here, beside, names)))
    if left_out:
        sentence_part.caption(f"On {control.escaped(names[1])}: {left_out}")


def _second(view: TestSizeView, word: str) -> tuple[LossGrid, str]:
    """Returns (losses on the second data set, a sentence on sizes that it can't give). Raises InvalidInput."""
    data = uploads.reference(word)
    settings = replace(view.settings, positive=pipeline.dataset(data).default_positive)
    pool_counts = pipeline.plan(data, settings).pool_counts
    sizes = view.grid.fitting_sizes(*pool_counts)
    scores = pipeline.scores(data, settings)
    estimates = computations.size_estimates(scores, view.grid.of(sizes.kept), view.sidebar_choice.methods)
    return computations.loss_grid(estimates, view.loss, view.smoothing), left_out_sentence(sizes, pool_counts)
