"""The controls of the grid of sizes and prevalences, and the sizes that a pool can give."""

import streamlit as st

from pages.settings import control
from pages.settings.current import current
from pages.settings.number_text import listed
from pages.settings.shared import LARGEST_SIZE, SIZE_GRID
from pages.settings.typed_text import typed_sizes
from pages.work.limits import check_within
from qcore import SizeGrid
from qcore.protocols.artificial_prevalence import FittingSizes
from qcore.studies.sample_size import GRID_OF_MALETZKE_2020

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
        "The paper's grid", on_click=_set_grid_of_maletzke_2020,
        help=f"14 sizes from 10 to 500, 101 prevalences, 10 repeats: {len(GRID_OF_MALETZKE_2020):,} samples "
        "(Maletzke et al. 2020).",
    )  # fmt: skip
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
