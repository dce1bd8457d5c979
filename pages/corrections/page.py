"""What do the corrections with tpr and fpr do, when do they explode, and which threshold does a policy pick?"""

from dataclasses import replace

from pages import pipeline
from pages.charts.threshold_control import threshold_box
from pages.corrections.hero import hero
from pages.corrections.sample import controls, drawn_sample
from pages.corrections.script import python_source
from pages.corrections.sections import sections
from pages.frame.computed import record
from pages.frame.layout import pinned
from pages.frame.page_frame import first_viewport, page
from pages.frame.sidebar import SidebarChoice
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput


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
    sections(sidebar_choice, settings, scores, adjustment)


with page(quantifiers=False) as chosen:
    body(chosen)
