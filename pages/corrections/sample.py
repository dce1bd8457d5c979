"""The controls that choose a sample, and the drawn sample corrected at every threshold."""

from dataclasses import dataclass

import streamlit as st

from pages.charts.live_slider import live_slider
from pages.corrections import computations
from pages.corrections.settings import DRAW_RANGE, SETTINGS
from pages.frame.sidebar import SidebarChoice
from pages.frame.training_controls import fitting_protocol, training_popover
from pages.settings.current import current
from qcore import PrevalencePath, Scores, ScoringSettings
from qcore.studies.threshold_adjustment import ThresholdAdjustment


@dataclass(frozen=True)
class SampleRequest:
    """The choices of the controls: which sample to draw."""

    prevalence: float
    size: int
    draw: int


def controls(sidebar_choice: SidebarChoice) -> tuple[SampleRequest, ScoringSettings]:
    """Draw the controls of the sample and of the training part, and return their choices."""
    prevalence_part, size_part = (st.container(width=220) for _ in range(2))
    st.button("Another draw", on_click=_next_draw)
    settings = training_popover(sidebar_choice, *(SETTINGS[key] for key in ("p", "size", "draw")))
    prevalence, size = live_slider(prevalence_part, SETTINGS["p"]), live_slider(size_part, SETTINGS["size"])
    return SampleRequest(prevalence, int(size), int(str(current(SETTINGS["draw"])))), settings


def _next_draw() -> None:
    st.session_state["draw"] = (st.session_state["draw"] + 1) % (DRAW_RANGE[1] + 1)


def drawn_sample(scores: Scores, request: SampleRequest, threshold: float) -> ThresholdAdjustment:
    """The sample, or the largest that the pool can give, corrected at every threshold. Raises InvalidInput."""
    path = fitting_protocol(PrevalencePath((request.prevalence,), request.size), scores.pool_counts)
    return computations.threshold_adjustment(scores, path, threshold, request.draw)
