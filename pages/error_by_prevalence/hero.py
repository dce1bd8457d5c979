"""The main view of "Error by prevalence": the finding, two charts, and the sections below them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.panels import family_panels
from pages.charts.sample_overlap_findings import overlap_warning
from pages.charts.small_table import Column, small_table
from pages.error_by_prevalence.findings import findings, out_of_frame
from pages.error_by_prevalence.prevalence_curves_figure import estimate_figure, loss_figure
from pages.frame.downloads import SETUP, csv_button, scoring
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts, headline
from pages.frame.sidebar import SidebarChoice
from qcore import QUANTIFIERS, ArtificialPrevalence, Estimates, Scores, ScoringSettings
from qcore.evaluation import Losses
from qcore.evaluation.summaries import curves, overview, samples_per_prevalence
from qcore.losses import Loss, Smoothing
from qcore.protocols.samples import Samples
from qcore.quantifiers import names_with
from qcore.studies.sample_size import sample_overlap


@dataclass(frozen=True)
class ErrorView:
    """What the page shows: data and quantifiers, how data are scored and sampled, the loss, the scores and estimates."""

    sidebar_choice: SidebarChoice
    settings: ScoringSettings
    protocol: ArtificialPrevalence
    loss: Loss
    smoothing: Smoothing
    free_axes: bool
    scores: Scores
    estimates: Estimates

    @cached_property
    def losses(self) -> Losses:
        """The loss of every estimate."""
        return self.estimates.losses(self.loss.key, self.smoothing)

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each method: its mean loss and more."""
        return overview(self.losses, signed=self.loss.signed)

    @property
    def names(self) -> dict[str, str]:
        """What the papers call some of the shown quantifiers together with the classifier."""
        known = {} if self.sidebar_choice.scores_given else names_with(self.settings.classifier)
        return {key: name for key, name in known.items() if key in self.sidebar_choice.methods}

    def called(self, sentence: str) -> str:
        """The sentence with these names in place of the quantifiers' keys."""
        for key, name in self.names.items():
            sentence = sentence.replace(f"**{key}**", f"**{name}**")
        return sentence


def hero(view: ErrorView, parts: PageParts) -> None:
    """Draw the chart of the loss beside the chart of the estimates, the finding above and further notes below."""
    loss, estimates = view.loss, view.estimates
    panels = family_panels(view.sidebar_choice.methods)
    loss_curves = curves(view.losses.by_method, estimates.samples)
    training = view.scores.training_prevalence
    with parts.hero:
        # Panels need the whole width; side by side they would be too narrow to read.
        left, right = [st.container(), st.container()] if panels else wide_row("charts", [7, 5], align="top")
        with left:
            figure = loss_figure(loss_curves, loss, training, free_axes=view.free_axes, panels=panels, names=view.names)
            chart(figure, key="loss_by_prevalence", alt=f"Mean {loss.name} by true prevalence, a line for each quantifier.")
        # The server computes this chart while the browser draws the first one.
        estimate_curves = curves(estimates.by_method, estimates.samples)
        with right:
            figure = estimate_figure(estimate_curves, training, panels=panels, names=view.names)
            chart(figure, key="estimate_by_prevalence", alt="Mean estimate by true prevalence, a line for each quantifier.")
    parts.downloads.source = python_source(view)
    parts.downloads.csv("Curves as CSV", lambda: loss_curves, f"{view.sidebar_choice.data_name}-{loss.key}-curves")
    sentences = [view.called(one) for one in findings(view.table, loss.key, estimate_curves, view.scores.rates, training)]
    with parts.headline:
        headline(sentences[0])
    with parts.notes:
        names = [f"{key}: {QUANTIFIERS[key].name}" for key in estimates.by_method if QUANTIFIERS[key].name != key]
        names += [f"{name}: {key} on the classifier {view.settings.classifier}" for key, name in view.names.items()]
        st.caption("; ".join(names))
        st.caption(_caption(estimates.samples, [] if view.free_axes else out_of_frame(loss_curves, loss.axis)))
        overlap = overlap_warning(sample_overlap([estimates.samples]))
        more = [*sentences[1:], *filter(None, [overlap]), *view.scores.notes]
        if more:
            st.markdown("\n".join(f"- {sentence}" for sentence in more))


def _caption(samples: Samples, outside: Sequence[str]) -> str:
    least, most = samples_per_prevalence(samples)
    number, why = f"{least}", ""
    if most > least:
        number, why = f"{least} to {most}", " (at this size, neighbouring prevalences of the grid are rounded to the same one)"
    sentence = (
        f"Lines: means over {number} samples of {samples.sample_size}{why}. Point at a line for its band, from the 10th to the "
        "90th percentile of those samples. Dotted line: the training prevalence."
    )
    if not outside:
        return sentence
    verb = "leaves" if len(outside) == 1 else "leave"
    return f"{sentence} **{', '.join(outside)}** {verb} the frame: “Fit the axes to the data shown” shows all."


def table_and_downloads(view: ErrorView) -> None:
    """Draw the table of mean losses, and its downloads."""
    _overview(view.table.assign(method=view.table.method.map(lambda key: view.names.get(key, key))), view.loss)
    data = view.sidebar_choice.data_name
    with st.container(horizontal=True):
        csv_button("Table as CSV", lambda: view.table, f"{data}-{view.loss.key}-table")
        csv_button("All estimates as CSV", view.estimates.table, f"{data}-estimates")


def _overview(means: pd.DataFrame, loss: Loss) -> None:
    columns = (
        Column("method", "Quantifier"),
        Column("mean", f"Mean {loss.key}", ".4f", "Mean over all samples."),
        Column("median", "Median", ".4f", "Median over all samples."),
        Column("p90", "90th percentile", ".4f", "A tenth of all samples have a larger value."),
        Column("worst_prevalence", "Worst prevalence", ".0%", "The true prevalence with the largest mean."),
        Column("worst_mean", "Mean there", ".4f", "The mean at the worst prevalence."),
        Column("mean_rank", "Mean rank", ".2f", "Rank among the quantifiers (1 is best) at each prevalence, averaged."),
        Column("level", "Level with the best", "", "The difference from the best mean is within two standard errors."),
    )
    small_table(means, columns, label=f"Mean {loss.key} of each quantifier")


def python_source(view: ErrorView) -> str:
    """A script that gives the table's means with qcore alone."""
    sidebar_choice, loss = view.sidebar_choice, view.loss.key
    return (
        f"{SETUP}"
        "from qcore import ArtificialPrevalence, ScoringSettings, evaluation_report\n"
        "from qcore import load_dataset, read_dataset, read_scores, score_dataset\n\n"
        f"{scoring(sidebar_choice.data, view.settings)}"
        f"protocol = {view.protocol!r}\n"
        f"methods = {list(sidebar_choice.methods)!r}\n"
        f"losses, seed, smoothing = [{loss!r}], {sidebar_choice.seed!r}, {view.smoothing!r}\n"
        "report = evaluation_report(scores, methods, protocol, losses=losses, seed=seed, smoothing=smoothing)\n"
        f'print(report.groupby("method", sort=False)[{loss!r}].mean())\n'
        f'curves = report.groupby(["method", "true"], sort=False)[{loss!r}].mean().reset_index()\n'
        f'px.line(curves, x="true", y={loss!r}, color="method", markers=True).show()\n'
    )
