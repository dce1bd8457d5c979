"""Data set -> scores: the steps that several pages share, each computed once for all sessions."""

import math
from collections.abc import Sequence

from pages.own_data import uploads
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from pages.work.jobs import SHORT_SECONDS
from pages.work.limits import check_within
from qcore import Dataset, DatasetReference, Scores, ScoringPlan, ScoringSettings, load_dataset, make_quantifiers, score_dataset
from qcore.base import FloatArray
from qcore.quantifiers import Quantifier
from qcore.scoring.plan import score_pool_as_training, scoring_seconds


@shared
def _dataset(data: DatasetReference) -> Dataset:
    loaded = load_dataset(data)
    check_within("ROWS", f"the rows of {loaded.name}", len(loaded.labels), "Take a smaller data set, or a part of this one.")
    return loaded


def dataset(data: DatasetReference) -> Dataset:
    """The data set of a reference; an upload is found only in its own session. Raises InvalidInput."""
    return uploads.load(data) if data.source == uploads.SOURCE else _dataset(data)


def origin_of(scores: Scores) -> tuple[DatasetReference, ScoringSettings]:
    """The data set and the settings that scores were made of, or those that they were changed from.

    Raises TypeError for scores that no data set of this app was the origin of.
    """
    if scores.data is None or scores.settings is None:
        raise TypeError("these scores do not know what they were made of")
    return scores.data, scores.settings


def pieces_about(data: DatasetReference, seconds: float = math.inf) -> str | None:
    """The name under which pieces of work on a data set are kept on disk; None for an upload and for short work: not kept."""
    return None if data.source == uploads.SOURCE or seconds < SHORT_SECONDS else f"{data} {data.owner}"


@shared
def plan(data: DatasetReference, settings: ScoringSettings) -> ScoringPlan:
    """The split into training part and pool, and the folds. Raises InvalidInput."""
    return ScoringPlan(dataset(data), settings)


def training_words(settings: ScoringSettings) -> str:
    """What is trained, in words for the progress bar."""
    return "Training on all classes" if settings.positive is None else f"Training {settings.classifier}"


def _seconds(data: DatasetReference, settings: ScoringSettings) -> float:
    whole = dataset(data)
    n_classes = len(whole.classes) if settings.positive is None else 2
    return scoring_seconds(whole, settings.classifier, settings.training_share, n_classes=n_classes)


@work(lambda _data, settings: training_words(settings), _seconds)
def scores(data: DatasetReference, settings: ScoringSettings) -> Work[Scores]:
    """Scores of training part and pool, of one class against the rest or of all classes, with progress.

    A control that moves stops the work, and finished folds are kept. Raises InvalidInput.
    """
    return Work(score_dataset, (dataset(data), settings), pieces=pieces_about(data, _seconds(data, settings)))


@work(lambda _data, settings: training_words(settings), _seconds)
def pool_as_training(data: DatasetReference, settings: ScoringSettings) -> Work[FloatArray]:
    """The pool's scores by the models of folds, as training scores are made: see `SampleScores`. Raises InvalidInput."""
    return Work(score_pool_as_training, (dataset(data), settings), tells=False)


@shared
def _quantifier(scores: Scores, method: str) -> Quantifier:
    training = scores.training_scores, scores.training_labels
    return make_quantifiers([method], *training, posteriors=scores.posteriors)[method]


def fitted(scores: Scores, methods: Sequence[str]) -> dict[str, Quantifier]:
    """The methods, fitted to the training part of the scores."""
    return {method: _quantifier(scores, method) for method in methods}
