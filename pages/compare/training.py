"""The sections "Training" and "Protocols" of "Compare", on runs that come with the app."""

from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.compare import computations
from pages.compare.controls import ComparisonRequest
from pages.compare.findings import protocols_sentence, training_sentence
from pages.compare.run_folders import PROTOCOL_RUNS, STORED_RUNS, TRAINING_RUN
from pages.compare.settings import SETTINGS
from pages.compare.training_effects_figure import protocol_ranks_figure, training_prevalence_figure, training_size_figure
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.losses import Smoothing

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
