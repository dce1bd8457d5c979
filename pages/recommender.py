"""Can a recommender choose the quantifier for each sample, and does that pay?"""

from pages.parts import cached, controls
from pages.parts.frame import first_viewport, page
from pages.parts.recommender.answer import RecommenderAnswer, RecommenderView, hero
from pages.parts.recommender.candidates import candidates_popover
from pages.parts.recommender.sections import recommender_sections
from pages.parts.sampling_controls import training_popover
from pages.parts.size_grid_controls import fitting_grid, grid_popover, requested_grid
from qcore import InvalidInput
from qcore.recommender.metatable import check_candidates

# No fragment around the controls: a control of a fragment waits until its run has ended, and a large grid takes seconds.
with page(quantifiers=False) as sidebar_choice:
    answer: RecommenderAnswer | None = None
    with first_viewport("Recommender") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            candidates = candidates_popover()
            request = grid_popover()
            settings = training_popover(sidebar_choice)
        with parts.hero:
            try:
                check_candidates(candidates)
                grid = fitting_grid(requested_grid(request), cached.plan(sidebar_choice.data, settings).pool_counts)
                answer = hero(RecommenderView(sidebar_choice, settings, grid, candidates), parts)
            except InvalidInput as error:
                controls.show_invalid_input(error)
    recommender_sections(candidates, answer)
