"""How much the samples of a grid of sizes have in common, which two pages show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from pages.work.answers import shared
from qcore import DatasetReference, Scores, ScoringSettings, SizeGrid
from qcore._base.validation import IntArray
from qcore.protocols import Samples
from qcore.studies import sample_overlap as overlaps


def samples_of_size(grid: SizeGrid, size: int, seed: int, scored: Scores) -> Samples:
    """The samples of one size of the grid: drawn again when they are needed, not kept."""
    return grid.draw_at(size, scored.pool_labels, np.random.default_rng(seed))


class SampleOverlap(NamedTuple):
    """How often each instance of the pool is drawn, (n_pool,), as a histogram too, and what samples of each size share."""

    counts: IntArray
    histogram: pd.DataFrame
    overlap: pd.DataFrame


@shared
def sample_overlap(data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, _scored: Scores) -> SampleOverlap:
    """How often instances are drawn for a grid, and how many of them samples have in common."""
    samples = [samples_of_size(grid, size, settings.seed, _scored) for size in grid.sizes]
    counts = overlaps.draw_counts(samples)
    return SampleOverlap(counts, overlaps.draw_histogram(counts, _scored.pool_labels), overlaps.sample_overlap(samples))
