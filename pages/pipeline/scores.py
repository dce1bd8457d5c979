"""Data sets, the classifier's scores on them, and the quantifiers fitted to these."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pages.pipeline.data_sets import dataset, pieces_about
from pages.work.answers import known, shared
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import (
    DatasetReference,
    Scores,
    ScoringPlan,
    ScoringSettings,
    make_quantifiers,
    score_dataset,
)
from qcore.quantifiers import Quantifier
from qcore.scoring.duration import scoring_seconds


@shared
def plan(data: DatasetReference, settings: ScoringSettings) -> ScoringPlan:
    """Split and folds. Raises InvalidInput."""
    return ScoringPlan(dataset(data), settings)


def _scores_key(data: DatasetReference, settings: ScoringSettings) -> Hashable:
    return ("scores", data, settings)


def finished_scores(data: DatasetReference, settings: ScoringSettings) -> Scores | None:
    """The scores, if they are there already."""
    found: Scores | None = known(_scores_key(data, settings))
    return found


def scores(data: DatasetReference, settings: ScoringSettings) -> Scores:
    """Scores of training part and pool, with progress; a control that moves stops the work, and finished folds are kept.

    Raises InvalidInput.
    """
    classifier = settings.classifier
    seconds = scoring_seconds(dataset(data), classifier, settings.training_share)
    answer: Scores = computed(
        _scores_key(data, settings),
        lambda: Work(score_dataset, (dataset(data), settings), pieces=pieces_about(data, seconds)),
        f"Training {classifier}",
        seconds,
    )
    return answer


@shared
def _quantifier(data: DatasetReference, settings: ScoringSettings, method: str, _scores: Scores) -> Quantifier:
    return make_quantifiers([method], _scores.training_scores, _scores.training_labels)[method]


def fitted(data: DatasetReference, settings: ScoringSettings, methods: Sequence[str], scored: Scores) -> dict[str, Quantifier]:
    """The methods, fitted to what `scores(data, settings)` gave."""
    return {method: _quantifier(data, settings, method, scored) for method in methods}
