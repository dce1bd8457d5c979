"""The cache of scores of more than two classes, which several pages show."""

from __future__ import annotations

from pages.pipeline.data_sets import dataset
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import DatasetReference, score_classes
from qcore.scoring import MulticlassScores
from qcore.scoring.duration import scoring_seconds


def class_scores(data: DatasetReference, classifier: str, seed: int, share: float) -> MulticlassScores:
    """A classifier trained on all classes of the training part, with progress. Raises InvalidInput."""
    answer: MulticlassScores = computed(
        ("class scores", data, classifier, seed, share),
        lambda: Work(score_classes, (dataset(data), classifier), {"seed": seed, "training_share": share}),
        "Training on all classes",
        scoring_seconds(dataset(data), classifier, share, n_classes=len(dataset(data).classes)),
    )
    return answer
