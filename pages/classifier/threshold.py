"""The section "At the threshold" of "Classifier": what the charts say at the threshold."""

from typing import Final

import streamlit as st

from pages.charts.threshold_control import follow_threshold, moving_threshold_text
from pages.classifier.confusion_matrix_figure import measures_figure
from pages.classifier.findings import confusion_sentences, roc_sentences
from pages.frame.texts import texts_of
from pages.frame.withheld import text_on_policies
from qcore.studies.classifier_evaluation import ClassifierEvaluation

TEXTS: Final = texts_of("classifier")


def threshold_section(evaluation: ClassifierEvaluation) -> None:
    """Draw the section with the charts in words and the measures at the threshold."""
    measures, thresholds = evaluation.measures(), evaluation.rates.thresholds
    markers = text_on_policies(TEXTS["markers"])
    st.markdown(TEXTS["roc"].replace("{markers}", markers))
    moving_threshold_text("roc", thresholds, roc_sentences(evaluation))
    st.markdown(TEXTS["confusion"])
    moving_threshold_text("confusion", thresholds, confusion_sentences(evaluation, measures))
    figure = measures_figure(measures, evaluation.rates.nearest(0.5))
    follow_threshold(figure, key="measures", alt="Measures at the threshold, from 0 to 1.")
    st.markdown(TEXTS["accuracy"])
