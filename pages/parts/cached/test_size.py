"""The caches of the page "Test size": estimates of samples of many sizes, their losses, and how much samples share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.cached.estimates import missing_estimates, missing_quantifiers
from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import progress
from qcore import DatasetReference, Estimates, Scores, ScoringSettings, SizeGrid
from qcore._base.validation import FloatArray, IntArray
from qcore.evaluation import loss_grid as grids
from qcore.evaluation.loss_grid import LossGrid
from qcore.losses import Smoothing
from qcore.protocols import Samples
from qcore.studies import sample_overlap as overlaps


@st.cache_resource(show_spinner=False, max_entries=150, hash_funcs=SETTINGS_KEYS)
def _finished(data: DatasetReference, settings: ScoringSettings, one_size: SizeGrid) -> dict[str, FloatArray]:
    """Where the estimates of each method on the samples of one size are kept: empty until they are there."""
    return {}


def size_estimates(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, methods: Sequence[str], scored: Scores
) -> list[Estimates]:
    """Estimates of the methods on the samples of each size of the grid, with progress.

    A control outside fragments that moves stops the work after a block; finished sizes are kept. Samples are drawn again when
    they are needed, not kept. Raises PoolTooSmall for a size that does not fit.
    """
    by_size: list[Estimates] = []
    n_samples = len(grid)
    with progress() as show:
        for size in grid.sizes:
            one_size = grid.only(size)
            before = len(by_size) * len(one_size)
            finished = _finished(data, settings, one_size)
            missing = missing_quantifiers(data, settings, methods, finished, scored)

            def on_progress(share: float, before: int = before, n_here: int = len(one_size), size: int = size) -> None:
                share = (before + share * n_here) / n_samples
                show(share, f"Estimating: {share:.0%} of {n_samples:,} samples done, now those of {size}")

            if missing:
                on_progress(0.0)
                finished |= missing_estimates(missing, scored, _samples(grid, size, settings.seed, scored), on_progress)
            samples = _samples(grid, size, settings.seed, scored)
            by_size.append(Estimates(samples, {method: finished[method] for method in methods}))
    return by_size


def _samples(grid: SizeGrid, size: int, seed: int, scored: Scores) -> Samples:
    return grid.draw_at(size, scored.pool_labels, np.random.default_rng(seed))


@st.cache_resource(show_spinner=False, max_entries=8, hash_funcs=SETTINGS_KEYS)
def loss_grid(
    data: DatasetReference,
    settings: ScoringSettings,
    grid: SizeGrid,
    methods: tuple[str, ...],
    loss: str,
    *,
    smoothing: Smoothing,
    _estimates: Sequence[Estimates],
) -> LossGrid:
    """Losses by size and prevalence; `_estimates` of `size_estimates`."""
    return grids.loss_grid(_estimates, loss, smoothing)


class SampleOverlap(NamedTuple):
    """How often each instance of the pool is drawn, (n_pool,), as a histogram too, and what samples of each size share."""

    counts: IntArray
    histogram: pd.DataFrame
    overlap: pd.DataFrame


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def sample_overlap(data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, _scored: Scores) -> SampleOverlap:
    """How often instances are drawn for a grid, and how many of them samples have in common."""
    samples = [_samples(grid, size, settings.seed, _scored) for size in grid.sizes]
    counts = overlaps.draw_counts(samples)
    return SampleOverlap(counts, overlaps.draw_histogram(counts, _scored.pool_labels), overlaps.sample_overlap(samples))
