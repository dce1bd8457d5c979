"""The controls of the grid of sizes and prevalences, and the sizes that a pool can give."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls
from pages.parts.layout import narrow_row
from pages.parts.setting import LONGEST_TEXT
from pages.parts.settings import GRIDS, LARGEST_SIZE, RUNS_RANGE, SETTINGS
from qcore.findings.size_effects import left_out_sentence
from qcore.protocols import PAPERS_GRID, SizeGrid, typed_sizes

_PAPERS = {
    "sizes": " ".join(map(str, PAPERS_GRID.sizes)),
    "points": len(PAPERS_GRID.prevalences),
    "runs": PAPERS_GRID.repeats,
}


def grid_controls() -> tuple[str, int, int]:
    """Draw the controls; (sizes as typed, prevalences, repeats)."""
    typed = st.text_input(
        "Sample sizes", str(SETTINGS["sizes"].default), key="sizes", bind="query-params", max_chars=LONGEST_TEXT,
        help=f"Numbers of instances in a sample, from 2 to {LARGEST_SIZE:,}, with spaces or commas between them.",
    )  # fmt: skip
    left, middle, right = narrow_row("grid", 3)
    with left:
        points = controls.segments(
            "points", "Prevalence grid", GRIDS, help="Number of equally spaced true prevalences from 0 to 1."
        )
    with middle:
        runs = controls.number(
            "runs", "Repeats", *RUNS_RANGE, 5, help="Samples of each size at each prevalence: what a cell is the mean of."
        )
    with right, st.container(vertical_alignment="bottom", height="stretch"):
        st.button(
            "The paper's grid", on_click=_set_papers_grid,
            help=f"14 sizes from 10 to 500, 101 prevalences, 10 repeats: {len(PAPERS_GRID):,} samples (Maletzke et al. 2020).",
        )  # fmt: skip
    return typed, int(points), int(runs)


def _set_papers_grid() -> None:
    for key, value in _PAPERS.items():
        st.session_state[key] = value


def asked_grid(asked: tuple[str, int, int]) -> SizeGrid:
    """The grid that the controls say. Raises InvalidInput for sizes that are none."""
    typed, points, runs = asked
    return SizeGrid(typed_sizes(typed, LARGEST_SIZE), points, runs)


def fitting_grid(grid: SizeGrid, pool_counts: tuple[int, int]) -> SizeGrid:
    """The grid of the sizes that the pool can give; those left out are named. Raises PoolTooSmall where it can give none."""
    place = st.empty()
    fitting = grid.fitting(*pool_counts)
    left_out = left_out_sentence(fitting, pool_counts)
    if left_out:
        place.info(left_out)
    return grid.of(fitting.kept)
