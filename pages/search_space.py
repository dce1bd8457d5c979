"""What does a measure reward? Its value on every contingency table, and where learners land."""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.frame import page, training_part
from pages.parts.links import copy_page_link
from pages.parts.search_space.iris_example import iris_example_section
from pages.parts.search_space.learners import learners_control, learners_section
from pages.parts.search_space.surface import surface_section
from pages.parts.search_space.texts import TEXTS, measures_explained
from qcore import InvalidInput

with page(
    "Search space",
    "What does a measure reward, and where will a learner go that maximises it? Each point is a *contingency table*: so many "
    "errors of one kind, so many of the other. **Drag beta** and see which errors count.",
    quantifiers=False,
) as sidebar_choice:
    settings, link_part = training_part(sidebar_choice)
    surface_part, learners_part, example_part = (st.container() for _ in range(3))
    with learners_part:
        st.divider()
        st.markdown(TEXTS["learners"])
        learners = learners_control(sidebar_choice)
        progress_part, answer = st.container(), st.container()
    # What is trained already is drawn at once; the rest when it is there.
    points = cached.classifier_points_so_far(sidebar_choice.data, settings, learners)
    with surface_part:
        surface_section(points, cached.iris_example())
    with example_part:
        st.divider()
        iris_example_section(cached.iris_example())
        with st.expander("How these measures work"):
            st.markdown(measures_explained())
    with link_part:
        copy_page_link("search_space")
    try:
        with progress_part:
            cached.train(sidebar_choice.data, settings, learners)
        with answer:
            learners_section(sidebar_choice, settings, learners)
    except InvalidInput as error:
        with answer:
            controls.show_invalid_input(error)
    if len(points.names) < len(cached.classifier_points_so_far(sidebar_choice.data, settings, learners).names):
        st.rerun()
