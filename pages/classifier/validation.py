"""Validation and overfitting: the tab and its figure."""

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.estimated_rates import (
    error_estimates_sentence,
    estimated_rates_figure,
    overfitting_sentence,
    rate_estimation_list,
)
from pages.charts.figure import Figure
from pages.charts.style import NEGATIVES, NEUTRAL, POSITIVES, Style, figure
from pages.charts.traces import axis, styled_line
from pages.classifier import computations
from pages.classifier.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.sidebar import SidebarChoice, nothing_to_train
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.studies.threshold_adjustment import usable_rate_estimations

_STYLES = {
    "training": Style(POSITIVES, "dot", "circle"),
    "out of fold": Style(NEGATIVES, "dash", "square"),
    "pool": Style(NEUTRAL, "solid", "diamond"),
}
_NAMES = {"training": "on its training data", "out of fold": "out of fold", "pool": "on the pool"}


def overfitting_figure(table: pd.DataFrame, complexity: str) -> Figure:
    """A line for each part; the table of `errors_by_complexity`, the simplest model on the left."""
    values = [str(value) for value in dict.fromkeys(table.value)]
    lines = [
        styled_line(_NAMES[part], style, values, table[table.part == part].error, hover="%{y:.1%}", width=2.5)
        for part, style in _STYLES.items()
    ]
    return figure(
        lines,
        title="More complex, better?",
        height=420,
        xaxis={**axis(f"{complexity}: more complex to the right"), "type": "category", "categoryarray": values},
        yaxis={**axis("share of errors"), "rangemode": "tozero", "tickformat": ".0%"},
    )


TEXTS = texts_of("classifier")

_REPEATS = 5
_ASKED = "models of the validation that the user has asked for"


@fragment
def validation_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the section; its computations train a hundred models or more, which is why they are asked for."""
    st.markdown(TEXTS["validation"])
    if nothing_to_train(sidebar_choice):
        return
    complexity = control.segments(SETTINGS["complexity"])
    with st.container():
        asked = (str(sidebar_choice.data), settings, complexity)
        if st.session_state.get(_ASKED) != asked:
            st.button("Train the models", key="validate", on_click=st.session_state.update, args=({_ASKED: asked},))
            st.caption("A hundred models or more: some 20 seconds.")
            return
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
        f"Circles: {_REPEATS} repeats; bars: their means; grey line: the error on the pool; all at the training prevalence."
    )
    rate_estimation_list(usable_rate_estimations(settings.classifier))
    csv_button("Errors by complexity as CSV", lambda: errors, f"{sidebar_choice.data_name}-overfitting")
