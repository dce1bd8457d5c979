"""The controls that choose a sample, and the drawn sample corrected at every threshold."""

from dataclasses import dataclass

import streamlit as st

from pages.corrections import computations
from pages.corrections.settings import DRAW_RANGE, SETTINGS
from pages.frame.training_controls import fitting_protocol
from pages.settings import control
from qcore import PrevalencePath, Scores
from qcore.studies.threshold_adjustment import ThresholdAdjustment


@dataclass(frozen=True)
class SampleRequest:
    """The choices of the controls: which sample to draw."""

    prevalence: float
    size: int
    draw: int


def controls() -> SampleRequest:
    """Draw the controls of the sample and return their choices."""
    with st.container(width=260):
        prevalence = control.slider(SETTINGS["p"])
    with st.container(width=260):
        size = control.slider(SETTINGS["size"], help="Instances drawn without replacement from the pool.")
    with st.container(width=120):
        draw = control.number(SETTINGS["draw"])
    st.button("Another draw", on_click=_next_draw)
    return SampleRequest(float(prevalence), int(size), int(draw))


def _next_draw() -> None:
    st.session_state["draw"] = (st.session_state["draw"] + 1) % (DRAW_RANGE[1] + 1)


def drawn_sample(scores: Scores, request: SampleRequest, threshold: float) -> ThresholdAdjustment:
    """The sample, or the largest that the pool can give, corrected at every threshold. Raises InvalidInput."""
    path = fitting_protocol(PrevalencePath((request.prevalence,), request.size), scores.pool_counts)
    return computations.threshold_adjustment(scores, path, threshold, request.draw)
