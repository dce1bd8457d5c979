"""Can a recommender choose the quantifier for each sample, and does that pay?"""

from typing import Final

from pages import pipeline
from pages.frame.explanations import quantifiers_explained
from pages.frame.page_frame import draw_tabs, first_viewport, page
from pages.frame.size_grid_controls import fitting_grid, grid_popover, requested_grid
from pages.frame.training_controls import training_popover
from pages.recommender.controls import controls
from pages.recommender.hero import RecommenderAnswer, RecommenderView, hero
from pages.recommender.presets import PRESETS
from pages.recommender.sections import beside_candidates, choices_section, how_it_works
from pages.recommender.settings import SETTINGS
from pages.settings.page import Page, Tab
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.recommender.metatable import check_candidates


def draw() -> None:
    """Draw the controls, the errors, and the sections."""
    # The controls are not in a fragment: there, a control waits until the run has ended, and a large grid takes seconds.
    with page(quantifiers=False) as sidebar_choice:
        answer: RecommenderAnswer | None = None
        with first_viewport("recommender") as parts:
            with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                candidates = controls()
                request = grid_popover()
                settings = training_popover(sidebar_choice)
            with parts.hero:
                try:
                    check_candidates(candidates)
                    grid = fitting_grid(requested_grid(request), pipeline.plan(sidebar_choice.data, settings).pool_counts)
                    answer = hero(RecommenderView(sidebar_choice, settings, grid, candidates), parts)
                except InvalidInput as error:
                    show_invalid_input(error)
        draw_tabs(PAGE, answer=answer, candidates=candidates)


PAGE: Final = Page(
    name="recommender",
    question="Can the quantifier be chosen for each sample, and does that pay?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("What it chooses", choices_section, needs=("answer",), formerly=("Python",)),
        Tab("Beside each candidate", beside_candidates, needs=("answer",)),
        Tab("How the recommender works", how_it_works),
        Tab("How the quantifiers work", quantifiers_explained, needs=("candidates",)),
    ),
    charts=("errors_by_size", "choices", "importance"),
)
