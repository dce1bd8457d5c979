"""The main view of "Classifier": ROC curve, confusion matrix and what a threshold changes; and the tab on the threshold."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts.threshold_control import follow_threshold, moving_threshold_text, threshold_bar
from pages.classifier.findings import classifier_headlines, confusion_sentences, roc_sentences
from pages.classifier.posteriors import accuracy_figure
from pages.classifier.roc_and_confusion_figures import confusion_figure, measures_figure, roc_figure
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts
from pages.frame.texts import texts_of
from pages.frame.withheld import POLICIES, is_withheld
from qcore.measures.roc import Skew
from qcore.studies.classifier_evaluation import ClassifierEvaluation

TEXTS = texts_of("classifier")


def hero(evaluation: ClassifierEvaluation, skew: Skew, threshold: float, parts: PageParts, bar_part: DeltaGenerator) -> None:
    """The bar, the three charts side by side, and the finding at the threshold."""
    parts.downloads.csv("Measures as CSV", evaluation.measures, "measures-by-threshold")
    points = {} if is_withheld(POLICIES) else evaluation.points
    threshold_bar(bar_part, evaluation.rates.thresholds, threshold, points)
    index = evaluation.rates.nearest(0.5)
    with parts.hero:
        left, middle, right = wide_row("trio roc", [1, 1, 1], align="top")
        with left:
            alt = "ROC curve with its convex hull, operating points and the line of equal cost."
            follow_threshold(roc_figure(evaluation, points, skew, index), key="roc", alt=alt)
        with middle:
            alt = "Counts of true and false positives and negatives at the threshold."
            follow_threshold(confusion_figure(evaluation, index), key="confusion", alt=alt)
        with right:
            alt = "Accuracy at the threshold by the share of positives, beside always answering the larger class."
            follow_threshold(accuracy_figure(evaluation, index), key="accuracy", alt=alt)
    with parts.headline:
        moving_threshold_text("found", evaluation.rates.thresholds, classifier_headlines(evaluation), headline=True)


def threshold_section(evaluation: ClassifierEvaluation) -> None:
    """Draw the section with the charts in words and the measures at the threshold."""
    measures, thresholds = evaluation.measures(), evaluation.rates.thresholds
    left, right = wide_row("roc and confusion in words", [1, 1], align="top")
    with left:
        st.markdown(TEXTS["roc"])
        moving_threshold_text("roc", thresholds, roc_sentences(evaluation))
    with right:
        st.markdown(TEXTS["confusion"])
        moving_threshold_text("confusion", thresholds, confusion_sentences(evaluation, measures))
    figure = measures_figure(measures, evaluation.rates.nearest(0.5))
    follow_threshold(figure, key="measures", alt="Measures at the threshold, from 0 to 1.")
    st.markdown(TEXTS["accuracy"])
    with st.expander("What the measures are"):
        st.markdown(TEXTS["measures"])
