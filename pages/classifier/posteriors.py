"""The section on posteriors: classify again, with scores adjusted to a quantifier's estimate of the sample."""

from typing import Final

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.classifier import computations
from pages.classifier.adjusted_decisions_figure import decisions_figure
from pages.classifier.costs import current_skew
from pages.classifier.posteriors_findings import decisions_sentences
from pages.classifier.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.links import update_link
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import ArtificialPrevalence, InvalidInput, ScoringSettings

TEXTS: Final = texts_of("classifier")

_SIZE, _GRID, _REPEATS = 100, 21, 50


@fragment
def posteriors_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the controls for a quantifier and a measure, and what adjusting the scores does to decisions."""
    st.markdown(TEXTS["posteriors"])
    left, right = narrow_row("posteriors", 2)
    with left:
        method = control.choice(SETTINGS["decide_with"])
    with right:
        measure = control.segments(SETTINGS["decision"])
    update_link("classifier", "posteriors")
    with st.container():
        try:
            _answer(sidebar_choice, settings, method, measure)
        except InvalidInput as error:
            show_invalid_input(error)


def _answer(sidebar_choice: SidebarChoice, settings: ScoringSettings, method: str, measure: str) -> None:
    data = sidebar_choice.data
    scores = pipeline.scores(data, settings)
    protocol = ArtificialPrevalence(_GRID, _SIZE, _REPEATS).at_most(*pipeline.plan(data, settings).pool_counts)
    table = computations.decisions(scores, method, protocol, current_skew())
    st.markdown("\n".join(f"- {sentence}" for sentence in decisions_sentences(table, measure, method)))
    figure = decisions_figure(table, measure, scores.training_prevalence)
    chart(figure, key="decisions", alt=f"{measure} by true prevalence, with scores as they are and adjusted.")
    st.caption(
        f"All instances of {_REPEATS} samples of {protocol.sample_size} at each prevalence. Dotted line: the training "
        "prevalence, where there is nothing to adjust."
    )
    csv_button("Decisions as CSV", lambda: table, f"{sidebar_choice.data_name}-decisions")
