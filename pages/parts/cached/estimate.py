"""The caches of the page "Estimate": a sample's scores, its estimates, simulated intervals."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import once
from pages.parts.cached.scores import dataset
from qcore import DatasetReference, PrevalencePath, Scores, ScoringSettings, estimate_sample, score_sample
from qcore._base.random_streams import RandomStream, random_stream
from qcore.intervals import INTERVALS, SampleEstimate, coverage, simulated_counts
from qcore.intervals.analytic import Interval
from qcore.scoring import SampleScores
from qcore.scoring.sample_scores import outside_training


@st.cache_resource(show_spinner=False, max_entries=100, hash_funcs=SETTINGS_KEYS)
def drawn_scores(
    data: DatasetReference, settings: ScoringSettings, path: PrevalencePath, draw: int, _scores: Scores
) -> SampleScores:
    """A sample of the pool, of the one prevalence of the path, beside the training scores."""
    samples = path.draw(_scores.pool_labels, random_stream(settings.seed, RandomStream.ESTIMATED_SAMPLE, draw))
    ((_, rows),) = samples.blocks()
    return SampleScores(_scores.pool_scores[rows[0]], _scores.training_scores, _scores.training_labels)


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


@st.cache_resource(show_spinner=False, max_entries=200)
def simulated(
    prevalence: float, rates: tuple[float, float], labels: int, size: int, seed: int
) -> tuple[pd.DataFrame, dict[str, Interval]]:
    """Coverage of each method over 2,000 samples, and the first hundred intervals of each. Raises InvalidInput."""
    rng = random_stream(seed, RandomStream.COVERAGE)
    counts = simulated_counts(prevalence, rates, (labels, labels), size, repetitions=2000, rng=rng)
    quick = [key for key in INTERVALS if key != "Bayes"]
    hundred = simulated_counts(prevalence, rates, (labels, labels), size, repetitions=100, rng=rng)
    return coverage(prevalence, counts, quick), {key: INTERVALS[key].interval(hundred, 0.95) for key in quick}
