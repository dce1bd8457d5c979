"""The page "Test size": which quantifier is best for samples of which size?"""

from pages import pipeline
from pages.frame.page_frame import draw_tabs, first_viewport, page
from pages.frame.sampling_controls import fitting_grid, grid_popover, requested_grid, training_popover
from pages.frame.sidebar import SidebarChoice, no_method
from pages.frame.texts import loss_popover
from pages.settings import control
from pages.settings.page_declaration import Page, Tab
from pages.test_size.comparison import difference_section, ranks_section, two_data_sets_section
from pages.test_size.computations import TestSizeView
from pages.test_size.heatmaps import heatmaps_section
from pages.test_size.hero import hero
from pages.test_size.recommender import recommender_choices_section, recommender_section
from pages.test_size.sample_overlap import sample_overlap_section
from pages.test_size.settings import PRESETS, SETTINGS
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import LOSSES, InvalidInput


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the cells, the controls, and the sections."""
    view = None
    with first_viewport("test_size") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            loss = LOSSES[control.segments(SETTINGS["loss"])]
            smoothing = loss_popover(loss)
            cells = control.segments(SETTINGS["cells"])
            request = grid_popover()
            settings = training_popover(sidebar_choice)
        with parts.hero:
            if not no_method(sidebar_choice.methods):
                try:
                    grid = fitting_grid(requested_grid(request), pipeline.plan(sidebar_choice.data, settings).pool_counts)
                    scores = pipeline.scores(sidebar_choice.data, settings)
                    view = TestSizeView(sidebar_choice, settings, scores, grid, loss.key, smoothing)
                    hero(view, parts, cells)
                except InvalidInput as error:
                    view = None
                    show_invalid_input(error)
    draw_tabs(PAGE, view=view)


def draw() -> None:
    """Draw the page."""
    with page() as chosen:
        body(chosen)


PAGE = Page(
    name="test_size",
    question="Which quantifier is best for samples of which size?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("Each quantifier", heatmaps_section, needs=("view",), formerly=("Python", "How the quantifiers work")),
        Tab(
            "Compare two",
            key="two_of_what",
            parts=(
                Tab("Two quantifiers", difference_section, needs=("view",)),
                Tab("Two data sets", two_data_sets_section, needs=("view",)),
            ),
        ),
        Tab(
            "Ranks",
            key="ranks_or_repeats",
            parts=(
                Tab("Mean ranks", ranks_section, needs=("view",)),
                Tab("Can the repeats be trusted?", sample_overlap_section, needs=("view",)),
            ),
        ),
        Tab(
            "Recommender",
            key="of_the_recommender",
            parts=(
                Tab("Does choosing pay?", recommender_section, needs=("view",)),
                Tab("What it chooses", recommender_choices_section, needs=("view",), formerly=("Beside each candidate",)),
            ),
        ),
    ),
    formerly={"recommender": {"test_size_section": "Recommender"}},
    charts=(
        "winners",
        "loss_by_size",
        "enlarged_heatmap",
        "row",
        "column",
        "difference",
        "winners_here",
        "winners_beside",
        "ranks",
        "draw_counts",
        "sample_overlap",
        "errors_by_size",
        "choices",
        "importance",
    ),
)
