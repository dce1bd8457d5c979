"""What training changes: the tab and its figure."""

from typing import Final

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, SEQUENTIAL, figure, numbered_style, run_style
from pages.charts.traces import axis, heatmap, styled_line
from pages.compare import computations
from pages.compare.controls import ComparisonRequest
from pages.compare.findings import protocols_sentence, training_sentence
from pages.compare.run_folders import PROTOCOL_RUNS, STORED_RUNS, TRAINING_RUN
from pages.compare.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.losses import Smoothing


def training_size_figure(table: pd.DataFrame, loss: str) -> Figure:
    """A line for each method: columns method, training_size, loss."""
    lines = [
        styled_line(str(method), run_style(str(method)), rows.training_size, rows.loss, hover="%{y:.3f}")
        for method, rows in table.groupby("method", sort=False)
    ]
    return figure(
        lines,
        title=f"Mean {loss} by number of training instances",
        height=400,
        xaxis=axis("training instances"),
        yaxis=axis(f"mean {loss}", rangemode="tozero"),
    )


def training_prevalence_figure(table: pd.DataFrame, method: str, loss: str) -> Figure:
    """A cell for each training and test prevalence: columns training_prevalence, prevalence, loss."""
    cells = table.pivot_table("loss", "training_prevalence", "prevalence")
    cell = heatmap(
        method, cells.columns, cells.index, cells.to_numpy().round(4).tolist(), colorscale=SEQUENTIAL, zmin=0,
        hover=f"trained at %{{y:.0%}}, tested at %{{x:.0%}}<br>mean {loss} %{{z:.3f}}<extra></extra>",
        colorbar={"title": {"text": f"mean {loss}"}, "thickness": 12},
    )  # fmt: skip
    return figure(
        [cell],
        title=f"{method}: training by test prevalence",
        height=400,
        hovermode="closest",
        xaxis=axis("test prevalence", tickformat=".0%"),
        yaxis=axis("training prevalence", tickformat=".0%"),
    )


def protocol_ranks_figure(table: pd.DataFrame) -> Figure:
    """The mean rank of each method under each protocol: columns protocol, method, rank."""
    lines = [
        styled_line(str(method), run_style(str(method)), rows.protocol, rows["rank"], hover="%{y:.2f}", size=9)
        for method, rows in table.groupby("method", sort=False)
    ]
    most = table["rank"].max()
    return figure(
        lines,
        title="Mean rank under each protocol: 1 is best",
        height=400,
        xaxis=axis("", type="category"),
        yaxis=axis("mean rank", (most + 0.4, 0.6)),
    )


def trust_figure(table: pd.DataFrame) -> Figure:
    """How often a test finds a difference, by the advantage of one method: columns advantage, counts, share."""
    lines = [
        styled_line(
            f"N is the number of {counts}", numbered_style(number), rows.advantage, rows.share, hover="%{y:.0%}", size=8
        )
        for number, (counts, rows) in enumerate(table.groupby("counts", sort=False))
    ]
    level = {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": 0.05,
        "y1": 0.05,
        "line": {"dash": "dot", "width": 1.5, "color": NEUTRAL},
    }
    return figure(
        lines,
        title="How often the test says that methods differ",
        height=380,
        xaxis=axis("by how much one method is truly better,<br>in standard deviations of a test case"),
        yaxis=axis("share of studies", (-0.02, 1.02), tickformat=".0%"),
        shapes=[level],
    )


TEXTS: Final = texts_of("compare")


def _loss(request: ComparisonRequest | None) -> tuple[str, Smoothing]:
    return ("AE", "additive") if request is None else (request.loss, request.smoothing)


def training_section(request: ComparisonRequest | None) -> None:
    """Draw the section on the loss by training size, and by training and test prevalence."""
    st.markdown(TEXTS["training"])
    loss, smoothing = _loss(request)
    try:
        losses = computations.experiment_losses(TRAINING_RUN, loss, smoothing, ("training_size", "training_prevalence"))
    except InvalidInput as error:
        show_invalid_input(error)
        return
    sizes = losses.groupby(["method", "training_size"], sort=False)["loss"].mean().reset_index()
    st.markdown(f"- {training_sentence(sizes)}")
    methods = list(dict.fromkeys(losses.method))
    left, right = wide_row("training", [1, 1], align="bottom")
    with left:
        chart(training_size_figure(sizes, loss), key="training_size", alt=f"Mean {loss} by number of training instances.")
    with right:
        method = control.choice_among(SETTINGS["trained_method"], methods, "AC")
        rows = losses[losses.method == method].assign(
            training_prevalence=lambda table: (20 * table.training_prevalence).round() / 20
        )
        cells = rows.groupby(["training_prevalence", "prevalence"])["loss"].mean().reset_index()
        chart(
            training_prevalence_figure(cells, method, loss), key="training_prevalence",
            alt=f"Mean {loss} of {method} by training and test prevalence.",
        )  # fmt: skip
    csv_button("Losses by training as CSV", lambda: losses, "losses-by-training")


def protocols_section(request: ComparisonRequest | None) -> None:
    """Draw the section on the ranks of the methods under each protocol."""
    st.markdown(TEXTS["protocols"])
    loss, smoothing = _loss(request)
    try:
        table = computations.protocol_ranks(tuple(STORED_RUNS / name for name in PROTOCOL_RUNS), loss, smoothing)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown(f"- {protocols_sentence(table)}")
    chart(protocol_ranks_figure(table), key="protocol_ranks", alt="Mean rank of each method under each protocol.")
    csv_button("Ranks by protocol as CSV", lambda: table, "ranks-by-protocol")
