"""The section "Which method" of "Estimate": the recommender on this sample, with its margin."""

import streamlit as st

from pages import pipeline
from pages.charts.small_table import Column, small_table
from pages.estimate import computations
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import comparison_sentences
from pages.estimate.hero import drawn_path
from pages.estimate.settings import COUNTS, OWN
from pages.frame.page_frame import draw_sentences
from pages.frame.texts import texts_of
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.recommender import SampleRecommendation
from qcore.recommender.metatable import CANDIDATES

TEXTS = texts_of("estimate")

_COLUMNS = (
    Column("candidate", "Quantifier"),
    Column("votes", "Trees that choose it", ".0%"),
    Column("error", "Mean AE on such samples", ".4f", "On labelled samples of this size and about this prevalence."),
    Column("estimate", "Its estimate here", ".1%"),
)


def which_method(shown: EstimateView) -> None:
    """Draw the section with the recommender's choice."""
    st.markdown(TEXTS["which"])
    with st.expander("How the recommender chooses"):
        st.markdown(TEXTS["how the recommender chooses"])
    if shown.request.way == COUNTS:
        st.info(
            "From counts there is only one estimate, the adjusted count. The recommender needs a sample's features or scores."
        )
        return
    try:
        result = _recommendation(shown)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    if result is None:
        return
    draw_sentences(comparison_sentences(result, shown.take))
    small_table(result.table, _COLUMNS, label="What the recommender says of each quantifier")


def _recommendation(shown: EstimateView) -> SampleRecommendation | None:
    choice, request = shown.sidebar_choice, shown.request
    if shown.scored is None or len(shown.scored.sample) < FEWEST_INSTANCES:
        st.info(f"A sample of fewer than {FEWEST_INSTANCES} instances is too small to choose a quantifier for it.")
        return None
    candidates = choice.methods if len(choice.methods) > 1 else CANDIDATES
    if request.way == OWN:
        own = request.own
        return None if own is None else computations.recommended_for_own(choice.data, request.settings, own, candidates)
    scores = pipeline.scores(choice.data, request.settings)
    return computations.recommended_for_drawn(scores, drawn_path(shown), request.draw, candidates)
