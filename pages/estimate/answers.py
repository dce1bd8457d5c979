"""The caches of the page "Estimate": a sample's scores, its estimates, simulated intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pandas as pd

from pages.pipeline.data_sets import dataset
from pages.pipeline.scores import plan, scores
from pages.work.answers import shared
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import (
    DatasetReference,
    PrevalencePath,
    RandomStream,
    Scores,
    ScoringSettings,
    estimate_sample,
    random_stream,
    score_sample,
)
from qcore._base.validation import IntArray
from qcore.intervals import SampleEstimate
from qcore.recommender import SampleRecommendation, recommend_for_sample
from qcore.scoring import SampleScores
from qcore.scoring.duration import scoring_seconds
from qcore.scoring.sample_scores import aligned, outside_training, unusable_sentence, unusable_values

OwnTable = tuple[str, str, pd.DataFrame]
"""A person's own sample: its digest, the secret of their session, the table."""


_FOREST_SECONDS: Final = 1.0
"""About how long the recommender's forest takes to learn for one sample."""


def resampling_seconds(n_methods: int, sample_size: int) -> float:
    """About how long a thousand redrawn samples take several methods."""
    return n_methods * (0.02 + 5e-5 * sample_size)


@shared
def drawn_scores(
    data: DatasetReference, settings: ScoringSettings, path: PrevalencePath, draw: int, _scores: Scores
) -> SampleScores:
    """A sample of the pool, of the one prevalence of the path, beside the training scores."""
    return SampleScores(
        _scores.pool_scores[_drawn_rows(settings, path, draw, _scores)], _scores.training_scores, _scores.training_labels
    )


def _drawn_rows(settings: ScoringSettings, path: PrevalencePath, draw: int, scores: Scores) -> IntArray:
    samples = path.draw(scores.pool_labels, random_stream(settings.seed, RandomStream.ESTIMATED_SAMPLE, draw))
    ((_, rows),) = samples.blocks()
    return rows[0]


def own_scores(data: DatasetReference, settings: ScoringSettings, frame: pd.DataFrame, digest: str, owner: str) -> SampleScores:
    """A person's own sample, scored by a classifier that is trained on all of the data set. Raises InvalidInput.

    `owner` keeps them from other sessions.
    """
    labelled, classifier = dataset(data), settings.classifier
    answer: SampleScores = computed(
        ("own scores", data, settings, digest, owner),
        lambda: Work(score_sample, (labelled, frame, settings.positive, classifier), {"seed": settings.seed}),
        f"Training {classifier}",
        scoring_seconds(labelled, classifier, 1.0),
    )
    return answer


@shared
def outside(data: DatasetReference, digest: str, owner: str, _frame: pd.DataFrame) -> tuple[float, tuple[str, ...]]:
    """Share of a person's own sample that is beyond what was labelled, and in which columns. Raises InvalidInput."""
    beyond = outside_training(_frame, dataset(data))
    shares = beyond.mean().sort_values(ascending=False)
    return float(beyond.any(axis=1).mean()), tuple(map(str, shares[shares > 0.0].index[:3]))


@shared
def unusable(data: DatasetReference, digest: str, owner: str, _frame: pd.DataFrame) -> str:
    """Which values of a person's own sample are no numbers where numbers belong, in a sentence. Raises InvalidInput."""
    return unusable_sentence(unusable_values(_frame, dataset(data)))


def sample_estimate(
    key: tuple[object, ...], methods: tuple[str, ...], level: float, seed: int, scored: SampleScores
) -> SampleEstimate:
    """Estimates with intervals; `key` says what was scored. Raises InvalidInput."""
    answer: SampleEstimate = computed(
        ("sample estimate", *key, methods, level, seed),
        lambda: Work(estimate_sample, (*scored, methods), {"level": level, "seed": seed}, tells=False),
        "Redrawing sample and labels",
        resampling_seconds(len(methods), len(scored.sample)),
    )
    return answer


def recommended_for_drawn(
    data: DatasetReference, settings: ScoringSettings, path: PrevalencePath, draw: int, candidates: tuple[str, ...]
) -> SampleRecommendation:
    """Which quantifier to take for a drawn sample, learnt from the training part. Raises InvalidInput."""
    scored = scores(data, settings)

    def work() -> Work:
        split, whole = plan(data, settings), dataset(data)
        features = whole.numeric_features()[split.pool_rows[_drawn_rows(settings, path, draw, scored)]]
        drawn, labelled = drawn_scores(data, settings, path, draw, scored), whole.subset(split.training_rows)
        return Work(recommend_for_sample, (labelled, settings, drawn, features, candidates))

    trained = scoring_seconds(dataset(data), settings.classifier, settings.training_share)
    return _recommended((data, settings, path, draw, candidates), work, _FOREST_SECONDS + trained)


def recommended_for_own(
    data: DatasetReference, settings: ScoringSettings, own: OwnTable, candidates: tuple[str, ...]
) -> SampleRecommendation:
    """The same for a person's own sample, its digest, owner and table, learnt from the data set. Raises InvalidInput."""
    digest, owner, frame = own
    scored = own_scores(data, settings, frame, digest, owner)

    def work() -> Work:
        labelled = dataset(data)
        features = labelled.numeric_features(aligned(frame, labelled))
        return Work(recommend_for_sample, (labelled, settings, scored, features, candidates))

    trained = scoring_seconds(dataset(data), settings.classifier, 1.0)
    return _recommended((data, settings, digest, owner, candidates), work, _FOREST_SECONDS + trained)


def _recommended(key: tuple[object, ...], work: Callable[[], Work], seconds: float) -> SampleRecommendation:
    answer: SampleRecommendation = computed(("recommended", *key), work, "Learning which quantifier to take", seconds)
    return answer
