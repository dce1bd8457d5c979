"""The sections that compare quantifiers: the difference of two, ranks by size."""

from typing import Final

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.frame.layout import narrow_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.test_size.findings import difference_sentence, ranks_sentence
from pages.test_size.loss_heatmaps_figure import difference_heatmap
from pages.test_size.ranks_figure import ranks_figure
from pages.test_size.settings import SETTINGS
from pages.test_size.view import TestSizeView
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput
from qcore.evaluation.loss_grid import LossGrid
from qcore.evaluation.loss_grid_comparison import difference, ranks_by_size

TEXTS: Final = texts_of("test_size")


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


def ranks_section(grid: LossGrid) -> None:
    """Draw the section on the mean rank of each quantifier by size, as a chart and as a table."""
    st.markdown(TEXTS["ranks"])
    ranks = ranks_by_size(grid)
    st.markdown(ranks_sentence(ranks))
    if len(grid.methods) > 1:
        chart(ranks_figure(ranks, grid.loss), key="ranks", alt="Mean rank of each quantifier by sample size.")
    with st.expander("Means and ranks by size as a table"):
        sizes = (Column(str(size), str(size), ".4g") for size in grid.sizes)
        columns = (Column("quantifier", "Quantifier"), Column("measure", "Measure"), *sizes)
        small_table(_by_size(ranks), columns, label="Means and ranks by sample size")


def _by_size(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each quantifier and measure, a column for each size."""
    parts = {"mean": "mean_loss", "mean rank": "mean_rank"}
    tables = {name: table.pivot_table(column, "method", "size", sort=False) for name, column in parts.items()}
    shown = pd.concat(tables, names=["measure", "quantifier"])
    return shown.rename(columns=str).reset_index()
