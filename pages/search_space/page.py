"""What does a measure reward? Its value on every contingency table, and where learners land."""

import streamlit as st

from pages.frame.page_frame import first_viewport, page
from pages.frame.sidebar import SidebarChoice
from pages.frame.training_controls import training_popover
from pages.search_space import computations
from pages.search_space.hero import controls, hero, surface_view
from pages.search_space.learners import chosen_learners
from pages.search_space.sections import sections
from pages.search_space.settings import SETTINGS
from pages.settings.current import current
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
    sections(sidebar_choice, settings, view)


with page(quantifiers=False) as chosen:
    body(chosen)
