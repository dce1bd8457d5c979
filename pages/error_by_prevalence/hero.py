"""The main view of "Error by prevalence": both pictures, the findings in words, the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.panels import family_panels
from pages.charts.sample_overlap_findings import overlap_warning
from pages.charts.small_table import Column, small_table
from pages.error_by_prevalence.curves import estimate_figure, loss_figure, losses_figure
from pages.error_by_prevalence.settings import LOSSES_BESIDE, OF_MEAN, OFF, PERCENTILES, POINTED
from pages.frame.downloads import SETUP, csv_button, scoring
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts, headline
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import draw_sentences
from pages.settings.number_text import digits, enumerated, exact_percentage, listed, percentage
from qcore import QUANTIFIERS, ArtificialPrevalence, Estimates, Scores, ScoringSettings
from qcore.evaluation import Losses
from qcore.evaluation.summaries import curves, overview, samples_per_prevalence
from qcore.losses import LOSSES, Loss, Smoothing
from qcore.protocols.samples import Samples
from qcore.quantifiers import names_with, unbiased_prevalence
from qcore.studies.sample_size import sample_overlap

_NOTICEABLE = 0.005
"""A mean bias below this is not worth a sentence."""


def findings(
    overview: pd.DataFrame, loss: str, estimates: pd.DataFrame, rates: tuple[float, float], training_prevalence: float
) -> list[str]:
    """Sentences on which method is best, how classify and count errs, and what the worst case is.

    Parameters
    ----------
    overview : table of `summaries.overview` for `loss`, a key of LOSSES.
    estimates : table of `summaries.curves` of the estimates.
    rates : (tpr, fpr) of the classifier at 0.5, out of fold.
    training_prevalence : share of positives in the training part.
    """
    sentences = [_best(overview, loss)]
    methods = set(overview.method)
    if "CC" in methods:
        sentences.append(_classify_and_count(estimates[estimates.method == "CC"], rates))
    sentences.append(_worst(overview, loss, training_prevalence))
    return sentences


def _best(overview: pd.DataFrame, loss: str) -> str:
    magnitude = overview["mean"].abs()
    order = magnitude.to_numpy().argsort(kind="stable")
    methods, values = overview.method.to_numpy()[order], overview["mean"].to_numpy()[order]
    if len(methods) == 1:
        return f"**{methods[0]}** has a mean {loss} of {digits(values[0])}; choose a second quantifier to compare it with."
    what = "mean bias nearest to 0" if LOSSES[loss].signed else f"lowest mean {loss}"
    sentence = f"**{methods[0]}** has the {what}, {digits(values[0])}"
    levels = overview.level.to_numpy()[order]
    level = [method for method, is_level in zip(methods[1:], levels[1:], strict=True) if is_level]
    if level:
        return f"{sentence}, level with {listed(level, most=3, first=3)}."
    if digits(values[1]) == digits(values[0]):
        return f"{sentence}, just before **{methods[1]}**."
    return f"{sentence}, before **{methods[1]}** with {digits(values[1])}."


def _classify_and_count(curve: pd.DataFrame, rates: tuple[float, float]) -> str:
    """At which prevalences CC errs, in which direction, and whether Forman's theorem predicts it (Barranquero 2013, 3.1)."""
    tpr, fpr = rates
    found, alarmed = percentage(tpr), percentage(fpr)
    both = f"tpr of {found} and fpr of {alarmed}"
    its_rates = f"its {both}"
    if tpr < fpr and found != alarmed:
        return (
            f"At the threshold 0.5, the classifier's tpr of {found} in training is below its fpr of {alarmed}. So the more "
            "positives there are, the fewer **CC** counts. Two classes may be swapped, or the scores belong to the other "
            "class; a correction with these rates reverses that."
        )
    if tpr <= fpr:
        return (
            f"At the threshold 0.5, the classifier's {both} in training do not tell the classes apart. **CC** gives the same "
            "count whatever the truth, and no correction of this count helps."
        )
    bias = curve["mean"] - curve.true
    over, under = curve.true[bias > _NOTICEABLE], curve.true[bias < -_NOTICEABLE]
    if not len(over) and not len(under):
        return f"**CC** is hardly biased here, with {its_rates}."
    up_to = "at" if len(over) == 1 else "up to"
    parts = [f"overestimates {up_to} a prevalence of {over.max():.0%}"] if len(over) else []
    if len(under):
        parts.append(f"underestimates from {under.min():.0%} on" if len(under) > 1 else f"underestimates at {under.min():.0%}")
    what = f"**CC** {' and '.join(parts)}"
    if len(over) and len(under) and over.max() > under.min():
        what = f"**CC** errs in both directions, by {digits(bias.min())} to {digits(bias.max())}"
    if tpr == 1.0 and fpr == 0.0:
        return f"{what}. Its {both} in training predict no bias: the rates in the pool differ."
    p_star = float(unbiased_prevalence(tpr, fpr))
    # Between the last overestimate and the first underestimate, give or take a step or two of a coarse grid.
    last, first = (over.max() if len(over) else 0.0), (under.min() if len(under) else 1.0)
    if last - 0.1 <= p_star <= first + 0.1 and last <= first:
        return f"{what}. Its {both} predict that."
    return f"{what}. By {its_rates} in training, it would be right at {percentage(p_star)}; the rates in the pool differ."


def _worst(overview: pd.DataFrame, loss: str, training_prevalence: float) -> str:
    is_baseline = overview.method == "BL"
    baseline, rated = overview[is_baseline], overview[~is_baseline]
    answer = exact_percentage(training_prevalence, 2)
    if not len(rated):
        return f"**BL** always answers {answer}: mean {loss} of {_extreme(baseline)}."
    sentence = f"**{_worst_row(rated).method}** has the worst point: mean {loss} of {_extreme(rated)}."
    if not len(baseline):
        return sentence
    reach = digits(_worst_row(baseline).worst_mean)
    return f"{sentence} BL, apart, always answers {answer} (mean {loss} up to {reach})."


def _worst_row(overview: pd.DataFrame) -> pd.Series:
    return overview.iloc[int(overview.worst_mean.abs().to_numpy().argmax())]


def _extreme(overview: pd.DataFrame) -> str:
    row = _worst_row(overview)
    return f"{digits(row.worst_mean)} at a prevalence of {row.worst_prevalence:.0%}"


def out_of_frame(curves: Mapping[str, pd.DataFrame]) -> list[str]:
    """The methods whose mean leaves the y range of a loss somewhere; `curves`: loss -> table of `summaries.curves`."""
    outside: list[str] = []
    for key, table in curves.items():
        low, high = LOSSES[key].axis
        outside += table.method[(table["mean"] < low - 1e-12) | (table["mean"] > high + 1e-12)].tolist()
    return list(dict.fromkeys(outside))


@dataclass(frozen=True)
class Looks:
    """Whether the axes fit the lines, which bands are drawn, and whether three losses stand side by side."""

    free_axes: bool
    bands: str
    beside: bool


@dataclass(frozen=True)
class ErrorView:
    """What the page shows: data and quantifiers, how data are scored and sampled, the loss, the scores and estimates."""

    sidebar_choice: SidebarChoice
    settings: ScoringSettings
    protocol: ArtificialPrevalence
    loss: Loss
    smoothing: Smoothing
    looks: Looks
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

    @cached_property
    def estimate_curves(self) -> pd.DataFrame:
        """The mean estimates by true prevalence, with their bands."""
        return curves(self.estimates.by_method, self.estimates.samples)

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
    training = view.scores.training_prevalence
    with parts.hero:
        loss_curves = _three_losses(view) if view.looks.beside else _one_loss(view)
    parts.downloads.source = python_source(view)
    shown = pd.concat([table.assign(loss=key) for key, table in loss_curves.items()], ignore_index=True)
    parts.downloads.csv("Curves as CSV", lambda: shown, f"{view.sidebar_choice.data_name}-{'-'.join(loss_curves)}-curves")
    sentences = [view.called(one) for one in findings(view.table, loss.key, view.estimate_curves, view.scores.rates, training)]
    with parts.headline:
        headline(sentences[0])
    with parts.notes:
        names = [f"{key}: {QUANTIFIERS[key].name}" for key in estimates.by_method if QUANTIFIERS[key].name != key]
        names += [f"{name}: {key} on the classifier {view.settings.classifier}" for key, name in view.names.items()]
        outside = [] if view.looks.free_axes else out_of_frame(loss_curves)
        lines = _caption(estimates.samples, outside, view.looks.bands)
        st.caption(lines)
        overlap = overlap_warning(sample_overlap([estimates.samples]))
        draw_sentences([overlap, *sentences[1:], *view.scores.notes, f"{'; '.join(names)}." if names else ""])


def _one_loss(view: ErrorView) -> dict[str, pd.DataFrame]:
    """Draw the chart of the loss beside the chart of the estimates; returns the curves of the loss, by its key."""
    loss, panels, training = view.loss, family_panels(view.sidebar_choice.methods), view.scores.training_prevalence
    loss_curves = curves(view.losses.by_method, view.estimates.samples)
    # Panels need the whole width; side by side they would be too narrow to read.
    left, right = [st.container(), st.container()] if panels else wide_row("charts", [7, 5], align="top")
    with left:
        looks: dict[str, Any] = {"panels": panels, "names": view.names, "bands": view.looks.bands}
        figure = loss_figure(loss_curves, loss, training, free_axes=view.looks.free_axes, **looks)
        chart(figure, key="loss_by_prevalence", alt=f"Mean {loss.name} by true prevalence, a line for each quantifier.")
    # The server computes this chart while the browser draws the first one.
    with right:
        figure = estimate_figure(view.estimate_curves, training, **looks)
        chart(figure, key="estimate_by_prevalence", alt="Mean estimate by true prevalence, a line for each quantifier.")
    return {loss.key: loss_curves}


def _three_losses(view: ErrorView) -> dict[str, pd.DataFrame]:
    """Draw a panel for each of three losses; returns their curves, by their keys."""
    shown = {key: view.estimates.losses(key, view.smoothing) for key in LOSSES_BESIDE}
    tables = {key: curves(losses.by_method, view.estimates.samples) for key, losses in shown.items()}
    looks: dict[str, Any] = {"free_axes": view.looks.free_axes, "bands": view.looks.bands, "names": view.names}
    figure = losses_figure(tables, view.scores.training_prevalence, **looks)
    alt = f"Mean {enumerated(list(tables))} by true prevalence, a panel for each, a line for each quantifier."
    chart(figure, key="losses_by_prevalence", alt=alt)
    return tables


_SAID_OF_BANDS = {
    POINTED: "Point at a line for its band, the 10th to 90th percentile.",
    OFF: "No bands.",
    PERCENTILES: "Bands: 10th to 90th percentile.",
    OF_MEAN: "Bands: 95% intervals of the mean, which more repeats make narrower.",
}


def _caption(samples: Samples, outside: Sequence[str], bands: str) -> str:
    least, most = samples_per_prevalence(samples)
    number, why = f"{least}", ""
    if most > least:
        number, why = f"{least} to {most}", " (at this size, neighbouring prevalences of the grid are rounded to the same one)"
    sentence = f"Lines: means over {number} samples of {samples.sample_size}{why}. {_SAID_OF_BANDS[bands]}"
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
    losses = list(LOSSES_BESIDE) if view.looks.beside else [loss]
    means, facets = ("losses", ', facet_col="loss"') if view.looks.beside else (repr(loss), "")
    return (
        f"{SETUP}"
        "from qcore import ArtificialPrevalence, ScoringSettings, evaluation_report\n"
        "from qcore import load_dataset, read_dataset, read_scores, read_texts, score_dataset\n\n"
        f"{scoring(sidebar_choice.data, view.settings)}"
        f"protocol = {view.protocol!r}\n"
        f"methods = {list(sidebar_choice.methods)!r}\n"
        f"losses, seed, smoothing = {losses!r}, {sidebar_choice.seed!r}, {view.smoothing!r}\n"
        "report = evaluation_report(scores, methods, protocol, losses=losses, seed=seed, smoothing=smoothing)\n"
        f'print(report.groupby("method", sort=False)[{means}].mean())\n'
        'curves = report.groupby(["method", "true"], sort=False)[losses].mean().reset_index()\n'
        'curves = curves.melt(["method", "true"], losses, "loss", "mean")\n'
        f'figure = px.line(curves, x="true", y="mean", color="method", markers=True{facets})\n'
        "figure.update_yaxes(matches=None, showticklabels=True).show()\n"
    )
