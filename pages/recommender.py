"""Can a recommender choose the quantifier for each sample, and does that pay?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.explain import quantifier_expander
from pages.parts.frame import page, training_part
from pages.parts.presets import show_current
from pages.parts.recommender import answer
from pages.parts.recommender.candidates import candidates_control
from pages.parts.recommender.words import how_it_works
from pages.parts.settings import RECOMMENDER
from pages.parts.share import copy_page_link
from pages.parts.sizes.grid_controls import asked_grid, fitting_grid, grid_controls
from qcore import InvalidInput
from qcore.metatable import check_candidates

# No fragment around the controls: a control of a fragment waits until its run has ended, and a large grid takes seconds.
with page(
    "Recommender",
    "If no quantifier is best for all samples, can one be chosen for each? *MLQ* (meta-learning quantification) learns on the "
    "training half which candidate errs least for samples of which kind. Does choosing pay on samples that it has not seen?",
    "recommender",
    quantifiers=False,
) as bench:
    with st.container(border=True):
        candidates = candidates_control()
        asked = grid_controls()
    settings, link_part = training_part(bench)
    with link_part:
        copy_page_link(RECOMMENDER)
    show_current("recommender")
    with st.container():
        try:
            check_candidates(candidates)
            grid = fitting_grid(asked_grid(asked), cached.plan(bench.data, settings).pool_counts)
            answer.show(answer.RecommenderView(bench, settings, grid, candidates))
        except InvalidInput as refused:
            controls.show_refusal(refused)
    how_it_works()
    quantifier_expander(candidates)
