"""Which quantifier is best for samples of which size?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.explanations import loss_popover, quantifier_expander
from pages.parts.frame import page
from pages.parts.links import copy_page_link
from pages.parts.presets import show_current_preset
from pages.parts.sampling_controls import scoring_settings
from pages.parts.sidebar import no_method
from pages.parts.size_grid_controls import fitting_grid, grid_controls, requested_grid
from pages.parts.test_size.answer import show
from pages.parts.test_size.view import TestSizeView
from qcore import LOSSES, InvalidInput

# No fragment around the controls: a control of a fragment waits until its run has ended, and the whole grid takes seconds.
with page(
    "Test size",
    "Which quantifier is best for samples of which size? One that shines on 500 instances can be the worst on 10. Each cell is "
    "the mean over many samples of one size and one true prevalence.",
) as sidebar_choice:
    loss_row, control_part, scoring_part, preset_part, answer_part = (st.container() for _ in range(5))
    with loss_row.container(horizontal=True, vertical_alignment="bottom"):
        loss = LOSSES[controls.segments("loss", "Loss", list(LOSSES))]
        smoothing = loss_popover(loss)
        link_part = st.container()
    with control_part.container(border=True):
        request = grid_controls()
    with scoring_part.expander("Training part"):
        settings = scoring_settings(sidebar_choice)
    with link_part:
        copy_page_link("test_size")
    with preset_part:
        show_current_preset("test_size")
    with answer_part:
        if not no_method(sidebar_choice):
            try:
                grid = fitting_grid(requested_grid(request), cached.plan(sidebar_choice.data, settings).pool_counts)
                scores = cached.scores(sidebar_choice.data, settings)
                show(TestSizeView(sidebar_choice, settings, scores, grid, loss.key, smoothing))
            except InvalidInput as error:
                controls.show_invalid_input(error)
    quantifier_expander(sidebar_choice.methods)
