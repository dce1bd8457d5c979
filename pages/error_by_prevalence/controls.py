"""The controls of the artificial-prevalence protocol and of the training part."""

from dataclasses import dataclass

import streamlit as st

from pages.charts.live_slider import live_slider
from pages.error_by_prevalence.settings import SETTINGS
from pages.frame.training_controls import seed_box, training_prevalence, training_share, type_numbers
from pages.settings import control
from pages.settings.current import current
from qcore import ArtificialPrevalence


@dataclass(frozen=True)
class SamplingRequest:
    """The choices of the controls: which samples to draw, how to split the data, and whether the axes are free."""

    protocol: ArtificialPrevalence
    training_share: float
    training_prevalence: float | None
    free_axes: bool


def controls() -> SamplingRequest:
    """Draw the controls (seldom used ones behind "More") and return their choices."""
    size_part = st.container(width=220)
    grid, repeats = (current(SETTINGS[key]) for key in ("grid", "repeats"))
    with st.popover(f"{grid} prevalences, {repeats} repeats", key="more"):
        chosen_grid = control.segments(SETTINGS["grid"])
        chosen_repeats = control.number(SETTINGS["repeats"])
        type_numbers(SETTINGS["size"])
        training = training_share()
        prior = training_prevalence()
        seed_box()
        free_axes = control.toggle(SETTINGS["free"])
    size = live_slider(size_part, SETTINGS["size"])
    return SamplingRequest(ArtificialPrevalence(int(chosen_grid), int(size), int(chosen_repeats)), training, prior, free_axes)
