"""Which quantifier is best for samples of which size?"""

from pages.parts import cached, controls
from pages.parts.explanations import loss_popover
from pages.parts.frame import first_viewport, page
from pages.parts.sampling_controls import training_popover
from pages.parts.sidebar import no_method
from pages.parts.size_grid_controls import fitting_grid, grid_popover, requested_grid
from pages.parts.test_size.sections import size_sections
from pages.parts.test_size.view import TestSizeView
from pages.parts.test_size.winners import winners_and_cell
from qcore import LOSSES, InvalidInput

# No fragment around the controls: what is drawn below them follows all of them.
with page() as sidebar_choice:
    view = None
    with first_viewport("Test size") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            loss = LOSSES[controls.segments("loss", "Loss", list(LOSSES))]
            smoothing = loss_popover(loss)
            request = grid_popover()
            settings = training_popover(sidebar_choice)
        with parts.hero:
            if not no_method(sidebar_choice):
                try:
                    grid = fitting_grid(requested_grid(request), cached.plan(sidebar_choice.data, settings).pool_counts)
                    scores = cached.scores(sidebar_choice.data, settings)
                    view = TestSizeView(sidebar_choice, settings, scores, grid, loss.key, smoothing)
                    winners_and_cell(view, parts)
                except InvalidInput as error:
                    view = None
                    controls.show_invalid_input(error)
    size_sections(sidebar_choice, view)
