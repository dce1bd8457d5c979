"""How good is the classifier: as a ranker, at a threshold, for a cost, as a source of probabilities?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.classifier.all_classes import all_classes_section
from pages.parts.classifier.calibration import calibration_section
from pages.parts.classifier.costs_and_roc import confusion, costs_and_roc, evaluation_controls
from pages.parts.classifier.regression import regression_section
from pages.parts.classifier.validation import validation_section
from pages.parts.frame import page, training_part
from pages.parts.layout import pinned
from pages.parts.links import copy_page_link, update_link
from pages.parts.presets import show_current_preset
from pages.parts.sidebar import SidebarChoice
from pages.parts.threshold_control import threshold_bar, threshold_box
from qcore import InvalidInput, ScoringSettings


@st.fragment
def threshold_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """The charts that follow the threshold, with the costs; or why there are none."""
    with st.container():
        preset_part, control_part, bar, answer_part = st.container(), st.container(border=True), pinned("bar"), st.container()
    with control_part:
        request = evaluation_controls()
    threshold, bar_part = threshold_box(bar)
    with answer_part:
        try:
            scores = cached.scores(sidebar_choice.data, settings)
            evaluation = cached.classifier_evaluation(sidebar_choice.data, settings, request.part, threshold, scores)
            threshold_bar(bar_part, evaluation.rates.thresholds, threshold, evaluation.points)
            costs_and_roc(sidebar_choice, evaluation, request)
            confusion(evaluation)
        except InvalidInput as error:
            controls.show_invalid_input(error)
    with preset_part:
        show_current_preset("classifier")
    update_link("classifier", "threshold")


with page(
    "Classifier",
    "A quantifier stands on a classifier. How well does it rank, what does it do at a threshold, what do its errors cost, and "
    "are its scores probabilities? **Drag the threshold** and see the first three answer.",
) as chosen:
    scoring, link_part = training_part(chosen)
    threshold_section(chosen, scoring)
    st.divider()
    calibration_section(chosen, scoring)
    validation_section(chosen, scoring)
    all_classes_section(chosen, scoring)
    regression_section()
    with link_part:
        copy_page_link("classifier")
