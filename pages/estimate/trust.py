"""Whether an estimate can be trusted: what it rests on, which shift the tests see, which method the recommender takes."""

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.mixture import shift_verdict
from pages.charts.small_table import Column, small_table
from pages.estimate import computations
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import comparison_sentences
from pages.estimate.hero import drawn_path
from pages.estimate.own_files import labels_unlike_classes
from pages.estimate.settings import COUNTS, LABELLED_PART, OWN, SETTINGS
from pages.frame.texts import draw_sentences, texts_of
from pages.own_data.uploads import label_column
from pages.settings import control
from pages.settings.control import escaped
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.intervals import ShiftVerdict
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.intervals.which_shift import REFUSES_CORRECTION
from qcore.recommender import SampleRecommendation
from qcore.recommender.metatable import CANDIDATES
from qcore.scoring.sample_scores import unknown_labels

TEXTS = texts_of("estimate")

_COLUMNS = (
    Column("measure", "Measure"),
    Column("labelled", "On the labelled data", ".3f", "Out of fold."),
    Column("as_they_are", "Here, scores as they are", ".3f", "Expected if scores are the probabilities of this sample."),
    Column("adjusted", "Here, adjusted", ".3f", "Expected if scores are adjusted to the estimate of EMQ."),
)
_TRUTH = Column("truth", "In truth", ".3f", "From the labels of the sample, which nothing else here uses.")


def trust_section(shown: EstimateView | None) -> None:
    """Draw the section; without scores, as with counts, its text alone."""
    if shown is None or shown.scored is None:
        st.markdown(TEXTS["trust of counts"])
        return
    st.markdown(TEXTS["trust"])
    with st.expander("The rates, the mixture, the range, the scores"):
        st.markdown(TEXTS["four things"])
    table = _classifier(shown)
    st.markdown(TEXTS["classifier on the sample"])
    columns = (*_known(shown), *([_TRUTH] if "truth" in table else []))
    small_table(table, columns, label="How good the classifier is on this sample")


def _known(shown: EstimateView) -> tuple[Column, ...]:
    """The columns to show: only those of the labelled data if the scores tell nothing about this sample."""
    rejects = any(check is not None and check.rejects for check in (shown.estimate.fit, shown.estimate.calibration))
    return _COLUMNS[:2] if rejects else _COLUMNS


def _classifier(shown: EstimateView) -> pd.DataFrame:
    choice, request = shown.sidebar_choice, shown.request
    if request.way != OWN:
        scores = pipeline.scores(choice.data, request.settings)
        return computations.classifier_of_drawn(scores, drawn_path(shown), request.draw)
    if shown.scored is None or request.own is None:
        raise RuntimeError("no sample was scored")
    return computations.classifier_of_own(shown.scored, choice.data, request.own, choice.positive)


def which_shift_section(shown: EstimateView) -> None:
    """Draw the section: the verdict, and the tests behind it."""
    st.markdown(TEXTS["which shift"])
    if shown.request.way == COUNTS:
        st.info(
            "These tests need scores or features; counts have none. If some instances of the sample are labelled, choose "
            f"“{LABELLED_PART}”."
        )
        return
    try:
        result = _verdict(shown)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    if result is not None:
        shift_verdict(result)
        if shown.take and result.verdict in REFUSES_CORRECTION:
            st.markdown(
                f"The recommendation above, **{shown.take}**, assumes that only the shares have moved; its own check saw "
                "nothing against that. These tests look at more and see otherwise: with this result it does not hold."
            )


def _verdict(shown: EstimateView) -> ShiftVerdict | None:
    choice, request = shown.sidebar_choice, shown.request
    if request.way != OWN:
        with st.container(width=320):
            n_labels = int(control.slider(SETTINGS["shown_labels"]))
        scores = pipeline.scores(choice.data, request.settings)
        return computations.shift_of_drawn(scores, drawn_path(shown), request.draw, n_labels)
    if request.own is None:
        return None
    label = label_column(choice.data)
    if label not in request.own.frame.columns or request.own.unlabelled_in:
        st.caption(
            f"Labels of the sample allow three more tests: give it the column {escaped(label)}, filled in ten or more rows "
            "that were drawn at random, empty in the others."
        )
    classes = pipeline.dataset(choice.data).classes
    if strange := unknown_labels(request.own.frame, label, classes):
        st.warning(f"{labels_unlike_classes(label, strange, classes)} They are not taken as labels.")
    return computations.shift_of_own(choice.data, request.settings, request.own)


_OF_QUANTIFIERS = (
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
    small_table(result.table, _OF_QUANTIFIERS, label="What the recommender says of each quantifier")


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
