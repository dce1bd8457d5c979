"""Which quantifier is better over many data sets, and is that more than chance?"""

from pages.compare.comparison import boxes_section, by_data_set_section, how_it_works, pivot_section, tests_section
from pages.compare.hero import ComparisonRequest, controls, hero
from pages.compare.papers import claims_section, protocols_section, recommender_section, training_section, trust_section
from pages.compare.settings import PRESETS, SETTINGS
from pages.compare.your_own import own_run_section, own_table_section
from pages.frame.page_frame import PageParts, draw_tabs, first_viewport, notices
from pages.settings.page_declaration import Page, Tab
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput
from qcore.evaluation.significance import Comparison


def answer(parts: PageParts) -> tuple[ComparisonRequest | None, Comparison | None]:
    """Draw the comparison; returns (request, result), each None if it is impossible, and a sentence then says why."""
    request = None
    with parts.bar:
        try:
            request = controls()
        except InvalidInput as error:
            show_invalid_input(error)
            return None, None
    try:
        return request, hero(request, parts)
    except InvalidInput as error:
        with parts.hero:
            show_invalid_input(error)
        return request, None


@fragment
def body() -> None:
    """Draw the comparison and its sections."""
    with first_viewport("compare") as page_parts:
        compared, result = answer(page_parts)
    chosen = compared if compared and len(compared.chosen) else None
    draw_tabs(PAGE, request=compared, comparison=result, chosen=chosen)


def draw() -> None:
    """Draw the page."""
    with notices():
        body()


PAGE = Page(
    name="compare",
    question="Which quantifier is better over many data sets, and is that more than chance?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab(
            "Your own",
            key="of_your_own",
            parts=(Tab("Run your own", own_run_section), Tab("Your own table", own_table_section, may_use=("request",))),
        ),
        Tab("Tests", tests_section, needs=("request", "comparison")),
        Tab("Box plots", boxes_section, needs=("chosen",)),
        Tab("Against a pivot", pivot_section, needs=("chosen",)),
        Tab("By data set", by_data_set_section, needs=("chosen",)),
        Tab(
            "The papers",
            key="from_the_papers",
            parts=(
                Tab("Findings of the papers", claims_section),
                Tab("A recommender", recommender_section),
                Tab("Can the test be trusted", trust_section),
                Tab("Training", training_section, may_use=("request",)),
                Tab("Protocols", protocols_section, may_use=("request",)),
            ),
        ),
        Tab("How it works", how_it_works),
    ),
    charts=(
        "critical_difference",
        "boxes",
        "pivot_losses",
        "pivot_wins",
        "by_data_set",
        "training_prevalence",
        "training_size",
        "protocol_ranks",
        "trust",
        "recommender_ranks",
        "recommender_errors",
        "own_critical_difference",
        "own_ranks",
    ),
)
