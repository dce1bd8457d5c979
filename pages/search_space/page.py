"""What does a measure reward? Its value on every contingency table, and where learners land."""

import streamlit as st

from pages.frame.page_frame import draw_tabs, first_viewport, page
from pages.frame.sampling_controls import training_popover
from pages.frame.sidebar import SidebarChoice
from pages.search_space import computations
from pages.search_space.hero import (
    SurfaceView,
    controls,
    hero,
    measures_explained,
    surface_row_section,
    surface_section,
    surface_view,
)
from pages.search_space.iris_example import iris_example_section
from pages.search_space.learners import chosen_learners, learners_section
from pages.search_space.settings import PRESETS, SETTINGS
from pages.settings.address import current
from pages.settings.page_declaration import Page, Tab
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the surface with the classifiers on it, its controls, and the sections."""
    with first_viewport("search_space") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="center", gap="small"):
            bar_part = st.container(width=420)
            request, example = controls()
            settings = training_popover(sidebar_choice)
        learners = chosen_learners(sidebar_choice, current(SETTINGS["learners"]))
        # Classifiers that are trained already are drawn at once, the others when their training has ended.
        points = computations.classifier_points_so_far(sidebar_choice.data, settings, learners)
        view = surface_view(request, points)
        hero(view, example, parts, bar_part)
        with parts.notes:
            try:
                computations.train(sidebar_choice.data, settings, learners)
            except InvalidInput as error:
                show_invalid_input(error)
    if len(points.names) < len(computations.classifier_points_so_far(sidebar_choice.data, settings, learners).names):
        st.rerun()
    draw_tabs(PAGE, sidebar_choice=sidebar_choice, settings=settings, view=view)


def draw() -> None:
    """Draw the page."""
    with page(quantifiers=False) as chosen:
        body(chosen)


def _iris_example() -> None:
    iris_example_section(computations.iris_example())


def _in_words(view: SurfaceView) -> None:
    surface_section(view)
    with st.expander("How the measures work"):
        for text in measures_explained():
            st.markdown(text)


PAGE = Page(
    name="search_space",
    question="What does a measure reward, and where do learners go?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("In words", _in_words, needs=("view",), formerly=("Python", "How the measures work")),
        Tab("From counting to finding", surface_row_section, needs=("view",)),
        Tab("Learners as quantifiers", learners_section, needs=("sidebar_choice", "settings")),
        Tab("Two perfect quantifiers", _iris_example),
    ),
    charts=("search_space", "row_of_surfaces", "learners_chart", "hypotheses", "expected_count"),
    in_space=True,
)
