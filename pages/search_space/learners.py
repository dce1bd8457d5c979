"""Classifiers as quantifiers: the tab and its figure."""

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import Figure, classifier_style, figure
from pages.charts.small_table import Column, small_table
from pages.charts.traces import axis, styled_line, vertical_mark
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row
from pages.frame.sidebar import SidebarChoice, nothing_to_train
from pages.frame.texts import draw_sentences, texts_of
from pages.search_space import computations
from pages.search_space.hero import learners_sentences
from pages.search_space.settings import SETTINGS
from pages.settings import control
from pages.settings.setting import Value
from pages.work.refusals import show_invalid_input
from qcore import CLASSIFIERS, LOSSES, ArtificialPrevalence, InvalidInput, ScoringSettings
from qcore.evaluation.summaries import curves, overview
from qcore.losses import Loss
from qcore.studies.search_space import correction_for


def learners_figure(curves: pd.DataFrame, loss: Loss, names: dict[str, str], training_prevalence: float) -> Figure:
    """Mean loss by true prevalence, a line for each classifier.

    Parameters
    ----------
    curves : table of `summaries.curves`, its methods keys of CLASSIFIERS.
    names : key -> the classifier's name in the figure.
    training_prevalence : marked on the x axis.
    """
    lines = [
        styled_line(names[str(key)], classifier_style(str(key)), table["true"], table["mean"], width=2.5, hover="%{y:.4f}")
        for key, table in curves.groupby("method", sort=False)
    ]
    return figure(
        lines,
        title=f"Mean {loss.key} of each learner",
        shapes=[vertical_mark(training_prevalence)],
        xaxis=axis("true prevalence", (-0.02, 1.02)),
        yaxis=axis(f"mean {loss.key}", rangemode="tozero"),
    )


TEXTS = texts_of("search_space")


def learners_control(sidebar_choice: SidebarChoice) -> tuple[str, ...]:
    """Draw the control; returns the chosen classifiers and the sidebar's, in the order of the registry."""
    return chosen_learners(sidebar_choice, control.several_of(SETTINGS["learners"]))


def chosen_learners(sidebar_choice: SidebarChoice, chosen: Value) -> tuple[str, ...]:
    """The chosen classifiers and the sidebar's, in the order of the registry; none if scores are given."""
    if sidebar_choice.scores_given:
        return ()
    keys = chosen if isinstance(chosen, list) else []
    return tuple(key for key in CLASSIFIERS if key in {*keys, sidebar_choice.classifier})


def learners_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the section on the AE of each learner with a correction, by prevalence."""
    st.markdown(TEXTS["learners"])
    if nothing_to_train(sidebar_choice):
        return
    left, right = narrow_row("learners", 2)
    with left:
        learners = learners_control(sidebar_choice)
    with right:
        correction = control.choice(SETTINGS["with"])
    with st.container():
        try:
            _answer(sidebar_choice, settings, learners, correction)
        except InvalidInput as error:
            show_invalid_input(error)


def _answer(sidebar_choice: SidebarChoice, settings: ScoringSettings, learners: tuple[str, ...], correction: str) -> None:
    protocol = learners_protocol(pipeline.plan(sidebar_choice.data, settings).pool_counts)
    scores = computations.train(sidebar_choice.data, settings, learners)
    estimates = computations.learner_estimates(scores, protocol, correction)
    losses = estimates.losses("AE")
    names = {key: f"{key} + {correction_for(key, correction)}" for key in learners}
    table = overview(losses)
    notes = [f"{key}: {note}" for key, learner_scores in scores.items() for note in learner_scores.notes]
    draw_sentences([*learners_sentences(table, names), *notes])
    training = scores[learners[0]].training_prevalence
    figure = learners_figure(curves(losses.by_method, estimates.samples), LOSSES["AE"], names, training)
    chart(figure, key="learners_chart", alt="Mean AE of each learner with its correction, by true prevalence.")
    st.caption(f"Means over {protocol.repeats} samples of {protocol.sample_size} at each prevalence. AE is |estimate - truth|.")
    shown = table.assign(method=[names[key] for key in table["method"]])
    with st.expander("Means as a table"):
        columns = (
            Column("method", "Learner and correction"),
            Column("mean", "Mean AE", ".4f"),
            Column("median", "Median", ".4f"),
            Column("worst_prevalence", "Worst prevalence", ".0%"),
            Column("worst_mean", "Mean there", ".4f"),
        )
        small_table(shown, columns, label="Mean AE of each learner")
    csv_button("Learners as CSV", lambda: shown, f"{sidebar_choice.data_name}-learners")


def learners_protocol(pool_counts: tuple[int, int]) -> ArtificialPrevalence:
    """100 samples of up to 100 instances at each of 21 prevalences. Raises InvalidInput if no size works."""
    protocol = ArtificialPrevalence(21, 100, 100).at_most(*pool_counts)
    protocol.check_pool(*pool_counts)
    return protocol
