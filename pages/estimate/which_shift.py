"""The section "Which shift" of "Estimate": what the tests see of this sample, what they would see, and what to do next."""

import streamlit as st

from pages import pipeline
from pages.charts.mixture import shift_verdict
from pages.estimate import computations
from pages.estimate.estimate_view import EstimateView
from pages.estimate.hero import drawn_path
from pages.estimate.own_files import labels_unlike_classes
from pages.estimate.settings import COUNTS, LABELLED_PART, OWN, SETTINGS
from pages.frame.texts import texts_of
from pages.own_data.uploads import label_column
from pages.settings import control
from pages.settings.control import escaped
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.intervals import ShiftVerdict
from qcore.intervals.which_shift import REFUSES_CORRECTION
from qcore.scoring.sample_scores import unknown_labels

TEXTS = texts_of("estimate")


def which_shift_section(shown: EstimateView) -> None:
    """Draw the section: the verdict, and the tests behind it."""
    st.markdown(TEXTS["which shift"])
    if shown.request.way == COUNTS:
        st.info(
            "These tests need scores or features; counts have none. If some instances of the sample are labelled, choose "
            f"“{LABELLED_PART}”."
        )
        return
    try:
        result = _verdict(shown)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    if result is not None:
        shift_verdict(result)
        if shown.take and result.verdict in REFUSES_CORRECTION:
            st.markdown(
                f"The recommendation above, **{shown.take}**, assumes that only the shares have moved; its own check saw "
                "nothing against that. These tests look at more and see otherwise: with this result it does not hold."
            )


def _verdict(shown: EstimateView) -> ShiftVerdict | None:
    choice, request = shown.sidebar_choice, shown.request
    if request.way != OWN:
        with st.container(width=320):
            n_labels = int(control.slider(SETTINGS["shown_labels"]))
        scores = pipeline.scores(choice.data, request.settings)
        return computations.shift_of_drawn(scores, drawn_path(shown), request.draw, n_labels)
    if request.own is None:
        return None
    label = label_column(choice.data)
    if label not in request.own.frame.columns or request.own.unlabelled_in:
        st.caption(
            f"Labels of the sample allow three more tests: give it the column {escaped(label)}, filled in ten or more rows "
            "that were drawn at random, empty in the others."
        )
    classes = pipeline.dataset(choice.data).classes
    if strange := unknown_labels(request.own.frame, label, classes):
        st.warning(f"{labels_unlike_classes(label, strange, classes)} They are not taken as labels.")
    return computations.shift_of_own(choice.data, request.settings, request.own)
