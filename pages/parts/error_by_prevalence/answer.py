"""The answer of "Error by prevalence": sentences, two charts, a table, downloads, the Python behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd
import streamlit as st

from pages.figures.prevalence_curves import estimate_figure, loss_figure
from pages.findings.error_by_prevalence import findings, out_of_frame
from pages.parts.chart import chart
from pages.parts.downloads import SETUP, csv_button, python_expander
from pages.parts.family_panels import family_panels
from pages.parts.layout import wide_row
from pages.parts.sidebar import SidebarChoice
from qcore import ArtificialPrevalence, Estimates, Scores, ScoringSettings
from qcore.evaluation.summaries import curves, overview, samples_per_prevalence
from qcore.losses import Loss, Smoothing
from qcore.protocols.samples import Samples

_MAX_BANDS: Final = 4
"""Methods up to which the bands of the estimates can be distinguished."""


@dataclass(frozen=True)
class ErrorView:
    """What is shown: data and quantifiers, how they are scored and sampled, the loss."""

    sidebar_choice: SidebarChoice
    settings: ScoringSettings
    protocol: ArtificialPrevalence
    loss: Loss
    smoothing: Smoothing
    free_axes: bool


def show(view: ErrorView, scores: Scores, estimates: Estimates) -> None:
    """Draw the whole answer for one loss: the charts go first, so that the browser draws while the rest is computed."""
    loss = view.loss
    findings_part = st.container()
    panels = family_panels(view.sidebar_choice.methods)
    # Panels need the whole width; side by side they would be too narrow to read.
    left, right = [st.container(), st.container()] if panels else wide_row("charts", [3, 2])
    losses = estimates.losses(loss.key, view.smoothing)
    loss_curves = curves(losses.by_method, estimates.samples)
    training = scores.training_prevalence
    with left:
        figure = loss_figure(loss_curves, loss, training, free_axes=view.free_axes, panels=panels)
        chart(figure, key="loss_by_prevalence", alt=f"Mean {loss.name} by true prevalence, a line for each quantifier.")
    estimate_curves = curves(estimates.by_method, estimates.samples)
    with right:
        bands = len(estimates.by_method) <= _MAX_BANDS
        figure = estimate_figure(estimate_curves, training, bands=bands, panels=panels)
        chart(figure, key="estimate_by_prevalence", alt="Mean estimate by true prevalence, a line for each quantifier.")
    st.caption(_caption(estimates.samples, [] if view.free_axes else out_of_frame(loss_curves, loss.axis)))
    table = overview(losses, signed=loss.signed)
    sentences = findings(table, loss.key, estimate_curves, scores.rates, training)
    findings_part.markdown("\n".join(f"- {sentence}" for sentence in [*sentences, *scores.notes]))
    _table(table, loss)
    _downloads(view, estimates, table)


def _caption(samples: Samples, outside: Sequence[str]) -> str:
    least, most = samples_per_prevalence(samples)
    number, why = f"{least}", ""
    if most > least:
        number, why = f"{least} to {most}", " (at this size, prevalences that lie next to each other on the grid are one)"
    sentence = (
        f"Lines: means over {number} samples of {samples.sample_size}{why}. Bands: from the 10th to the 90th percentile "
        "of those samples. Dotted line: the training prevalence."
    )
    if not outside:
        return sentence
    verb = "leaves" if len(outside) == 1 else "leave"
    return f"{sentence} **{', '.join(outside)}** {verb} the frame: free the axes to see all."


def _table(table: pd.DataFrame, loss: Loss) -> None:
    number = st.column_config.NumberColumn
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config={
            "method": st.column_config.TextColumn("Quantifier", pinned=True),
            "mean": number(f"Mean {loss.key}", format="%.4f", help="Mean over all samples."),
            "median": number("Median", format="%.4f", help="Median over all samples."),
            "p90": number("90th percentile", format="%.4f", help="A tenth of all samples have a larger value."),
            "worst_prevalence": number("Worst prevalence", format="%.2f", help="The true prevalence with the largest mean."),
            "worst_mean": number("Mean there", format="%.4f", help="The mean at the worst prevalence."),
            "mean_rank": number(
                "Mean rank", format="%.2f", help="Rank among the quantifiers (1 is best) at each prevalence, averaged."
            ),
        },
    )


def _downloads(view: ErrorView, estimates: Estimates, table: pd.DataFrame) -> None:
    data = view.sidebar_choice.data
    with st.container(horizontal=True):
        csv_button("Table as CSV", lambda: table, f"{data}-{view.loss.key}-table")
        csv_button("All estimates as CSV", estimates.table, f"{data}-estimates")
    python_expander(python_source(view))


def python_source(view: ErrorView) -> str:
    """A script that gives the table's means with qcore alone."""
    sidebar_choice, loss = view.sidebar_choice, view.loss.key
    return (
        f"{SETUP}"
        "from qcore import ArtificialPrevalence, ScoringSettings, evaluation_report, load_dataset, score_dataset\n\n"
        f"settings = {view.settings!r}\n"
        f"scores = score_dataset(load_dataset({sidebar_choice.data!r}), settings)\n"
        f"protocol = {view.protocol!r}\n"
        f"methods = {list(sidebar_choice.methods)!r}\n"
        f"losses, seed, smoothing = [{loss!r}], {sidebar_choice.seed!r}, {view.smoothing!r}\n"
        "report = evaluation_report(scores, methods, protocol, losses=losses, seed=seed, smoothing=smoothing)\n"
        f'print(report.groupby("method", sort=False)[{loss!r}].mean())\n'
    )
