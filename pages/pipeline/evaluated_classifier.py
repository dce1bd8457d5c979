"""What two pages show of a classifier: its evaluation, and how tpr and fpr are estimated, for which many models are trained."""

from collections.abc import Callable

from pages.pipeline.scores import dataset, pieces_about, plan
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import DatasetReference, Scores, ScoringSettings, evaluate_classifier
from qcore.scoring.plan import scoring_seconds
from qcore.scoring.rate_estimation import N_BOOTSTRAPS
from qcore.studies import threshold_adjustment as rates
from qcore.studies.classifier_evaluation import ClassifierEvaluation
from qcore.studies.rates_by_folds import FOLD_NUMBERS, MOST_LEFT_OUT
from qcore.studies.rates_by_folds import rates_by_folds as by_folds

_MODELS_OF_A_REPEAT = 60
"""About how many trainings a draw of all ways of estimating rates takes."""


def _seconds(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> float:
    n_models = _MODELS_OF_A_REPEAT * n_repeats
    return scoring_seconds(dataset(data), settings.classifier, settings.training_share, n_models=n_models)


@work(lambda _data, settings, _n_repeats: f"Estimating rates of {settings.classifier}", _seconds)
def estimated_rates(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> Work[rates.EstimatedRates]:
    """The rates that each way of estimating them gives. A control that moves stops the work. Raises InvalidInput."""
    return _rates_by(rates.estimated_rates, "rates", data, settings, n_repeats)


def _fold_seconds(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> float:
    alone = settings.training_share * len(dataset(data).labels)
    n_models = (sum(FOLD_NUMBERS) + N_BOOTSTRAPS) * n_repeats + int(alone if alone <= MOST_LEFT_OUT else 0)
    return scoring_seconds(dataset(data), settings.classifier, settings.training_share, n_models=n_models)


@work(lambda _data, settings, _n_repeats: f"Estimating rates of {settings.classifier}", _fold_seconds)
def rates_by_folds(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> Work[rates.EstimatedRates]:
    """The rates by the number of folds, and by the bootstrap. A control that moves stops the work. Raises InvalidInput."""
    return _rates_by(by_folds, "rates by folds", data, settings, n_repeats)


def _rates_by(
    function: Callable[..., rates.EstimatedRates], name: str, data: DatasetReference, settings: ScoringSettings, n_repeats: int
) -> Work[rates.EstimatedRates]:
    about = pieces_about(data)
    return Work(
        function,
        (plan(data, settings), settings.classifier),
        {"n_repeats": n_repeats, "seed": settings.seed},
        pieces=None if about is None else f"{name} {about} {settings!r}",
    )


@shared
def classifier_evaluation(scores: Scores, part: str, threshold: float) -> ClassifierEvaluation:
    """The classifier evaluated on its training part or pool. Raises InvalidInput."""
    return evaluate_classifier(scores, part, threshold)
