"""How rates are estimated, which two pages show: it trains many models, with progress."""

from pages.pipeline.scores import dataset, pieces_about, plan
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import DatasetReference, ScoringSettings
from qcore.scoring.plan import scoring_seconds
from qcore.studies import threshold_adjustment as rates

_MODELS_OF_A_REPEAT = 60
"""About how many trainings a draw of all ways of estimating rates takes."""


def _seconds(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> float:
    n_models = _MODELS_OF_A_REPEAT * n_repeats
    return scoring_seconds(dataset(data), settings.classifier, settings.training_share, n_models=n_models)


@work(lambda _data, settings, _n_repeats: f"Estimating rates of {settings.classifier}", _seconds)
def estimated_rates(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> Work[rates.EstimatedRates]:
    """The rates that each way of estimating them gives. A control that moves stops the work. Raises InvalidInput."""
    about = pieces_about(data)
    return Work(
        rates.estimated_rates,
        (plan(data, settings), settings.classifier),
        {"n_repeats": n_repeats, "seed": settings.seed},
        pieces=None if about is None else f"rates {about} {settings!r}",
    )
