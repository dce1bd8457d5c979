"""Quantify, then classify better: the tab, its figures, its sentences.

Source: Marufo 2023, Figure 1.3b.
"""

from typing import Any

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.figure import NEUTRAL, SERIES, Figure, Style, figure
from pages.charts.traces import UNIT, Trace, axis, diagonal, line, markers, styled_line, vertical_mark
from pages.classifier import computations
from pages.classifier.calibration import reliability_line
from pages.classifier.from_the_slides import current_skew
from pages.classifier.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.number_text import digits, percentage
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import ArtificialPrevalence, InvalidInput, ScoringSettings
from qcore.measures.probability import CLASSIFIER_MEASURES
from qcore.studies.classifier_evaluation import ClassifierEvaluation
from qcore.studies.posteriors import ADJUSTMENTS, POSTERIORS, TRUTH, PosteriorTasks

_NOTICEABLE = 0.001


def decisions_sentences(table: pd.DataFrame, measure: str, method: str) -> list[str]:
    """Where adjusting helps most and whether it ever hurts; the table of `decisions_by_prevalence`."""
    values = table.pivot_table(index="true", columns="adjusted", values=measure)
    before, after, best = (values[name] for name in ("as they are", "to the estimate", "to the truth"))
    gains = before - after if measure == "cost" else after - before

    def text(value: float) -> str:
        return digits(value) if measure == "cost" else percentage(value)

    most, least = int(gains.argmax()), int(gains.argmin())
    prevalences = [float(value) for value in values.index]
    sentences = []
    if gains.iloc[most] <= _NOTICEABLE or text(before.iloc[most]) == text(after.iloc[most]):
        sentences.append(f"Adjusting the scores to what **{method}** estimates helps nowhere here.")
    else:
        sentences.append(
            f"Adjusting the scores to what **{method}** estimates helps most at a prevalence of {prevalences[most]:.0%}. "
            f"There {measure} goes from {text(before.iloc[most])} to **{text(after.iloc[most])}**; with the true prevalence it "
            f"would be {text(best.iloc[most])}."
        )
    if gains.iloc[least] < -_NOTICEABLE and text(before.iloc[least]) != text(after.iloc[least]):
        sentences.append(
            f"Adjusting hurts most at {prevalences[least]:.0%}: from {text(before.iloc[least])} to {text(after.iloc[least])}. "
            "There the scores are not probabilities, or the estimate is off."
        )
    return sentences


def tasks_sentence(table: pd.DataFrame, true: float, method: str) -> str:
    """What posteriors say at a prevalence, as they are and adjusted, beside the truth; the table of `posterior_tasks`."""
    shown = table[table.true == true].set_index("by")

    def said(name: str) -> str:
        return f"{percentage(shown.prevalence[name])} are positive and {percentage(shown.accuracy[name])} rightly classified"

    return (
        f"By the scores as they are, {said(POSTERIORS[0])}. Adjusted to what **{method}** estimates, "
        f"**{said(POSTERIORS[1])}**. In truth, {said(TRUTH)}."
    )


_DECISION_STYLES = (
    Style(SERIES[0], "dash", "circle"),
    Style(SERIES[1], "solid", "square"),
    Style(NEUTRAL, "dot", "diamond"),
)
_TITLES = {"accuracy": "accuracy", "F1": "F1", "cost": "cost per instance"}


def decisions_figure(table: pd.DataFrame, measure: str, training_prevalence: float) -> Figure:
    """A line for each way of adjusting; the table of `decisions_by_prevalence`, `measure` one of its last three columns."""
    lines = [
        styled_line(
            f"scores {name}" if name == "as they are" else f"adjusted {name}",
            style,
            rows.true,
            rows[measure],
            hover="%{y:.3f}",
            width=2.5,
        )
        for name, style in zip(ADJUSTMENTS, _DECISION_STYLES, strict=True)
        for rows in [table[table.adjusted == name]]
    ]
    percent: dict[str, Any] = {} if measure == "cost" else {"tickformat": ".1~%"}
    return figure(
        lines,
        title=f"Does knowing how many help to know which? {_TITLES[measure].capitalize()}",
        height=360,
        shapes=[vertical_mark(training_prevalence)],
        xaxis=axis("true prevalence of the sample", (-0.02, 1.02), tickformat=".0%"),
        yaxis=axis(_TITLES[measure], **percent),
    )


_STYLES = {
    POSTERIORS[0]: Style(SERIES[0], "dash", "circle"),
    POSTERIORS[1]: Style(SERIES[1], "solid", "square"),
    TRUTH: Style(NEUTRAL, "dot", "diamond"),
}
_NAMES = {POSTERIORS[0]: "scores as they are", POSTERIORS[1]: "adjusted", TRUTH: TRUTH}
_HEIGHT = 360


def share_figure(table: pd.DataFrame, true: float) -> Figure:
    """The mean posterior by true prevalence, with a mark at the shown one; the table of `posterior_tasks`."""
    lines = [
        styled_line(_NAMES[name], _STYLES[name], rows.true, rows.prevalence, hover="%{y:.1%}", size=5)
        for name in POSTERIORS
        for rows in [table[table.by == name]]
    ]
    return figure(
        [diagonal(TRUTH), *lines],
        title="How many are positive?",
        height=_HEIGHT,
        shapes=[vertical_mark(true)],
        xaxis=axis("true prevalence of the sample", (-0.02, 1.02), tickformat=".0%"),
        yaxis=axis("mean of the posteriors", (-0.02, 1.02), tickformat=".0%"),
    )


def sample_reliability_figure(table: pd.DataFrame, true: float) -> Figure:
    """Share of positives by mean posterior at the shown prevalence; the reliability of `posterior_tasks`."""
    shown = table[table.true == true]
    lines = [reliability_line(_NAMES[name], _STYLES[name], shown[shown.by == name]) for name in POSTERIORS]
    return figure(
        [diagonal("a probability"), *lines],
        title="Does 0.7 mean 70% here?",
        height=_HEIGHT,
        hovermode="closest",
        xaxis=axis("mean posterior in the bin", UNIT),
        yaxis=axis("share of positives in the bin", UNIT),
    )


def classifier_measures_figure(result: PosteriorTasks, true: float) -> Figure:
    """How far expected accuracy, F1 and AUC of the classifier are from the true ones at the shown prevalence."""
    errors, truth = result.errors(), result.table[(result.table.by == TRUTH) & (result.table.true == true)].iloc[0]
    places = [f"{name}<br>in truth {percentage(float(truth[name]))}" for name in CLASSIFIER_MEASURES]
    most = 1.1 * float(errors[list(CLASSIFIER_MEASURES)].abs().max().max())
    dots = [
        markers(
            _NAMES[name],
            errors[(errors.by == name) & (errors.true == true)].iloc[0][list(CLASSIFIER_MEASURES)].tolist(),
            places,
            colour=_STYLES[name].colour,
            symbol=_STYLES[name].symbol,
            size=13,
            hover="%{x:+.1%}",
        )
        for name in POSTERIORS
    ]
    return figure(
        dots,
        title="How good is the classifier here?",
        height=_HEIGHT,
        hovermode="closest",
        shapes=[vertical_mark(0.0, line={"color": NEUTRAL, "width": 1.5})],
        xaxis=axis("expected without labels, minus true", (-most, most), tickformat="+.0%"),
        yaxis={"type": "category", "autorange": "reversed", "title": {"text": ""}},
    )


TEXTS = texts_of("classifier")

_SIZE, _GRID, _REPEATS = 100, 21, 50


@fragment
def posteriors_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw what posteriors say of a sample, and what adjusting them does to decisions."""
    st.markdown(TEXTS["posteriors"])
    left, middle, right = narrow_row("posteriors", 3)
    with left:
        prevalence = float(control.slider(SETTINGS["posterior_prevalence"]))
    with middle:
        method = control.choice(SETTINGS["decide_with"])
    with right:
        measure = control.segments(SETTINGS["decision"])
    with st.container():
        try:
            _answer(sidebar_choice, settings, method, prevalence, measure)
        except InvalidInput as error:
            show_invalid_input(error)


def _answer(sidebar_choice: SidebarChoice, settings: ScoringSettings, method: str, prevalence: float, measure: str) -> None:
    data = sidebar_choice.data
    scores = pipeline.scores(data, settings)
    protocol = ArtificialPrevalence(_GRID, _SIZE, _REPEATS).at_most(*pipeline.plan(data, settings).pool_counts)
    result = computations.posterior_tasks(scores, method, protocol)
    table = computations.decisions(scores, method, protocol, current_skew())
    true = result.nearest(prevalence)
    sentences = [tasks_sentence(result.table, true, method), *decisions_sentences(table, measure, method)]
    draw_sentences(sentences)
    share, calibration = wide_row("posterior tasks", [1, 1], align="top")
    with share:
        alt = "Mean posterior by true prevalence, as it is and adjusted."
        chart(share_figure(result.table, true), key="posterior_share", alt=alt)
    with calibration:
        alt = "Share of positives by mean posterior at this prevalence, as it is and adjusted."
        chart(sample_reliability_figure(result.reliability, true), key="posterior_reliability", alt=alt)
    classifier, decided = wide_row("posterior decisions", [1, 1], align="top")
    with classifier:
        alt = "Expected accuracy, F1 and AUC at this prevalence, minus the true ones."
        chart(classifier_measures_figure(result, true), key="posterior_measures", alt=alt)
    with decided:
        figure = decisions_figure(table, measure, scores.training_prevalence)
        chart(figure, key="decisions", alt=f"{measure} by true prevalence, with scores as they are and adjusted.")
    st.caption(
        f"{_REPEATS} samples of {protocol.sample_size} at each prevalence. Predictions at the threshold 0.5, in the last chart "
        "at that of the costs."
    )
    with st.container(horizontal=True, gap="small"):
        csv_button("Posteriors' answers as CSV", lambda: result.table, f"{sidebar_choice.data_name}-posteriors")
        csv_button("Decisions as CSV", lambda: table, f"{sidebar_choice.data_name}-decisions")


def accuracy_figure(evaluation: ClassifierEvaluation, index: int) -> DraggedFigure:
    """Accuracy by prevalence: p tpr + (1 - p)(1 - fpr), a straight line; `index` as in `roc_figure`."""
    rates, prevalence = evaluation.rates, float(evaluation.labels.mean())
    majority = line("always the larger class", [0, 0.5, 1], [1, 0.5, 1], width=1.5, dash="dot", hover="%{y:.1%}")

    def at(i: int) -> list[Trace]:
        tpr, fpr = float(rates.tpr[i]), float(rates.fpr[i])
        here = prevalence * tpr + (1.0 - prevalence) * (1.0 - fpr)
        return [
            line("this classifier", [0, 1], [1.0 - fpr, tpr], colour=SERIES[0], width=3, hover="%{y:.1%}"),
            markers("at the prevalence of these data", [prevalence], [here], symbol="square", size=10, colour=NEUTRAL),
        ]

    return dragged_figure(
        at,
        rates.thresholds.tolist(),
        index,
        still=[majority],
        title="How good, at which prevalence?",
        height=400,
        hovermode="closest",
        xaxis=axis("prevalence", UNIT, tickformat=".0%"),
        yaxis=axis("accuracy", UNIT, tickformat=".0%"),
    )
