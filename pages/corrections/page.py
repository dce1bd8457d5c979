"""What do the corrections with tpr and fpr do, when do they explode, and which threshold does a policy pick?"""

from dataclasses import replace
from typing import Final

from pages import pipeline
from pages.charts.threshold_control import threshold_box
from pages.corrections.dataset_shift import dataset_shift_section
from pages.corrections.estimated_rates import estimated_rates_section
from pages.corrections.hero import hero
from pages.corrections.method_inspection import method_inspection_section
from pages.corrections.presets import PRESETS
from pages.corrections.sample import controls, drawn_sample
from pages.corrections.script import python_source
from pages.corrections.settings import SETTINGS
from pages.corrections.threshold import threshold_section
from pages.corrections.trend import trend_section
from pages.frame.computed import record
from pages.frame.explanations import quantifiers_explained
from pages.frame.layout import pinned
from pages.frame.page_frame import draw_tabs, first_viewport, page
from pages.frame.sidebar import SidebarChoice
from pages.settings.page_declaration import Page, Tab
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput
from qcore.quantifiers import POLICIES


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw four charts of one drawn sample under the bar of the threshold, and the sections; or say why there are none."""
    scores = adjustment = None
    with first_viewport("corrections") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            request, settings = controls(sidebar_choice)
        with parts.hero:
            threshold, bar_part = threshold_box(pinned("bar"))
        try:
            with parts.hero:
                scores = pipeline.scores(sidebar_choice.data, settings)
                adjustment = drawn_sample(scores, request, threshold)
            record("corrections", adjustment=adjustment)
            parts.downloads.source = python_source(
                sidebar_choice, settings, replace(request, size=len(adjustment.sample)), threshold
            )
            hero(adjustment, threshold, parts, bar_part)
        except InvalidInput as error:
            with parts.hero:
                show_invalid_input(error)
    draw_tabs(PAGE, sidebar_choice=sidebar_choice, settings=settings, scores=scores, adjustment=adjustment)


def draw() -> None:
    """Draw the page."""
    with page(quantifiers=False) as chosen:
        body(chosen)


def _policies() -> None:
    quantifiers_explained(POLICIES)


PAGE: Final = Page(
    name="corrections",
    question="What does the correction do, and when does it explode?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("Threshold", threshold_section, needs=("adjustment",)),
        Tab("Inside a method", method_inspection_section, needs=("scores", "adjustment")),
        Tab("Over time", trend_section, needs=("sidebar_choice", "settings")),
        Tab("When it breaks", dataset_shift_section, needs=("sidebar_choice", "settings")),
        Tab("How rates are estimated", estimated_rates_section, needs=("sidebar_choice", "settings")),
        Tab("How the policies work", _policies),
    ),
    charts=(
        "scores",
        "rates",
        "correction",
        "cost",
        "cost_in_full",
        "chosen_rates",
        "method_inspection",
        "matched_mixture",
        "trend_by_day",
        "degradation",
        "errors_under_shift",
        "shifted_rates",
        "estimated_rates_chart",
    ),
    main_picture="correction",
)
