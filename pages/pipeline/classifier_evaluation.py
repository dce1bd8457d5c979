"""The evaluation of a classifier, which two pages show."""

from __future__ import annotations

from pages.work.answers import shared
from qcore import DatasetReference, Scores, ScoringSettings, evaluate_classifier
from qcore.studies.classifier_evaluation import ClassifierEvaluation


@shared
def classifier_evaluation(
    data: DatasetReference, settings: ScoringSettings, part: str, threshold: float, _scores: Scores
) -> ClassifierEvaluation:
    """The classifier evaluated on its training part or pool. Raises InvalidInput."""
    return evaluate_classifier(_scores, part, threshold)
