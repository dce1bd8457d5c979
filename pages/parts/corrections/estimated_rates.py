"""The section on how rates are estimated: each way over repeats, beside the pool's rates, and what AC makes of them."""

from __future__ import annotations

import streamlit as st

from pages.figures.estimated_rates import estimated_rates_figure
from pages.findings.estimated_rates import rates_sentences
from pages.parts import cached, controls
from pages.parts.chart import chart
from pages.parts.corrections.settings import RATE_REPEATS
from pages.parts.corrections.texts import TEXTS
from pages.parts.downloads import csv_button
from pages.parts.links import update_link
from pages.parts.rate_estimation_list import rate_estimation_list
from pages.parts.sidebar import SidebarChoice, nothing_to_train
from pages.parts.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.studies.estimated_rates import usable_rate_estimations


@fragment
def estimated_rates_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """The section; it trains up to a hundred models and more."""
    st.markdown(TEXTS["estimated_rates"])
    if nothing_to_train(sidebar_choice):
        return
    repeats = controls.segments(
        "rate_repeats", "Repeats", RATE_REPEATS, help="Each with other folds, halves or bootstraps of the training part."
    )
    update_link("corrections", "estimated rates")
    with st.container():
        try:
            rates = cached.estimated_rates(sidebar_choice.data, settings, int(repeats))
        except InvalidInput as error:
            controls.show_invalid_input(error)
            return
        st.markdown("\n".join(f"- {sentence}" for sentence in rates_sentences(rates)))
        chart(
            estimated_rates_figure(rates, ("tpr", "fpr", "AE"), "Which estimate of the rates can one trust?"),
            key="estimated_rates_chart",
            alt="tpr, fpr and the mean error of AC for each way of estimating rates, a circle for each repeat.",
        )
        st.caption(
            f"One training part and one model, {repeats} repeats of everything that is drawn. AE is a mean over "
            f"{rates.n_samples:,} samples of {rates.sample_size} at 21 prevalences; bars are means over repeats."
        )
        rate_estimation_list(usable_rate_estimations(settings.classifier))
        csv_button("Rates as CSV", lambda: rates.table, f"{sidebar_choice.data}-estimated-rates")
