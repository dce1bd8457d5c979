"""The sections of "Search space", as tabs below the surface."""

import streamlit as st

from pages.frame.layout import wide_row
from pages.frame.page_frame import tabs
from pages.frame.sidebar import SidebarChoice
from pages.search_space import computations
from pages.search_space.hero import SurfaceView, surface_row_section, surface_section
from pages.search_space.iris_example import iris_example_section
from pages.search_space.learners import learners_section
from pages.search_space.measures_in_short import measures_explained
from pages.search_space.settings import SECTIONS
from qcore import ScoringSettings


def sections(sidebar_choice: SidebarChoice, settings: ScoringSettings, view: SurfaceView) -> None:
    """Draw the tabs below the surface."""
    drawn = (
        lambda: surface_section(view),
        lambda: surface_row_section(view.request),
        lambda: learners_section(sidebar_choice, settings),
        lambda: iris_example_section(computations.iris_example()),
        _measures,
    )
    tabs("search_space", dict(zip(SECTIONS, drawn, strict=True)))


def _measures() -> None:
    for column, text in zip(wide_row("measures", [1, 1], align="top"), measures_explained(), strict=True):
        with column:
            st.markdown(text)
