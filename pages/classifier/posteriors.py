"""The section on posteriors: what they say of a sample, and decisions by scores adjusted to a quantifier's estimate of it."""

from typing import Final

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.classifier import computations
from pages.classifier.adjusted_decisions_figure import decisions_figure
from pages.classifier.costs import current_skew
from pages.classifier.posterior_tasks_figure import (
    classifier_measures_figure,
    sample_reliability_figure,
    share_figure,
)
from pages.classifier.posteriors_findings import decisions_sentences, tasks_sentence
from pages.classifier.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import ArtificialPrevalence, InvalidInput, ScoringSettings

TEXTS: Final = texts_of("classifier")

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
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
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
        f"{_REPEATS} samples of {protocol.sample_size} at each prevalence. Predictions are made at the threshold 0.5; in the "
        "last chart at the threshold of the costs, by adjusted scores, too. Dotted line there: the training prevalence, where "
        "there is nothing to adjust."
    )
    with st.container(horizontal=True, gap="small"):
        csv_button("Posteriors' answers as CSV", lambda: result.table, f"{sidebar_choice.data_name}-posteriors")
        csv_button("Decisions as CSV", lambda: table, f"{sidebar_choice.data_name}-decisions")
