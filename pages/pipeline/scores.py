"""The classifier's scores on a data set, and the quantifiers fitted to them."""

from collections.abc import Sequence

from pages.pipeline.data_sets import dataset, pieces_about
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import DatasetReference, Scores, ScoringPlan, ScoringSettings, make_quantifiers, score_dataset
from qcore.base import FloatArray
from qcore.quantifiers import Quantifier
from qcore.scoring.plan import score_pool_as_training, scoring_seconds


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
