"""What do the corrections with tpr and fpr do, when do they explode, and which threshold does a policy pick?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.corrections.dataset_shift import dataset_shift_section
from pages.parts.corrections.estimated_rates import estimated_rates_section
from pages.parts.corrections.method_inspection import method_inspection_section
from pages.parts.corrections.threshold_adjustment import drawn_sample, sample_controls, threshold_charts
from pages.parts.corrections.trend import trend_section
from pages.parts.explanations import quantifier_expander
from pages.parts.frame import page, training_part
from pages.parts.layout import pinned
from pages.parts.links import copy_page_link, update_link
from pages.parts.presets import show_current_preset
from pages.parts.sidebar import SidebarChoice
from pages.parts.threshold_control import threshold_bar, threshold_box
from qcore import InvalidInput, ScoringSettings
from qcore.quantifiers import POLICIES


@st.fragment
def sample_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """One drawn sample, the charts that follow the threshold, and a look into a method; or why there are none."""
    with st.container():
        preset_part, control_part, bar, answer_part = st.container(), st.container(border=True), pinned("bar"), st.container()
    with control_part:
        request = sample_controls()
    threshold, bar_part = threshold_box(bar)
    with answer_part:
        try:
            scores = cached.scores(sidebar_choice.data, settings)
            with control_part:
                adjustment = drawn_sample(sidebar_choice, settings, scores, request, threshold)
            threshold_bar(bar_part, adjustment.rates.thresholds, threshold, adjustment.points)
            threshold_charts(adjustment)
            method_inspection_section(sidebar_choice, settings, scores, adjustment)
        except InvalidInput as error:
            controls.show_invalid_input(error)
    with preset_part:
        show_current_preset("corrections")
    update_link("corrections", "sample")


with page(
    "Corrections",
    "Why is counting biased, what does the correction do, and when does it explode? One sample, one threshold: "
    "**drag the threshold** on its bar or in a chart, and everything that depends on it follows.",
) as chosen:
    scoring, link_part = training_part(chosen)
    sample_section(chosen, scoring)
    st.divider()
    trend_section(chosen, scoring)
    st.divider()
    dataset_shift_section(chosen, scoring)
    st.divider()
    estimated_rates_section(chosen, scoring)
    quantifier_expander(POLICIES)
    with link_part:
        copy_page_link("corrections")
