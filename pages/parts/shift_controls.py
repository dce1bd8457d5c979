"""The controls of the artificial-prevalence protocol and of the training part, on the pages that draw samples."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.parts import controls
from pages.parts.settings import AS_FOUND, GRIDS, REPEATS_RANGE, SHARE_RANGE, SIZE_RANGE, TRAINING_PREVALENCES
from qcore import ArtificialPrevalence


@dataclass(frozen=True)
class Shift:
    """What the controls say."""

    protocol: ArtificialPrevalence
    training_share: float
    training_prevalence: float | None
    free_axes: bool


def shift_controls() -> Shift:
    """Draw the controls and return what they say."""
    left, middle, right = st.columns(3, gap="medium")
    with left:
        size = controls.slider(
            "size", "Sample size", *SIZE_RANGE, 1, help="Instances in each sample, drawn without replacement from the pool."
        )
        grid = controls.segments(
            "grid", "Prevalence grid", GRIDS, help="Number of equally spaced true prevalences from 0 to 1."
        )
    with middle:
        share = controls.slider(
            "share", "Training share", *SHARE_RANGE, 0.01,
            help="Share of the data set that trains the classifier; the rest is the pool that samples are drawn from.",
        )  # fmt: skip
        repeats = controls.number(
            "repeats", "Repeats", *REPEATS_RANGE, 10, help="Samples drawn at each true prevalence; the band shows their spread."
        )
    with right:
        prior = controls.choice(
            "prior", "Training prevalence", TRAINING_PREVALENCES,
            help="Share of positives in the training part: as found in the data, or set by under-sampling it.",
        )  # fmt: skip
        free_axes = st.toggle(
            "Free axes", key="free", bind="query-params",
            help="Off: the axes stay put, so that pictures compare. On: they fit the data shown.",
        )  # fmt: skip
    training_prevalence = None if prior == AS_FOUND else float(prior)
    return Shift(ArtificialPrevalence(int(grid), int(size), int(repeats)), float(share), training_prevalence, free_axes)


def use_sample_size(size: int) -> None:
    """Set the sample size, as a button's callback."""
    st.session_state["size"] = size
