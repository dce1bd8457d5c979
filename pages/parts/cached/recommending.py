"""The recommender: scores inside the training half, metatables size by size, the forest, and how it fares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import Show, progress
from pages.parts.cached.scoring import assembled, dataset, plan, scores
from qcore import Dataset, Scores, ScoringPlan, ScoringSettings, SizeGrid
from qcore.metatable import MetaTable, meta_table, one_table
from qcore.recommendation import (
    META_DRAWS,
    Recommended,
    Recommender,
    at_work,
    largest_learnable,
    learning_grid,
    meta_plan,
)
from qcore.recommendation_effects import deciding_metafeatures
from qcore.validation import FloatArray


@st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=SETTINGS_KEYS)
def _inner(data: str, settings: ScoringSettings) -> tuple[Dataset, ScoringPlan]:
    return meta_plan(dataset(data), settings)


@st.cache_resource(show_spinner=False, max_entries=2000, hash_funcs=SETTINGS_KEYS)
def _inner_part(data: str, settings: ScoringSettings, number: int) -> FloatArray:
    return _inner(data, settings)[1].part(number)


@st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=SETTINGS_KEYS)
def _inner_scores(data: str, settings: ScoringSettings) -> list[Scores]:
    """A shelf for the scores inside the training half: empty until all parts are there."""
    return []


@dataclass(frozen=True)
class _Half:
    """One half of a data set: where samples of a grid are drawn, with which seeds, and its share of the progress bar."""

    name: str
    features: FloatArray
    scores: Scores
    grid: SizeGrid
    seeds: tuple[int, ...]
    bar: tuple[float, float]


@st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=SETTINGS_KEYS)
def _features(data: str, settings: ScoringSettings, half: str, _dataset: Dataset, _plan: ScoringPlan) -> FloatArray:
    return _dataset.numeric_features()[_plan.pool_rows]


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=SETTINGS_KEYS)
def _size_table(
    data: str, settings: ScoringSettings, one_size: SizeGrid, candidates: tuple[str, ...], half_name: str, _half: _Half
) -> MetaTable:
    samples = one_size.draw_at(one_size.sizes[0], _half.scores.pool_labels, np.random.default_rng(_half.seeds))
    return meta_table(_half.scores, _half.features, samples, candidates)


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def _recommended(
    data: str, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> list[tuple[Recommended, pd.DataFrame]]:
    """A shelf for a recommender at work, without its forest, and what decides: empty until they are there."""
    return []


def recommended(
    data: str, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> tuple[Recommended, pd.DataFrame]:
    """(a recommender, learnt on the training half, at work on the test half; which metafeatures decide), with progress.

    `grid` holds sizes that the test half can give; those that the part to learn from can't are not learnt. A control that
    moves stops the work between two steps; scores and samples that are done are kept. Raises InvalidInput.
    """
    shelf = _recommended(data, settings, grid, candidates)
    inner_data, inner = _inner(data, settings)
    learning_sizes = learning_grid(grid, inner)
    tested_scores = scores(data, settings)
    with progress() as show:
        if shelf:
            return shelf[0]
        learnt_scores = _scores_inside(data, settings, inner, show)
        outer = dataset(data), plan(data, settings)
        learning = _Half(
            "training", _features(data, settings, "training", inner_data, inner), learnt_scores, learning_sizes,
            (settings.seed, META_DRAWS), (0.3, 0.45),
        )  # fmt: skip
        testing = _Half("test", _features(data, settings, "test", *outer), tested_scores, grid, (settings.seed,), (0.45, 0.6))
        learnt = _table(data, settings, candidates, learning, show)
        tested = _table(data, settings, candidates, testing, show)

        def grown(share: float) -> None:
            show(0.6 + 0.3 * share, f"Learning which of {len(candidates)} quantifiers to choose: {share:.0%} of the trees")

        grown(0.0)
        recommender = Recommender(settings.seed).fit(learnt, grown)
        show(0.9, f"Choosing for {len(tested):,} samples")
        found = at_work(recommender, tested, largest_learnable(grid, inner))
        show(0.95, "Asking which metafeatures decide")
        shelf.append((found.without_forest(), deciding_metafeatures(found, settings.seed)))
    return shelf[0]


def _scores_inside(data: str, settings: ScoringSettings, inner: ScoringPlan, show: Show) -> Scores:
    done = _inner_scores(data, settings)
    if not done:
        part = partial(_inner_part, data, settings)
        doing = "Training the classifier on a half of the training half"
        done.append(assembled(inner, part, doing, lambda share, told: show(0.3 * share, told)))
    return done[0]


def inner_notes(data: str, settings: ScoringSettings) -> tuple[str, ...]:
    """What was done otherwise than asked in the scores that the recommender learns from, which must be there."""
    where = "In the half of the training half that it learns from"
    return tuple(f"{where}: {note[0].lower()}{note[1:]}" for note in _inner_scores(data, settings)[0].notes)


def _table(data: str, settings: ScoringSettings, candidates: tuple[str, ...], half: _Half, show: Show) -> MetaTable:
    tables: list[MetaTable] = []
    low, high = half.bar
    for size in half.grid.sizes:
        done = low + (high - low) * len(tables) / len(half.grid.sizes)
        show(done, f"Describing samples of {size} from the {half.name} half")
        tables.append(_size_table(data, settings, half.grid.only(size), candidates, half.name, half))
    return one_table(tables)
