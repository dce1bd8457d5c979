"""How good is the classifier: as a ranker, at a threshold, for a cost, as a source of probabilities?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.frame import page, training_part
from pages.parts.judged.calibration import calibration
from pages.parts.judged.classes import all_classes
from pages.parts.judged.operating import confusion, costs_and_roc, judgement_controls
from pages.parts.layout import pinned
from pages.parts.presets import show_current
from pages.parts.settings import CLASSIFIER
from pages.parts.share import copy_page_link, tell_link
from pages.parts.threshold import threshold_bar, typed_threshold
from pages.parts.workbench import Workbench
from qcore import InvalidInput, ScoringSettings


@st.fragment
def operating(bench: Workbench, settings: ScoringSettings) -> None:
    """The charts that follow the threshold, with the costs; or why there are none."""
    with st.container():
        preset_part, control_part, bar, answer_part = st.container(), st.container(border=True), pinned("bar"), st.container()
    with control_part:
        asked = judgement_controls()
    threshold, where = typed_threshold(bar)
    with answer_part:
        try:
            scores = cached.scores(bench.data, settings)
            judgement = cached.judgement(bench.data, settings, asked.part, threshold, scores)
            threshold_bar(where, judgement.rates.thresholds, threshold, judgement.points)
            costs_and_roc(bench, judgement, asked)
            confusion(judgement)
        except InvalidInput as refused:
            controls.show_refusal(refused)
    with preset_part:
        show_current("classifier")
    tell_link(CLASSIFIER, "operating")


with page(
    "Classifier",
    "A quantifier stands on a classifier. How well does it rank, what does it do at a threshold, what do its errors cost, and "
    "are its scores probabilities? **Drag the threshold** and see the first three answer.",
    "classifier",
) as chosen:
    scoring, link_part = training_part(chosen)
    operating(chosen, scoring)
    st.divider()
    calibration(chosen, scoring)
    all_classes(chosen, scoring)
    with link_part:
        copy_page_link(CLASSIFIER)
