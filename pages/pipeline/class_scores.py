"""The cache of scores of more than two classes, which several pages show."""

from __future__ import annotations

from pages.pipeline.data_sets import dataset
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import DatasetReference, ScoringSettings, score_dataset
from qcore.scoring import Scores
from qcore.scoring.duration import scoring_seconds


def class_scores(data: DatasetReference, classifier: str, seed: int, share: float) -> Scores:
    """A classifier trained on all classes of the training part, with progress. Raises InvalidInput."""
    answer: Scores = computed(
        ("class scores", data, classifier, seed, share),
        lambda: Work(score_dataset, (dataset(data), ScoringSettings(None, classifier, seed, share))),
        "Training on all classes",
        scoring_seconds(dataset(data), classifier, share, n_classes=len(dataset(data).classes)),
    )
    return answer
