"""Can a recommender choose the quantifier for each sample, and does that pay?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.explain import quantifier_expander
from pages.parts.presets import preset_buttons, show_current
from pages.parts.recommender import answer
from pages.parts.recommender.candidates import candidates_control
from pages.parts.recommender.words import how_it_works
from pages.parts.settings import RECOMMENDER
from pages.parts.share import copy_page_link
from pages.parts.shift_controls import scoring_settings
from pages.parts.sizes.grid_controls import asked_grid, fitting_grid, grid_controls
from pages.parts.workbench import workbench
from qcore import InvalidInput
from qcore.metatable import check_candidates

# No fragment around the controls: a control of a fragment waits until its run has ended, and a large grid takes seconds.
st.title("Recommender")
st.markdown(
    "If no quantifier is best for all samples, can one be chosen for each? *MLQ* (meta-learning quantification) learns on the "
    "training half which candidate errs least for samples of which kind. Does choosing pay on samples that it has not seen?"
)
controls.check_url()
bench = workbench(quantifiers=False)
notice_part = st.container()
preset_buttons("recommender")
control_part, training_part, preset_part, answer_part = (st.container() for _ in range(4))
with control_part.container(border=True):
    candidates = candidates_control()
    asked = grid_controls()
with training_part:
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    with left, st.expander("Training part"):
        settings = scoring_settings(bench)
with right:
    copy_page_link(RECOMMENDER)
with preset_part:
    show_current("recommender")
with answer_part:
    try:
        check_candidates(candidates)
        grid = fitting_grid(asked_grid(asked), cached.plan(bench.data, settings).pool_counts)
        answer.show(answer.RecommenderView(bench, settings, grid, candidates))
    except InvalidInput as refused:
        controls.show_refusal(refused)
how_it_works()
quantifier_expander(candidates)
with notice_part:
    controls.show_notices()
