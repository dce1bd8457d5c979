"""The heatmaps of all chosen quantifiers, and one of them closely: a click in either chooses what to look at."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from pages.parts import controls
from pages.parts.chart import chart
from pages.parts.layout import narrow_row, wide_row
from pages.parts.settings import LARGEST_SIZE, SETTINGS, TEST_SIZE
from pages.parts.share import page_settings, tell_link
from pages.parts.sizes.view import SizeView
from pages.parts.sizes.words import GOOD, LOOK
from qcore import QUANTIFIERS
from qcore.figures.heatmaps import closer_heatmap, loss_heatmaps, top_of_scale
from qcore.figures.sections import column_figure, row_figure
from qcore.findings.size_effects import smoothing_note
from qcore.protocols.sizes import LEAST_SIZE
from qcore.size_effects import Cells


@st.fragment
def heatmaps(view: SizeView) -> None:
    """Small multiples of the chosen methods; below them one of all closely, with its row and column."""
    chosen = view.cells()
    st.markdown(LOOK["heatmaps"].format(good=GOOD[chosen.signed]))
    panel_part = st.container()
    st.markdown(LOOK["closer"])
    left, middle, right = narrow_row("closer", 3)
    with left:
        method = controls.choice("look", "Quantifier", list(QUANTIFIERS))
    with middle:
        size = _size(chosen.sizes.tolist())
    with right:
        prevalence = controls.slider("at_p", "Prevalence (column)", 0.0, 1.0, 0.01, help="The nearest column is taken.")
    at = method, chosen.sizes.tolist().index(size), int(np.abs(chosen.targets - prevalence).argmin())
    with panel_part:
        top = top_of_scale(chosen)
        chart(
            loss_heatmaps(chosen, top, at),
            key="loss_by_size",
            alt=f"Heatmaps of mean {view.loss} by sample size and true prevalence, one for each quantifier.",
            on_click=_look_closer,
            enlarges="closer",
        )
        st.caption(_legend(chosen, top))
    _closer(view, at)
    tell_link(TEST_SIZE, "heatmaps")


def _size(sizes: list[int]) -> int:
    """The control of the size, of those that there are; where another was asked for, the nearest of them."""
    default = int(str(SETTINGS["at_size"].default))
    asked = int(str(page_settings({"at_size": SETTINGS["at_size"]})["at_size"]))
    if _nearest(sizes, asked) != asked:
        st.session_state["at_size"] = _nearest(sizes, asked)
    # The default's place, wherever it stands: a value equal to the default is left out of the URL.
    place = sizes.index(_nearest(sizes, default))
    chosen: int = st.selectbox("Size (row)", sizes, index=place, key="at_size", bind="query-params")
    return chosen


def _nearest(sizes: list[int], asked: int) -> int:
    return min(sizes, key=lambda size: abs(size - asked))


def _closer(view: SizeView, at: tuple[str, int, int]) -> None:
    method, row, column = at
    cells, loss = view.cells([method]), view.loss
    left, right = wide_row("closer", [1, 1], align="top")
    with left:
        chart(
            closer_heatmap(cells, method, (row, column)),
            key="closer",
            alt=f"Heatmap of the mean {loss} of {method} by sample size and true prevalence.",
            on_click=_look_closer,
        )
    with right:
        chart(row_figure(cells, method, row), key="row", alt=f"Mean {loss} of {method} by prevalence at one size.")
        chart(column_figure(cells, method, column), key="column", alt=f"Mean {loss} of {method} by size at one prevalence.")
    st.caption(
        f"Bands: from the 10th to the 90th percentile of the samples of {method}. Grey lines: the other chosen quantifiers, "
        "named when you point at them."
    )


def _look_closer(name: Any, x: Any, y: Any) -> None:
    """Take a clicked cell: trace, prevalence, size."""
    cell = clicked_cell(name, x, y)
    if cell is not None:
        st.session_state["look"], st.session_state["at_size"], st.session_state["at_p"] = cell


def clicked_cell(name: Any, x: Any, y: Any) -> tuple[str, int, float] | None:
    """(method, size, prevalence) of a clicked mark, or None if it is none: what a browser sends may be anything."""
    try:
        size, prevalence = int(str(y)), round(float(x), 6)
    except (TypeError, ValueError):
        return None
    known = isinstance(name, str) and name in QUANTIFIERS
    fits = LEAST_SIZE <= size <= LARGEST_SIZE and 0.0 <= prevalence <= 1.0
    return (name, size, prevalence) if known and fits else None


def _legend(cells: Cells, top: float) -> str:
    note = ""
    if top < cells.largest:
        note = f" The colour scale ends at {top:.2g}, the largest value is {cells.largest:.2g}."
    return (
        f"Each cell is the mean over {cells.n_repeats} samples of its own. Samples are judged by the prevalence that they "
        f"have: 10 instances make 0.3 of an asked 0.33, and columns that a size rounds to one prevalence repeat it.{note} "
        f"{smoothing_note(cells.loss)}"
    )
