"""What do the corrections with tpr and fpr do, when do they explode, and which threshold does a policy pick?"""

import streamlit as st

from pages.parts import cached, controls
from pages.parts.at_work.broken import broken
from pages.parts.at_work.inside import inside
from pages.parts.at_work.linked import drawn_sample, linked_charts, sample_controls
from pages.parts.at_work.trend import trend
from pages.parts.explain import quantifier_expander
from pages.parts.frame import page, training_part
from pages.parts.layout import pinned
from pages.parts.presets import show_current
from pages.parts.settings import CORRECTIONS
from pages.parts.share import copy_page_link, tell_link
from pages.parts.threshold import threshold_bar, typed_threshold
from pages.parts.workbench import Workbench
from qcore import InvalidInput, ScoringSettings
from qcore.operating import POLICIES


@st.fragment
def sample(bench: Workbench, settings: ScoringSettings) -> None:
    """One drawn sample, the charts that follow the threshold, and the inside of a method; or why there are none."""
    with st.container():
        preset_part, control_part, bar, answer_part = st.container(), st.container(border=True), pinned("bar"), st.container()
    with control_part:
        asked = sample_controls()
    threshold, where = typed_threshold(bar)
    with answer_part:
        try:
            scores = cached.scores(bench.data, settings)
            with control_part:
                work = drawn_sample(bench, settings, scores, asked, threshold)
            threshold_bar(where, work.rates.thresholds, threshold, work.points)
            linked_charts(work)
            inside(bench, settings, scores, work)
        except InvalidInput as refused:
            controls.show_refusal(refused)
    with preset_part:
        show_current("corrections")
    tell_link(CORRECTIONS, "sample")


with page(
    "Corrections",
    "Why is counting biased, what does the correction do, and when does it explode? One sample, one threshold: "
    "**drag the threshold** on its bar or in a chart, and everything that depends on it follows.",
    "corrections",
) as chosen:
    scoring, link_part = training_part(chosen)
    sample(chosen, scoring)
    st.divider()
    trend(chosen, scoring)
    st.divider()
    broken(chosen, scoring)
    quantifier_expander(POLICIES)
    with link_part:
        copy_page_link(CORRECTIONS)
