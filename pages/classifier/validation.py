"""The section on validation: each way's estimate of the classifier's error, and overfitting."""

from typing import Final

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.estimated_rates_figure import estimated_rates_figure
from pages.charts.estimated_rates_findings import error_estimates_sentence, overfitting_sentence
from pages.charts.rate_estimation_list import rate_estimation_list
from pages.classifier import computations
from pages.classifier.overfitting_figure import overfitting_figure
from pages.classifier.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.sidebar import SidebarChoice, nothing_to_train
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.studies.estimated_rates import usable_rate_estimations

TEXTS: Final = texts_of("classifier")

_REPEATS = 5


@fragment
def validation_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the section; its computations train a hundred models or more."""
    st.markdown(TEXTS["validation"])
    if nothing_to_train(sidebar_choice):
        return
    complexity = control.segments(SETTINGS["complexity"])
    with st.container():
        try:
            _answer(sidebar_choice, settings, complexity)
        except InvalidInput as error:
            show_invalid_input(error)


def _answer(sidebar_choice: SidebarChoice, settings: ScoringSettings, complexity: str) -> None:
    errors = computations.errors_by_complexity(sidebar_choice.data, settings, complexity)
    rates = pipeline.estimated_rates(sidebar_choice.data, settings, _REPEATS)
    st.markdown(f"- {overfitting_sentence(errors, complexity)}\n- {error_estimates_sentence(rates)}")
    left, right = wide_row("validation", [1, 1], align="top")
    with left:
        figure = overfitting_figure(errors, complexity)
        chart(figure, key="overfitting", alt="Share of errors by complexity of the model on training data, folds and pool.")
    with right:
        title = f"How good is the {settings.classifier}?"
        rates_figure = estimated_rates_figure(rates, ("error",), title)
        chart(rates_figure, key="error_estimates", alt="The classifier's share of errors as each way estimates it.")
    st.caption(
        f"Circles: {_REPEATS} repeats of what is drawn; bars: their means; the grey line: the error on the pool; all at the "
        "share of positives of training."
    )
    rate_estimation_list(usable_rate_estimations(settings.classifier))
    csv_button("Errors by complexity as CSV", lambda: errors, f"{sidebar_choice.data_name}-overfitting")
