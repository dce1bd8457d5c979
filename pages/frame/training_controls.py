"""The controls of the training part, and protocols reduced to the pool's size, for the pages that draw samples."""

from dataclasses import replace
from typing import TypeVar

import streamlit as st

from pages.frame.sidebar import SidebarChoice
from pages.settings import control
from pages.settings.current import current
from pages.settings.shared import AS_FOUND, TRAINING
from pages.work.limits import check_within
from qcore import ArtificialPrevalence, ScoringSettings
from qcore.protocols import PoolTooSmall, PrevalencePath


def training_share() -> float:
    """Draw the control of the share of the data set that trains the classifier; returns the share."""
    return float(
        control.slider(TRAINING["share"])
    )  # fmt: skip


def training_prevalence() -> float | None:
    """The control of the share of positives in the training part; None is as found."""
    prior = control.choice(TRAINING["prior"])
    return None if prior == AS_FOUND else float(prior)


def training_popover(sidebar_choice: SidebarChoice) -> ScoringSettings:
    """Draw the controls of the training part in a popover; returns the settings of the classifier's scores."""
    share, prior = (current(TRAINING[key]) for key in ("share", "prior"))
    name = f"{float(str(share)):.0%} for training" + ("" if prior == AS_FOUND else f", {float(str(prior)):.0%} positive")
    with st.popover(name, key="training"):
        return ScoringSettings(
            sidebar_choice.positive, sidebar_choice.classifier, sidebar_choice.seed, training_share(), training_prevalence()
        )


_Protocol = TypeVar("_Protocol", ArtificialPrevalence, PrevalencePath)


def fitting_protocol(protocol: _Protocol, pool_counts: tuple[int, int], *, key: str = "size") -> _Protocol:
    """The protocol, or if the pool is too small the one with the largest size that works, which a notice says.

    `key` is the setting that holds the size. Raises InvalidInput if no size works.
    """
    slot = st.empty()
    if isinstance(protocol, ArtificialPrevalence):
        n_samples = len(protocol.prevalences) * protocol.repeats
        check_within("SAMPLES", "samples", n_samples, "Choose fewer prevalences or repeats.")
    try:
        protocol.check_pool(*pool_counts)
    except PoolTooSmall as error:
        if not error.largest:
            raise
        with slot.container(horizontal=True, vertical_alignment="center"):
            st.warning(
                f"Samples of {protocol.sample_size} do not fit: the pool has {pool_counts[0]} positives and {pool_counts[1]} "
                f"negatives. The samples shown have {error.largest}, the largest size that works."
            )
            st.button(
                f"Set the size to {error.largest}", key=f"fit {key}", on_click=_use_sample_size, args=(key, error.largest)
            )
        return replace(protocol, sample_size=error.largest)
    return protocol


def _use_sample_size(key: str, size: int) -> None:
    st.session_state[key] = size
