"""The section with the heatmaps of all chosen quantifiers and one enlarged heatmap: a click on any of them selects a cell."""

from typing import Any, Final

import numpy as np
import streamlit as st

from pages.charts.chart import chart
from pages.frame.layout import narrow_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.address import lacks_settings
from pages.settings.current import current_settings
from pages.settings.shared import LARGEST_SIZE
from pages.test_size.findings import smoothing_note
from pages.test_size.loss_heatmaps_figure import enlarged_heatmap, loss_heatmaps
from pages.test_size.settings import SETTINGS
from pages.test_size.view import TestSizeView
from qcore import QUANTIFIERS
from qcore.evaluation.loss_grid import LossGrid
from qcore.protocols.size_grid import SMALLEST_SIZE

TEXTS: Final = texts_of("test_size")
_GOOD_COLOUR: Final = {False: "dark is good", True: "grey is good"}


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
        lacks_settings()
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
        f"Each cell is the mean over {cells.n_repeats} samples, drawn for this cell. The loss is that from the prevalence "
        "that a sample really has: with 10 instances, 0.33 becomes 0.3. Where a size rounds several columns to the same "
        f"prevalence, these columns show the same value.{note} "
        f"{smoothing_note(cells.loss)}"
    )
