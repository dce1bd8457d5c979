"""The cache of the page "Recommender": a recommender applied to the test half, and which metafeatures matter."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import progress
from pages.parts.cached.scores import dataset, scores
from qcore import DatasetReference, ScoringSettings, SizeGrid, recommend
from qcore._base.finished_pieces import FinishedPieces
from qcore.recommender import RecommenderResult
from qcore.recommender.evaluation import metafeature_importance
from qcore.recommender.mlq import inner_plan, learning_grid


class Recommendation(NamedTuple):
    """A recommender applied to the test half, without its forest, and which metafeatures matter to it."""

    result: RecommenderResult
    importance: pd.DataFrame


@st.cache_resource(show_spinner=False, max_entries=10)
def _pieces(data: DatasetReference) -> FinishedPieces:
    """Where the finished pieces of recommenders on a data set are kept."""
    return FinishedPieces()


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def _finished(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> list[Recommendation]:
    """Where a recommendation is kept: empty until it is there."""
    return []


def recommendation(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> Recommendation:
    """A recommender, learnt on the training half and applied to the test half, with progress.

    `grid` holds sizes that the test half can give. A control that moves stops the work between two steps; scores and samples
    that are finished are kept. Raises InvalidInput.
    """
    finished = _finished(data, settings, grid, candidates)
    if not finished:
        # Before anything is trained: raises for a grid that the part to learn from can't give.
        learning_grid(grid, inner_plan(dataset(data), settings)[1])
    test_scores = scores(data, settings)
    with progress() as show:
        if not finished:
            result = recommend(
                dataset(data), settings, grid, candidates, scores=test_scores, on_progress=show, finished=_pieces(data)
            )
            show(0.95, "Asking which metafeatures decide")
            finished.append(Recommendation(result.without_forest(), metafeature_importance(result, settings.seed)))
    return finished[0]
