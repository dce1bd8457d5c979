"""The section that shows how a method reaches its estimate of the drawn sample."""

from typing import Final

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.corrections.method_inspection_figure import MIXTURE_FIGURES, inspection_figure
from pages.corrections.method_inspection_findings import inspection_sentence
from pages.corrections.settings import SETTINGS
from pages.frame.explanations import quantifier_text
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from qcore import Scores
from qcore.quantifiers.fitting import inspected
from qcore.quantifiers.inspection import Inspection, Objective, Scaling, SweepEstimates, Trajectory
from qcore.studies.threshold_adjustment import ThresholdAdjustment

TEXTS: Final = texts_of("corrections")

_ALT: dict[type[Inspection], str] = {
    SweepEstimates: "The corrected estimate at each threshold.",
    Trajectory: "The prevalence after each step of EMQ.",
    Objective: "The distance by mixture weight.",
    Scaling: "The value of the sample between those of both classes, and its place on the scale from 0 to 1.",
}


def method_inspection_section(scores: Scores, adjustment: ThresholdAdjustment) -> None:
    """Draw the choice of a method, and what it uses to estimate the drawn sample."""
    st.markdown(TEXTS["method_inspection"])
    method = control.choice(SETTINGS["inspected_method"])
    fitted = pipeline.fitted(scores, [method])[method]
    sentence_part, left, right = st.container(), *wide_row("method inspection", [1, 1], align="top")
    inspection, truth = inspected(method, fitted, adjustment.sample), adjustment.prevalence
    if inspection is None:
        return
    sentence_part.markdown(inspection_sentence(inspection, truth, method))
    with left:
        chart(inspection_figure(inspection, truth, method), key="method_inspection", alt=_ALT[type(inspection)])
        if isinstance(inspection, Scaling):
            st.markdown(TEXTS["scaling"])
    if isinstance(inspection, Objective):
        with right:
            figure = MIXTURE_FIGURES[inspection.mixture.of](inspection.mixture.table, method)
            chart(figure, key="matched_mixture", alt="The best mixture of the training classes over the sample.")
        right = st.container()
    with right:
        st.markdown(quantifier_text(method))
