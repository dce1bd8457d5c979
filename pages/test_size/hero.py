"""The main view of "Test size": which method is best in each cell, and the curves through a clicked cell."""

from typing import Any

import numpy as np
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.sample_overlap_findings import overlap_warning
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts, headline
from pages.frame.recording import record
from pages.frame.texts import draw_sentences
from pages.settings.address import current_settings
from pages.test_size.comparison import MOST_PREVALENCES, regret_figure, winners_figure
from pages.test_size.computations import TestSizeView
from pages.test_size.findings import regret_sentence, size_headline, size_sentences, thinned_sentence, winners_sentence
from pages.test_size.heatmaps import clicked_cell, column_figure, row_figure
from pages.test_size.settings import COST, SELECTED_CELL
from qcore.evaluation.loss_grid import LossGrid, Winners, winners

_UNASKED = "quantifier that nobody has asked for"
"""Where a session keeps the quantifier that the page has chosen to look at."""


def hero(view: TestSizeView, parts: PageParts, cells: str) -> None:
    """Draw the picture, the finding above it, and notes below; `cells` says what the cells show, WINNER or COST."""
    grid = view.losses()
    record("test_size", grid=grid)
    with parts.hero:
        few = grid.thinned(MOST_PREVALENCES)
        best = winners(few)
        method = _picture(view, grid, best, cells)
    parts.downloads.source = view.python_source()
    parts.downloads.csv("Losses as CSV", lambda: view.losses().table(), f"{view.sidebar_choice.data_name}-{view.loss}-by-size")
    with parts.headline:
        headline(size_headline(grid))
    with parts.notes:
        overlap = pipeline.sample_overlap(view.scores, view.grid).overlap
        warning = overlap_warning(overlap)
        if warning:
            st.warning(warning)
        sentences = [
            winners_sentence(few, best),
            thinned_sentence(grid, few),
            regret_sentence(view.losses([method]).thinned(MOST_PREVALENCES), method),
            *size_sentences(grid),
            *view.scores.notes,
        ]
        draw_sentences(sentences)


def _picture(view: TestSizeView, shown: LossGrid, best: Winners, cells: str) -> str:
    """Draw the cells, and the sections through the selected one; returns the quantifier that is looked at closely.

    `best` are the winners of the cells that are shown: of a fine grid, those of some prevalences.
    """
    cell = current_settings(SELECTED_CELL)
    row = int(np.abs(shown.sizes - int(str(cell["at_size"]))).argmin())
    column = int(np.abs(shown.targets - float(str(cell["at_p"]))).argmin())
    method = _looked_at(shown, row, column)
    # The chosen quantifiers, and the quantifier of the selected cell.
    grid = view.losses([method])
    left, right = wide_row("winners", [3, 2], align="top")
    with left:
        if cells == COST:
            drawn = regret_figure(grid.thinned(MOST_PREVALENCES), method)
        else:
            drawn = winners_figure(shown.thinned(MOST_PREVALENCES), best)
        what = f"How much {method} exceeds" if cells == COST else "The quantifier with"
        alt = f"{what} the lowest mean {grid.loss} by sample size and true prevalence."
        chart(drawn, key="winners", alt=alt, on_click=_select)
    with right:
        chart(column_figure(grid, method, column), key="column", alt=f"Mean {grid.loss} of {method} by size at one prevalence.")
        chart(row_figure(grid, method, row), key="row", alt=f"Mean {grid.loss} of {method} by prevalence at one size.")
    return method


def _looked_at(shown: LossGrid, row: int, column: int) -> str:
    """The quantifier to look at closely: the chosen one; before any is chosen, the default or, if not shown, the best here."""
    state, default = st.session_state, SELECTED_CELL["look"].default
    method = str(current_settings(SELECTED_CELL)["look"])
    unasked = state.setdefault(_UNASKED, "" if {"look"} & {*state, *st.query_params} else default)
    if method != unasked:
        state[_UNASKED] = ""
    elif method not in shown.methods:
        method = shown.methods[int(shown.magnitudes[:, row, column].argmin())]
        state["look"] = state[_UNASKED] = method
    return method


def _select(name: Any, x: Any, y: Any) -> None:
    """Select the clicked cell; a click on a marker also selects the winner that it shows."""
    winner = str(name).removesuffix(" marks")
    cell = clicked_cell(winner, x, y) or clicked_cell(str(current_settings(SELECTED_CELL)["look"]), x, y)
    if cell is not None:
        st.session_state["look"], st.session_state["at_size"], st.session_state["at_p"] = cell
