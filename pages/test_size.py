"""Which quantifier is best for samples of which size?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.explain import loss_popover, quantifier_expander
from pages.parts.frame import page
from pages.parts.presets import show_current
from pages.parts.settings import TEST_SIZE
from pages.parts.share import copy_page_link
from pages.parts.shift_controls import scoring_settings
from pages.parts.sizes import answer
from pages.parts.sizes.grid_controls import asked_grid, fitting_grid, grid_controls
from pages.parts.sizes.view import SizeView
from pages.parts.workbench import no_method
from qcore import LOSSES, InvalidInput

# No fragment around the controls: a control of a fragment waits until its run has ended, and the whole grid takes seconds.
with page(
    "Test size",
    "Which quantifier is best for samples of which size? One that shines on 500 instances can be the worst on 10. Each cell is "
    "the mean over many samples of one size and one true prevalence.",
    "test_size",
) as bench:
    loss_row, control_part, scoring_part, preset_part, answer_part = (st.container() for _ in range(5))
    with loss_row.container(horizontal=True, vertical_alignment="bottom"):
        loss = LOSSES[controls.segments("loss", "Loss", list(LOSSES))]
        loss_popover(loss)
        link_part = st.container()
    with control_part.container(border=True):
        asked = grid_controls()
    with scoring_part.expander("Training part"):
        settings = scoring_settings(bench)
    with link_part:
        copy_page_link(TEST_SIZE)
    with preset_part:
        show_current("test_size")
    with answer_part:
        if not no_method(bench):
            try:
                grid = fitting_grid(asked_grid(asked), cached.plan(bench.data, settings).pool_counts)
                scores = cached.scores(bench.data, settings)
                answer.show(SizeView(bench, settings, scores, grid, loss.key))
            except InvalidInput as refused:
                controls.show_refusal(refused)
    quantifier_expander(bench.methods)
