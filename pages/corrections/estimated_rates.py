"""The section on estimating rates: each way over repeats, beside the pool's rates, and the errors of AC with them."""

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.estimated_rates import estimated_rates_figure, rate_estimation_list, rates_sentences
from pages.corrections.settings import SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.sidebar import SidebarChoice, nothing_to_train
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.studies.threshold_adjustment import usable_rate_estimations

TEXTS = texts_of("corrections")


@fragment
def estimated_rates_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the section; its computations train a hundred models or more."""
    st.markdown(TEXTS["estimated_rates"])
    if nothing_to_train(sidebar_choice):
        return
    repeats = control.segments(SETTINGS["rate_repeats"])
    with st.container():
        try:
            rates = pipeline.estimated_rates(sidebar_choice.data, settings, int(repeats))
        except InvalidInput as error:
            show_invalid_input(error)
            return
        st.markdown("\n".join(f"- {sentence}" for sentence in rates_sentences(rates)))
        chart(
            estimated_rates_figure(rates, ("tpr", "fpr", "AE"), "Which estimate of the rates can you trust?"),
            key="estimated_rates_chart",
            alt="tpr, fpr and the mean error of AC for each way of estimating rates, a circle for each repeat.",
        )
        st.caption(
            f"One training part and one model; {repeats} repeats of all that is drawn at random. AE is a mean over "
            f"{rates.n_samples:,} samples of {rates.sample_size} at 21 prevalences; bars are means over repeats."
        )
        rate_estimation_list(usable_rate_estimations(settings.classifier))
        csv_button("Rates as CSV", lambda: rates.table, f"{sidebar_choice.data_name}-estimated-rates")
