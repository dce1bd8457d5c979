"""How good is the classifier: as a ranker, at a threshold, for a cost, as a source of probabilities?"""

from pages import pipeline
from pages.charts.threshold_control import threshold_box
from pages.classifier.costs import current_skew
from pages.classifier.hero import hero
from pages.classifier.script import python_source
from pages.classifier.sections import sections
from pages.classifier.settings import OUT_OF_FOLD, SETTINGS
from pages.frame.computed import record
from pages.frame.layout import pinned
from pages.frame.page_frame import first_viewport, page
from pages.frame.sidebar import SidebarChoice
from pages.frame.training_controls import training_popover
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the charts that follow the threshold and the sections, or the sentence that says why there are none."""
    evaluation = None
    with first_viewport("classifier") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            part = control.segments(SETTINGS["on"])
            settings = training_popover(sidebar_choice)
        with parts.hero:
            threshold, bar_part = threshold_box(pinned("bar"))
        try:
            with parts.hero:
                scores = pipeline.scores(sidebar_choice.data, settings)
                of = "training" if part == OUT_OF_FOLD else "pool"
                evaluation = pipeline.classifier_evaluation(scores, of, threshold)
            record("classifier", evaluation=evaluation)
            parts.downloads.source = python_source(sidebar_choice, settings, of, threshold)
            hero(evaluation, current_skew(), threshold, parts, bar_part)
        except InvalidInput as error:
            with parts.hero:
                show_invalid_input(error)
    sections(sidebar_choice, settings, evaluation)


with page(quantifiers=False) as chosen:
    body(chosen)
