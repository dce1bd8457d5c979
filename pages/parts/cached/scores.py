"""Data sets, the classifier's scores on them, and the quantifiers fitted to these."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from pages.parts import uploads
from pages.parts.cached.answers import known, shared
from pages.parts.cached.heavy import computed
from pages.parts.jobs import Work
from pages.parts.jobs.job import SHORT_SECONDS
from pages.parts.limits import check_within
from qcore import (
    Dataset,
    DatasetReference,
    Scores,
    ScoringPlan,
    ScoringSettings,
    load_dataset,
    make_quantifiers,
    score_dataset,
)
from qcore.quantifiers import Quantifier
from qcore.scoring.duration import scoring_seconds


@shared
def _dataset(data: DatasetReference) -> Dataset:
    loaded = load_dataset(data)
    check_within("ROWS", f"the rows of {loaded.name}", len(loaded.labels), "Take a smaller data set, or a part of this one.")
    return loaded


def dataset(data: DatasetReference) -> Dataset:
    """The data set; an upload is found in the session that it belongs to, and nowhere else. Raises InvalidInput."""
    return uploads.load(data) if data.source == uploads.SOURCE else _dataset(data)


def pieces_about(data: DatasetReference, seconds: float = math.inf) -> str | None:
    """What pieces of work on a data set are about; None for an upload, of which nothing is kept on disk, and for short work."""
    return None if data.source == uploads.SOURCE or seconds < SHORT_SECONDS else f"{data} {data.owner}"


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
