"""The evaluation of a classifier, which two pages show."""

from pages.work.answers import shared
from qcore import Scores, evaluate_classifier
from qcore.studies.classifier_evaluation import ClassifierEvaluation


@shared
def classifier_evaluation(scores: Scores, part: str, threshold: float) -> ClassifierEvaluation:
    """The classifier evaluated on its training part or pool. Raises InvalidInput."""
    return evaluate_classifier(scores, part, threshold)
