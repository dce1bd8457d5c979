"""The section "Can it be trusted" of "Estimate": what an estimate rests on, and how good the classifier is on this sample."""

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.small_table import Column, small_table
from pages.estimate import computations
from pages.estimate.estimate_view import EstimateView
from pages.estimate.hero import drawn_path
from pages.estimate.settings import OWN
from pages.frame.texts import texts_of

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
