"""The caches of the page "Test size": estimates of samples of many sizes, their losses, and how much samples share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pages.parts.cached.answers import shared
from pages.parts.cached.estimates import kept_estimates
from qcore import DatasetReference, Estimates, Scores, ScoringSettings, SizeGrid
from qcore._base.validation import IntArray
from qcore.evaluation import loss_grid as grids
from qcore.evaluation.loss_grid import LossGrid
from qcore.losses import Smoothing
from qcore.protocols import Samples
from qcore.studies import sample_overlap as overlaps


def size_estimates(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, methods: Sequence[str], scored: Scores
) -> list[Estimates]:
    """Estimates of the methods on the samples of each size of the grid, with progress; sizes that are there are kept.

    Samples are drawn again when they are needed, not kept. Raises PoolTooSmall for a size that does not fit.
    """
    drawn = {grid.only(size): _samples(grid, size, settings.seed, scored) for size in grid.sizes}
    return kept_estimates((data, settings), drawn, methods, scored)


def _samples(grid: SizeGrid, size: int, seed: int, scored: Scores) -> Samples:
    return grid.draw_at(size, scored.pool_labels, np.random.default_rng(seed))


@shared
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


@shared
def sample_overlap(data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, _scored: Scores) -> SampleOverlap:
    """How often instances are drawn for a grid, and how many of them samples have in common."""
    samples = [_samples(grid, size, settings.seed, _scored) for size in grid.sizes]
    counts = overlaps.draw_counts(samples)
    return SampleOverlap(counts, overlaps.draw_histogram(counts, _scored.pool_labels), overlaps.sample_overlap(samples))
