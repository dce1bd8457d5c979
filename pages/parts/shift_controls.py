"""The controls of the artificial-prevalence protocol and of the training part, on the pages that draw samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import streamlit as st

from pages.parts import controls
from pages.parts.layout import narrow_row
from pages.parts.settings import AS_FOUND, GRIDS, REPEATS_RANGE, SHARE_RANGE, SIZE_RANGE, TRAINING_PREVALENCES
from pages.parts.workbench import Workbench
from qcore import ArtificialPrevalence, ScoringSettings
from qcore.protocols import PoolTooSmall, PrevalencePath


@dataclass(frozen=True)
class Shift:
    """What the controls say."""

    protocol: ArtificialPrevalence
    training_share: float
    training_prevalence: float | None
    free_axes: bool


def shift_controls() -> Shift:
    """Draw the controls and return what they say."""
    left, middle, right = narrow_row("shift", 3)
    with left:
        size = controls.slider(
            "size", "Sample size", *SIZE_RANGE, 1, help="Instances in each sample, drawn without replacement from the pool."
        )
        grid = controls.segments(
            "grid", "Prevalence grid", GRIDS, help="Number of equally spaced true prevalences from 0 to 1."
        )
    with middle:
        share = training_share()
        repeats = controls.number(
            "repeats", "Repeats", *REPEATS_RANGE, 10, help="Samples drawn at each true prevalence; the band shows their spread."
        )
    with right:
        prior = training_prevalence()
        free_axes = st.toggle(
            "Free axes", key="free", bind="query-params",
            help="Off: the axes stay put, so that pictures compare. On: they fit the data shown.",
        )  # fmt: skip
    return Shift(ArtificialPrevalence(int(grid), int(size), int(repeats)), share, prior, free_axes)


def training_share() -> float:
    """The control of how much of the data set trains the classifier."""
    return float(
        controls.slider(
            "share", "Training share", *SHARE_RANGE, 0.01,
            help="Share of the data set that trains the classifier; the rest is the pool that samples are drawn from.",
        )
    )  # fmt: skip


def training_prevalence() -> float | None:
    """The control of the share of positives in the training part; None is as found."""
    prior = controls.choice(
        "prior", "Training prevalence", TRAINING_PREVALENCES,
        help="Share of positives in the training part: as found in the data, or set by under-sampling it.",
    )  # fmt: skip
    return None if prior == AS_FOUND else float(prior)


def scoring_settings(bench: Workbench) -> ScoringSettings:
    """What the sidebar and the controls of the training part, drawn here in two columns, say about the classifier's scores."""
    left, right = narrow_row("training", 2)
    with left:
        share = training_share()
    with right:
        prior = training_prevalence()
    return ScoringSettings(bench.positive, bench.classifier, bench.seed, share, prior)


_Protocol = TypeVar("_Protocol", ArtificialPrevalence, PrevalencePath)


def fitting(protocol: _Protocol, pool_counts: tuple[int, int], *, key: str = "size") -> _Protocol:
    """The protocol, or where the pool is too small the largest that works, which is said before anything is computed.

    `key` is the setting that holds the size. Raises InvalidInput where no size works.
    """
    place = st.empty()
    try:
        protocol.check_pool(*pool_counts)
    except PoolTooSmall as refused:
        if not refused.largest:
            raise
        with place.container(horizontal=True, vertical_alignment="center"):
            st.warning(
                f"Samples of {protocol.sample_size} do not fit: the pool has {pool_counts[0]} positives and {pool_counts[1]} "
                f"negatives. The samples shown have {refused.largest}, the largest size that works."
            )
            st.button(
                f"Set the size to {refused.largest}", key=f"fit {key}", on_click=_use_sample_size, args=(key, refused.largest)
            )
        return replace(protocol, sample_size=refused.largest)
    return protocol


def _use_sample_size(key: str, size: int) -> None:
    st.session_state[key] = size
