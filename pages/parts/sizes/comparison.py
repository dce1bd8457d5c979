"""Who wins where, two quantifiers compared, ranks by size."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts import controls
from pages.parts.chart import chart
from pages.parts.layout import narrow_row
from pages.parts.settings import TEST_SIZE
from pages.parts.share import tell_link
from pages.parts.sizes.view import SizeView
from pages.parts.sizes.words import LOOK
from qcore import QUANTIFIERS
from qcore.figures.heatmaps import difference_heatmap
from qcore.figures.ranks import ranks_figure
from qcore.figures.winners import winners_figure
from qcore.findings.size_effects import difference_sentence, ranks_sentence, winners_sentence
from qcore.size_effects import Cells, difference, ranks_by_size, winners


def who_wins(cells: Cells) -> None:
    """The winner of each cell."""
    st.markdown(LOOK["winners"])
    found = winners(cells)
    st.markdown(winners_sentence(cells, found))
    if len(cells.methods) > 1:
        chart(
            winners_figure(cells, found),
            key="winners",
            alt=f"The quantifier with the lowest mean {cells.loss} by sample size and true prevalence.",
        )


@st.fragment
def two_compared(view: SizeView) -> None:
    """The difference of two quantifiers, whether they are among the chosen ones or not."""
    looked, controls_part = st.container(), st.container()
    with controls_part:
        left, right = narrow_row("difference", 2)
    with left:
        first = controls.choice("first", "First quantifier", list(QUANTIFIERS))
    with right:
        second = controls.choice("second", "Second quantifier", list(QUANTIFIERS))
    cells = view.cells([first, second])
    looked.markdown(LOOK["difference"].format(measure=cells.measure))
    found = difference(cells, first, second)
    st.markdown(difference_sentence(cells, found, first, second))
    picture = st.container()
    if first != second:
        with picture:
            chart(
                difference_heatmap(cells, found, first, second),
                key="difference",
                alt=f"Mean {cells.loss} of {first} less that of {second} by sample size and true prevalence.",
            )
    tell_link(TEST_SIZE, "difference")


def ranks(cells: Cells) -> None:
    """The mean rank of each quantifier by size, and the numbers."""
    st.markdown(LOOK["ranks"])
    table = ranks_by_size(cells)
    st.markdown(ranks_sentence(table))
    if len(cells.methods) > 1:
        chart(ranks_figure(table, cells.loss), key="ranks", alt="Mean rank of each quantifier by sample size.")
    with st.expander("Means and ranks by size as a table"):
        st.dataframe(
            _by_size(table),
            height="content",
            column_config={str(size): st.column_config.NumberColumn(format="%.4g") for size in cells.sizes},
        )


def _by_size(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each quantifier and measure, a column for each size."""
    parts = {"mean": "mean_loss", "mean rank": "mean_rank"}
    tables = {name: table.pivot_table(column, "method", "size", sort=False) for name, column in parts.items()}
    shown = pd.concat(tables, names=["measure", "quantifier"])
    return shown.rename(columns=str)
