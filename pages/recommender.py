"""Can a recommender choose the quantifier for each sample, and does that pay?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.explanations import quantifier_expander
from pages.parts.frame import page, training_part
from pages.parts.links import copy_page_link
from pages.parts.presets import show_current_preset
from pages.parts.recommender.answer import RecommenderView, show
from pages.parts.recommender.candidates import candidates_control
from pages.parts.recommender.texts import how_it_works
from pages.parts.size_grid_controls import fitting_grid, grid_controls, requested_grid
from qcore import InvalidInput
from qcore.recommender.metatable import check_candidates

# No fragment around the controls: a control of a fragment waits until its run has ended, and a large grid takes seconds.
with page(
    "Recommender",
    "If no quantifier is best for all samples, can one be chosen for each? *MLQ* (meta-learning quantification) learns on the "
    "training half which candidate errs least for samples of which kind. Does choosing pay on samples that it has not seen?",
    quantifiers=False,
) as sidebar_choice:
    with st.container(border=True):
        candidates = candidates_control()
        request = grid_controls()
    settings, link_part = training_part(sidebar_choice)
    with link_part:
        copy_page_link("recommender")
    show_current_preset("recommender")
    with st.container():
        try:
            check_candidates(candidates)
            grid = fitting_grid(requested_grid(request), cached.plan(sidebar_choice.data, settings).pool_counts)
            show(RecommenderView(sidebar_choice, settings, grid, candidates))
        except InvalidInput as error:
            controls.show_invalid_input(error)
    how_it_works()
    quantifier_expander(candidates)
