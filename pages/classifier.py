"""How good is the classifier: as a ranker, at a threshold, for a cost, as a source of probabilities?"""

from pages.parts import cached, controls
from pages.parts.classifier.costs import current_skew
from pages.parts.classifier.script import python_source
from pages.parts.classifier.sections import classifier_sections
from pages.parts.classifier.settings import OUT_OF_FOLD, POOL
from pages.parts.classifier.threshold_charts import threshold_charts
from pages.parts.frame import first_viewport, page
from pages.parts.layout import pinned
from pages.parts.sampling_controls import training_popover
from pages.parts.sidebar import SidebarChoice
from pages.parts.threshold_control import threshold_box
from pages.parts.turns import fragment
from qcore import InvalidInput


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """The charts that follow the threshold, and the sections; or why there are none."""
    evaluation = None
    with first_viewport("Classifier") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            part = controls.segments(
                "on", "Scores of", [OUT_OF_FOLD, POOL],
                help="The training part, by models that have not seen the instance; or the pool, which no model has seen.",
            )  # fmt: skip
            settings = training_popover(sidebar_choice)
        with parts.hero:
            threshold, bar_part = threshold_box(pinned("bar"))
        try:
            with parts.hero:
                scores = cached.scores(sidebar_choice.data, settings)
                of = "training" if part == OUT_OF_FOLD else "pool"
                evaluation = cached.classifier_evaluation(sidebar_choice.data, settings, of, threshold, scores)
            parts.take_away.source = python_source(sidebar_choice, settings, of, threshold)
            threshold_charts(evaluation, current_skew(), threshold, parts, bar_part)
        except InvalidInput as error:
            with parts.hero:
                controls.show_invalid_input(error)
    classifier_sections(sidebar_choice, settings, evaluation)


with page() as chosen:
    body(chosen)
