"""How wrong is each quantifier, by the true prevalence of the sample?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.error_by_prevalence.answer import ErrorView, show
from pages.parts.error_by_prevalence.sampling_controls import SamplingRequest, sampling_controls
from pages.parts.explanations import loss_popover, quantifier_expander
from pages.parts.frame import page
from pages.parts.links import copy_page_link
from pages.parts.presets import show_current_preset
from pages.parts.sampling_controls import fitting_protocol
from pages.parts.sidebar import SidebarChoice, no_method
from qcore import LOSSES, InvalidInput, ScoringSettings
from qcore.losses import Loss, Smoothing


@st.fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Controls and what they change: a move here draws nothing outside.

    Each part has its container, drawn or empty: a part that came and went would move the charts, and the browser would
    build them anew, zoom and legend lost.
    """
    loss_row = st.container(horizontal=True, vertical_alignment="bottom")
    control_part, preset_part, answer_part = st.container(), st.container(), st.container()
    with loss_row:
        loss = LOSSES[controls.segments("loss", "Loss", list(LOSSES))]
        smoothing = loss_popover(loss)
    with control_part.container(border=True):
        request = sampling_controls()
    with loss_row:
        copy_page_link("error_by_prevalence")
    with preset_part:
        show_current_preset("error_by_prevalence")
    with answer_part:
        answer(sidebar_choice, request, loss, smoothing)
    quantifier_expander(sidebar_choice.methods)


def answer(sidebar_choice: SidebarChoice, request: SamplingRequest, loss: Loss, smoothing: Smoothing) -> None:
    """The pictures, or the one sentence that says why there are none."""
    if no_method(sidebar_choice):
        return
    try:
        settings = ScoringSettings(
            sidebar_choice.positive,
            sidebar_choice.classifier,
            sidebar_choice.seed,
            request.training_share,
            request.training_prevalence,
        )
        protocol = fitting_protocol(request.protocol, cached.plan(sidebar_choice.data, settings).pool_counts)
        scores = cached.scores(sidebar_choice.data, settings)
        estimates = cached.estimates(sidebar_choice.data, settings, protocol, sidebar_choice.methods, scores)
    except InvalidInput as error:
        controls.show_invalid_input(error)
        return
    show(ErrorView(sidebar_choice, settings, protocol, loss, smoothing, request.free_axes), scores, estimates)


with page(
    "Error by prevalence",
    "How wrong is each quantifier when the share of positives has moved since training? Each point is the mean over many "
    "samples with the same true prevalence.",
) as chosen:
    body(chosen)
