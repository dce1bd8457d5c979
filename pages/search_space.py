"""What does a measure reward? Its value on every contingency table, and where learners land."""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.frame import page, training_part
from pages.parts.settings import SEARCH_SPACE
from pages.parts.share import copy_page_link
from pages.parts.space.conflict import two_perfect_quantifiers
from pages.parts.space.learners import learners_as_quantifiers, learners_control
from pages.parts.space.surface import surface
from pages.parts.space.words import LOOK, measures_explained
from qcore import InvalidInput

with page(
    "Search space",
    "What does a measure reward, and where will a learner go that maximises it? Each point is a *contingency table*: so many "
    "errors of one kind, so many of the other. **Drag beta** and see which errors count.",
    "search_space",
    quantifiers=False,
) as bench:
    settings, link_part = training_part(bench)
    surface_part, learners_part, conflict_part = (st.container() for _ in range(3))
    with learners_part:
        st.divider()
        st.markdown(LOOK["learners"])
        learners = learners_control(bench)
        training_place, answer = st.container(), st.container()
    # What is trained already is drawn at once; the rest lands when it is there.
    landed = cached.landed_so_far(bench.data, settings, learners)
    with surface_part:
        surface(landed, cached.conflict())
    with conflict_part:
        st.divider()
        two_perfect_quantifiers(cached.conflict())
        with st.expander("How these measures work"):
            st.markdown(measures_explained())
    with link_part:
        copy_page_link(SEARCH_SPACE)
    try:
        with training_place:
            cached.train(bench.data, settings, learners)
        with answer:
            learners_as_quantifiers(bench, settings, learners)
    except InvalidInput as refused:
        with answer:
            controls.show_refusal(refused)
    if len(landed.names) < len(cached.landed_so_far(bench.data, settings, learners).names):
        st.rerun()
