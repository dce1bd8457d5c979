"""The caches of how rates are estimated, and of overfitting: both train many models, with progress."""

from __future__ import annotations

from pages.pipeline.data_sets import dataset, pieces_about
from pages.pipeline.scores import plan
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import DatasetReference, ScoringSettings
from qcore.scoring.duration import scoring_seconds
from qcore.studies import estimated_rates as rates

_MODELS_OF_A_REPEAT = 60
"""About how many trainings a draw of all ways of estimating rates takes."""

_MODELS_OF_A_COMPLEXITY = 200


def estimated_rates(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> rates.EstimatedRates:
    """The rates that each way of estimating them gives. A control that moves stops the work. Raises InvalidInput."""
    classifier, about = settings.classifier, pieces_about(data)
    answer: rates.EstimatedRates = computed(
        ("estimated rates", data, settings, n_repeats),
        lambda: Work(
            rates.estimated_rates,
            (plan(data, settings), classifier),
            {"n_repeats": n_repeats, "seed": settings.seed},
            pieces=None if about is None else f"rates {about} {settings!r}",
        ),
        f"Estimating rates of {classifier}",
        scoring_seconds(dataset(data), classifier, settings.training_share, n_models=_MODELS_OF_A_REPEAT * n_repeats),
    )
    return answer
