"""The controls of the training part, and protocols reduced to the pool's size, for the pages that draw samples."""

from dataclasses import replace
from typing import TypeVar

import streamlit as st

from pages.frame.sidebar import SidebarChoice
from pages.settings import control
from pages.settings.current import current
from pages.settings.setting import Setting
from pages.settings.shared import AS_FOUND, SEED, TRAINING
from pages.settings.typed_text import typed_percentage
from pages.work.limits import check_within
from qcore import ArtificialPrevalence, ScoringSettings
from qcore.protocols import PoolTooSmall, PrevalencePath


def training_share() -> float:
    """Draw the control of the share of the data set that trains the classifier; returns the share."""
    return float(control.slider(TRAINING["share"]))


def training_prevalence() -> float | None:
    """Draw the control of the prevalence in the training part; returns it, or None for the prevalence as found."""
    prior = str(control.choice(TRAINING["prior"]))
    return None if prior == AS_FOUND else typed_percentage(prior)


def training_popover(sidebar_choice: SidebarChoice, *typed: Setting, one_class: bool = True) -> ScoringSettings:
    """Draw what is seldom changed in a popover: boxes to type numbers, the training part, the seed; returns what scores need.

    Without `one_class`, scores are of all classes, and there is no training prevalence to set.
    """
    share, prior, seed = (str(current(setting)) for setting in (TRAINING["share"], TRAINING["prior"], SEED["seed"]))
    positives = "" if prior == AS_FOUND or not one_class else f", {prior} positive"
    with st.popover(f"{float(share):.0%} for training{positives}, seed {seed}", key="training"):
        type_numbers(*typed)
        training, prevalence = training_share(), training_prevalence() if one_class else None
        positive = sidebar_choice.positive if one_class else None
        return ScoringSettings(positive, sidebar_choice.classifier, seed_box(), training, prevalence)


def seed_popover() -> int:
    """Draw the seed in a popover, for a view that draws random numbers but has no training part; returns it."""
    with st.popover(f"Seed {current(SEED['seed'])}", key="training"):
        return seed_box()


def seed_box() -> int:
    """Draw the box of the seed; returns it."""
    return control.number(SEED["seed"])


def type_numbers(*settings: Setting) -> None:
    """Draw boxes to type numbers that have a slider in the bar, too; none for a percentage, which is typed in the bar."""
    for setting in settings:
        (control.number if isinstance(setting.default, int) else control.hidden_number_box)(setting)


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
