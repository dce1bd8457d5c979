"""The main view of "Classifier": ROC curve, confusion matrix and accuracy by prevalence, which follow the dragged threshold."""

from typing import Final

from streamlit.delta_generator import DeltaGenerator

from pages.charts.threshold_control import follow_threshold, moving_threshold_text, threshold_bar
from pages.classifier.confusion_matrix_figure import confusion_figure
from pages.classifier.findings import classifier_headlines
from pages.classifier.posteriors import accuracy_figure
from pages.classifier.roc_figure import roc_figure
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts
from pages.frame.texts import texts_of
from pages.frame.withheld import POLICIES, is_withheld
from qcore.measures.roc import Skew
from qcore.studies.classifier_evaluation import ClassifierEvaluation

TEXTS: Final = texts_of("classifier")


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
