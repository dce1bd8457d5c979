"""Data set -> scores -> samples -> estimates: the steps that several pages share, each computed once for all sessions."""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pages.own_data import uploads
from pages.work.answers import cache_key_of, keep, known, named_key, shared, with_cache_key
from pages.work.engines import Work
from pages.work.heavy import no_bar, work
from pages.work.jobs import SHORT_SECONDS
from pages.work.limits import check_within
from qcore import (
    ArtificialPrevalence,
    Dataset,
    DatasetReference,
    Estimates,
    Scores,
    ScoringPlan,
    ScoringSettings,
    SizeGrid,
    evaluate_classifier,
    load_dataset,
    make_quantifiers,
    score_dataset,
)
from qcore.base import FloatArray, IntArray
from qcore.evaluation.estimates import estimates_in_turn, estimation_seconds
from qcore.protocols import Samples
from qcore.quantifiers import Quantifier
from qcore.scoring.plan import score_pool_as_training, scoring_seconds
from qcore.scoring.rate_estimation import N_BOOTSTRAPS
from qcore.studies import sample_size as overlaps
from qcore.studies import threshold_adjustment as rates
from qcore.studies.classifier_evaluation import ClassifierEvaluation
from qcore.studies.rates_by_folds import FOLD_NUMBERS, MOST_LEFT_OUT
from qcore.studies.rates_by_folds import rates_by_folds as by_folds


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


def _training_seconds(data: DatasetReference, settings: ScoringSettings) -> float:
    whole = dataset(data)
    n_classes = len(whole.classes) if settings.positive is None else 2
    return scoring_seconds(whole, settings.classifier, settings.training_share, n_classes=n_classes)


@work(lambda _data, settings: training_words(settings), _training_seconds)
def scores(data: DatasetReference, settings: ScoringSettings) -> Work[Scores]:
    """Scores of training part and pool, of one class against the rest or of all classes, with progress.

    A control that moves stops the work, and finished folds are kept. Raises InvalidInput.
    """
    return Work(score_dataset, (dataset(data), settings), pieces=pieces_about(data, _training_seconds(data, settings)))


@work(lambda _data, settings: training_words(settings), _training_seconds)
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


_Missing = Sequence[tuple[Samples, tuple[str, ...]]]
"""Samples, and the methods whose estimates of them are not there yet."""


@shared
def samples(scores: Scores, protocol: ArtificialPrevalence) -> Samples:
    """The samples that a protocol draws from the pool, by the seed of the scores. Raises InvalidInput."""
    return protocol.draw(scores.pool_labels, np.random.default_rng(scores.seed))


def estimates(scores: Scores, protocol: ArtificialPrevalence, methods: Sequence[str]) -> Estimates:
    """Estimates of the methods on the protocol's samples, with progress; one more method computes only that one.

    Raises InvalidInput.
    """
    (result,) = estimates_of(scores, [samples(scores, protocol)], methods)
    return result


def estimates_of(scores: Scores, drawn: Sequence[Samples], methods: Sequence[str]) -> list[Estimates]:
    """Estimates of the methods on several samplings of the pool, each kept by itself; those missing are computed together.

    Raises InvalidInput.
    """
    arrays = {(i, method): known(_key(one, method)) for i, one in enumerate(drawn) for method in methods}
    missing = {i: tuple(method for method in methods if arrays[i, method] is None) for i in range(len(drawn))}
    lacking = {i: names for i, names in missing.items() if names}
    if not lacking:
        no_bar()
    else:
        answers = _missing_estimates(scores, [(drawn[i], names) for i, names in lacking.items()])
        for i, by_method in zip(lacking, answers, strict=True):
            for method, values in by_method.items():
                arrays[i, method] = keep(_key(drawn[i], method), values)
    results = [Estimates(one, {method: arrays[i, method] for method in methods}) for i, one in enumerate(drawn)]
    return [with_cache_key(one, named_key("estimates", one.samples, tuple(methods))) for one in results]


def _key(drawn: Samples, method: str) -> Hashable:
    return named_key("estimates", drawn, method)


def _estimating_seconds(_scores: Scores, missing: _Missing) -> float:
    return sum(estimation_seconds(len(methods), len(drawn), drawn.sample_size) for drawn, methods in missing)


@work("Estimating", _estimating_seconds)
def _missing_estimates(scores: Scores, missing: _Missing) -> Work[list[dict[str, FloatArray]]]:
    return Work(
        estimates_in_turn,
        (scores, [(drawn, fitted(scores, methods)) for drawn, methods in missing]),
        pieces=_pieces(scores, _estimating_seconds(scores, missing)),
    )


def _pieces(scored: Scores, seconds: float) -> str | None:
    """The name of these estimates on disk; None for changed scores, such as calibrated ones, of which none are kept."""
    if scored.data is None or scored.settings is None or cache_key_of(scored) != scores.key(scored.data, scored.settings):
        return None
    about = pieces_about(scored.data, seconds)
    return None if about is None else f"estimates {about} {scored.settings!r}"


def samples_of_sizes(scores: Scores, grid: SizeGrid) -> list[Samples]:
    """The samples of each size of a grid, by the seed of the scores: drawn again when they are needed, not kept.

    Raises PoolTooSmall for a size that does not fit.
    """
    return [
        with_cache_key(
            grid.draw_at(size, scores.pool_labels, np.random.default_rng(scores.seed)),
            named_key("samples of a size", scores, grid.only(size)),
        )
        for size in grid.sizes
    ]


class SampleOverlap(NamedTuple):
    """How often each instance of the pool is drawn, (n_pool,), as a histogram too, and what samples of each size share."""

    counts: IntArray
    histogram: pd.DataFrame
    overlap: pd.DataFrame


@shared
def sample_overlap(scores: Scores, grid: SizeGrid) -> SampleOverlap:
    """How often instances are drawn for a grid, and how many of them samples have in common."""
    samples = samples_of_sizes(scores, grid)
    counts = overlaps.draw_counts(samples)
    return SampleOverlap(counts, overlaps.draw_histogram(counts, scores.pool_labels), overlaps.sample_overlap(samples))


_MODELS_OF_A_REPEAT = 60
"""About how many trainings a draw of all ways of estimating rates takes."""


def _rates_seconds(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> float:
    n_models = _MODELS_OF_A_REPEAT * n_repeats
    return scoring_seconds(dataset(data), settings.classifier, settings.training_share, n_models=n_models)


@work(lambda _data, settings, _n_repeats: f"Estimating rates of {settings.classifier}", _rates_seconds)
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
