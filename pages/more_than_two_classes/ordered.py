"""Ordered classes: the tab and its figure."""

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, SERIES, Figure, figure, numbered_style
from pages.charts.small_table import Column, small_table
from pages.charts.traces import axis, bars, styled_line, vertical_mark
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.more_than_two_classes.computations import losses_of_ordered
from pages.more_than_two_classes.hero import ClassesView
from pages.more_than_two_classes.settings import SETTINGS
from pages.settings import control
from qcore.studies.loss_shapes import COMPARED, MovedShare, moved_share

_HEIGHT = 340


def moved_share_figure(result: MovedShare, distance: int) -> Figure:
    """True and estimated shares side by side."""
    names = [f"class {number}" for number in range(1, len(result.true) + 1)]
    shown = (("truth", result.true, NEUTRAL), ("estimate", result.estimated, SERIES[1]))
    return figure(
        [bars(name, names, shares.tolist(), colour=colour, hover="%{y:.0%}") for name, shares, colour in shown],
        title=f"15 in 100 are taken for class {1 + distance}, not 1",
        height=_HEIGHT,
        barmode="group",
        xaxis={"type": "category"},
        yaxis=axis("share", (0.0, 0.55), tickformat=".0%"),
    )


def moved_losses_figure(losses: pd.DataFrame, distance: int) -> Figure:
    """Each loss by how far the share has moved, with a mark at the shown distance."""
    lines = [
        styled_line(key, numbered_style(number), rows.distance, rows.value, hover="%{y:.3f}", width=2.5, size=9)
        for number, key in enumerate(COMPARED)
        for rows in [losses[losses.loss == key]]
    ]
    return figure(
        lines,
        title="What do losses say of it?",
        height=_HEIGHT,
        shapes=[vertical_mark(distance)],
        xaxis=axis("classes that the share has moved", (0.8, 4.2), dtick=1),
        yaxis=axis("loss", rangemode="tozero"),
    )


TEXTS = texts_of("more_than_two_classes")

_COLUMNS = (
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
