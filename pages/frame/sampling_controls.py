"""Controls of the training part and of the grid of sample sizes, with the protocol and grid that fit."""

from dataclasses import replace
from typing import TypeVar

import streamlit as st

from pages.frame.sidebar import SidebarChoice
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import listed, typed_percentage, typed_sizes
from pages.settings.setting import Setting
from pages.settings.shared import AS_FOUND, LARGEST_SIZE, SEED, SIZE_GRID, TRAINING
from pages.work.limits import check_within
from qcore import ArtificialPrevalence, ScoringSettings, SizeGrid
from qcore.protocols import PoolTooSmall, PrevalencePath
from qcore.protocols.artificial_prevalence import FittingSizes
from qcore.studies.sample_size import GRID_OF_MALETZKE_2020


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


_MALETZKE_2020 = {
    "sizes": " ".join(map(str, GRID_OF_MALETZKE_2020.sizes)),
    "points": len(GRID_OF_MALETZKE_2020.prevalences),
    "runs": GRID_OF_MALETZKE_2020.repeats,
}


def grid_popover() -> tuple[str, int, int]:
    """Draw the grid's controls in a popover named after their values, and a button for the paper's grid; returns the values."""
    sizes, points, runs = (current(SIZE_GRID[key]) for key in ("sizes", "points", "runs"))
    with st.popover(f"{_in_short(str(sizes))}, {points} prevalences, {runs} repeats", key="size_grid"):
        request = grid_controls()
    st.button(
        "The paper's grid",
        on_click=_set_grid_of_maletzke_2020,
        help=f"14 sizes from 10 to 500, 101 prevalences, 10 repeats: {len(GRID_OF_MALETZKE_2020):,} samples "
        "(Maletzke et al. 2020).",
    )
    return request


def _in_short(sizes: str) -> str:
    words = sizes.replace(",", " ").split()
    return f"Sizes {words[0][:6]} to {words[-1][:6]}" if len(words) > 1 else f"Size {sizes[:12]}"


def grid_controls() -> tuple[str, int, int]:
    """Draw the controls of the grid; returns (sizes as typed, number of prevalences, repeats)."""
    typed = control.typed_text(SIZE_GRID["sizes"])
    points = control.segments(SIZE_GRID["points"])
    runs = control.number(SIZE_GRID["runs"])
    return typed, int(points), int(runs)


def _set_grid_of_maletzke_2020() -> None:
    for key, value in _MALETZKE_2020.items():
        st.session_state[key] = value


def requested_grid(request: tuple[str, int, int]) -> SizeGrid:
    """The grid that the controls say. Raises InvalidInput for unusable sizes."""
    typed, points, runs = request
    grid = SizeGrid(typed_sizes(typed, LARGEST_SIZE), points, runs)
    check_within("SAMPLES", "samples, of all sizes together,", len(grid), "Choose fewer sizes, prevalences or repeats.")
    return grid


def fitting_grid(grid: SizeGrid, pool_counts: tuple[int, int]) -> SizeGrid:
    """The grid with the sizes that the pool can give; a notice names the others. Raises PoolTooSmall if there is none."""
    slot = st.empty()
    sizes = grid.fitting_sizes(*pool_counts)
    left_out = left_out_sentence(sizes, pool_counts)
    if left_out:
        slot.info(left_out)
    return grid.of(sizes.kept)


def left_out_sentence(fitting: FittingSizes, pool_counts: tuple[int, int]) -> str:
    """A sentence on the sizes that the pool can't give; empty if it can give all."""
    if not fitting.left_out:
        return ""
    named = listed([f"{size}" for size in fitting.left_out], most=8, first=6)
    return (
        f"Left out: {named}. The pool has {pool_counts[0]:,} positives and {pool_counts[1]:,} negatives, which at these "
        f"prevalences make samples of up to {fitting.largest:,}."
    )
