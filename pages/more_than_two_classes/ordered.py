"""The section "Ordered classes": why the absolute error is blind to their order, and methods by losses that are not."""

from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.more_than_two_classes.computations import losses_of_ordered
from pages.more_than_two_classes.hero import ClassesView
from pages.more_than_two_classes.ordered_figure import moved_losses_figure, moved_share_figure
from pages.more_than_two_classes.settings import SETTINGS
from pages.settings import control
from qcore.studies.ordered_classes import COMPARED, moved_share

TEXTS: Final = texts_of("more_than_two_classes")

_COLUMNS: Final = (
    Column("method", "Quantifier"),
    *(Column(key, f"Mean {key}", ".4f", loss.idea) for key, loss in COMPARED.items()),
)


def ordered_section(shown: ClassesView | None) -> None:
    """Draw the section: an estimate that has moved a share, what losses say of it, and the methods on these samples."""
    st.markdown(TEXTS["ordered"])
    with st.container(width=320):
        distance = int(control.slider(SETTINGS["moved_by"]))
    result = moved_share(distance)
    left, right = wide_row("ordered", [1, 1], align="top")
    with left:
        alt = "True and estimated shares of five ordered classes."
        chart(moved_share_figure(result, distance), key="moved_share", alt=alt)
    with right:
        alt = f"{', '.join(COMPARED)} by how far the share has moved."
        chart(moved_losses_figure(result.losses, distance), key="moved_losses", alt=alt)
    if shown is None:
        return
    classes = shown.errors.classes
    if not shown.request.order:
        st.info(TEXTS["no order"].replace("{example}", control.escaped(" < ".join(classes[:12]))))
        return
    st.markdown(TEXTS["ordered methods"])
    table = losses_of_ordered(shown.errors, shown.request.smoothing)
    small_table(table, _COLUMNS, label="Losses of ordered classes by method")
    csv_button("Losses of ordered classes as CSV", lambda: table, f"{shown.sidebar_choice.data_name}-ordered-classes")
