"""How wrong is each quantifier, by the true prevalence of the sample?"""

import streamlit as st

from pages.parts import cached, controls, results
from pages.parts.explain import loss_popover, quantifier_expander
from pages.parts.frame import page
from pages.parts.presets import show_current
from pages.parts.settings import PAGE
from pages.parts.share import copy_page_link
from pages.parts.shift_controls import Shift, fitting, shift_controls
from pages.parts.workbench import Workbench, no_method
from qcore import LOSSES, InvalidInput, ScoringSettings
from qcore.losses import Loss


@st.fragment
def body(bench: Workbench) -> None:
    """Controls and what they change: a move here draws nothing outside.

    Each part has its container, drawn or empty: a part that came and went would move the charts, and the browser would
    build them anew, zoom and legend lost.
    """
    loss_row = st.container(horizontal=True, vertical_alignment="bottom")
    control_part, preset_part, answer_part = st.container(), st.container(), st.container()
    with loss_row:
        loss = LOSSES[controls.segments("loss", "Loss", list(LOSSES))]
        loss_popover(loss)
    with control_part.container(border=True):
        shift = shift_controls()
    with loss_row:
        copy_page_link(PAGE)
    with preset_part:
        show_current()
    with answer_part:
        answer(bench, shift, loss)
    quantifier_expander(bench.methods)


def answer(bench: Workbench, shift: Shift, loss: Loss) -> None:
    """The pictures, or the one sentence that says why there are none."""
    if no_method(bench):
        return
    try:
        settings = ScoringSettings(
            bench.positive, bench.classifier, bench.seed, shift.training_share, shift.training_prevalence
        )
        protocol = fitting(shift.protocol, cached.plan(bench.data, settings).pool_counts)
        scores = cached.scores(bench.data, settings)
        estimates = cached.estimates(bench.data, settings, protocol, bench.methods, scores)
    except InvalidInput as refused:
        controls.show_refusal(refused)
        return
    results.show(results.View(bench, settings, protocol, loss, shift.free_axes), scores, estimates)


with page(
    "Error by prevalence",
    "How wrong is each quantifier when the share of positives has moved since training? Each point is the mean over many "
    "samples with the same true prevalence.",
    "error",
) as chosen:
    body(chosen)
