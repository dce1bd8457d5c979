"""The caches of the page "Estimate": a sample's scores, its estimates, simulated intervals."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import once
from pages.parts.cached.scores import dataset, plan, scores
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
from qcore.scoring.sample_scores import aligned, outside_training

OwnTable = tuple[str, str, pd.DataFrame]
"""A person's own sample: its digest, the secret of their session, the table."""


@st.cache_resource(show_spinner=False, max_entries=100, hash_funcs=SETTINGS_KEYS)
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


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def _own_scores(data: DatasetReference, settings: ScoringSettings, digest: str, owner: str) -> list[SampleScores]:
    """Where the scores of a sample are kept: empty until they are there; `owner` keeps them from other sessions."""
    return []


def own_scores(data: DatasetReference, settings: ScoringSettings, frame: pd.DataFrame, digest: str, owner: str) -> SampleScores:
    """A person's own sample, scored by a classifier that is trained on all of the data set. Raises InvalidInput."""

    def work(on_progress: Callable[[float], None]) -> SampleScores:
        labelled, positive = dataset(data), settings.positive
        return score_sample(labelled, frame, positive, settings.classifier, seed=settings.seed, on_progress=on_progress)

    return once(_own_scores(data, settings, digest, owner), f"Training {settings.classifier}", work)


@st.cache_resource(show_spinner=False, max_entries=50)
def outside(data: DatasetReference, digest: str, owner: str, _frame: pd.DataFrame) -> tuple[float, tuple[str, ...]]:
    """Share of a person's own sample that is beyond what was labelled, and in which columns. Raises InvalidInput."""
    beyond = outside_training(_frame, dataset(data))
    shares = beyond.mean().sort_values(ascending=False)
    return float(beyond.any(axis=1).mean()), tuple(map(str, shares[shares > 0.0].index[:3]))


@st.cache_resource(show_spinner="Redrawing sample and labels", max_entries=100)
def sample_estimate(
    key: tuple[object, ...], methods: tuple[str, ...], level: float, seed: int, _scored: SampleScores
) -> SampleEstimate:
    """Estimates with intervals; `key` says what was scored. Raises InvalidInput."""
    return estimate_sample(*_scored, methods, level=level, seed=seed)


@st.cache_resource(show_spinner=False, max_entries=100, hash_funcs=SETTINGS_KEYS)
def _recommended(key: tuple[object, ...], candidates: tuple[str, ...]) -> list[SampleRecommendation]:
    """Where a recommendation for a sample is kept: empty until it is there."""
    return []


def recommended_for_drawn(
    data: DatasetReference, settings: ScoringSettings, path: PrevalencePath, draw: int, candidates: tuple[str, ...]
) -> SampleRecommendation:
    """Which quantifier to take for a drawn sample, learnt from the training part. Raises InvalidInput."""

    def work(show: Callable[[float], None]) -> SampleRecommendation:
        scored, split, whole = scores(data, settings), plan(data, settings), dataset(data)
        features = whole.numeric_features()[split.pool_rows[_drawn_rows(settings, path, draw, scored)]]
        drawn, labelled = drawn_scores(data, settings, path, draw, scored), whole.subset(split.training_rows)
        return recommend_for_sample(labelled, settings, drawn, features, candidates, on_progress=show)

    return once(_recommended((data, repr(settings), repr(path), draw), candidates), "Learning which quantifier to take", work)


def recommended_for_own(
    data: DatasetReference, settings: ScoringSettings, own: OwnTable, candidates: tuple[str, ...]
) -> SampleRecommendation:
    """The same for a person's own sample, its digest, owner and table, learnt from the data set. Raises InvalidInput."""
    digest, owner, frame = own

    def work(show: Callable[[float], None]) -> SampleRecommendation:
        labelled, scored = dataset(data), own_scores(data, settings, frame, digest, owner)
        features = labelled.numeric_features(aligned(frame, labelled))
        return recommend_for_sample(labelled, settings, scored, features, candidates, on_progress=show)

    return once(_recommended((data, repr(settings), digest, owner), candidates), "Learning which quantifier to take", work)
