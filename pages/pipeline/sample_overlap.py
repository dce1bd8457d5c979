"""How much the samples of a grid of sizes have in common, which two pages show."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from pages.work.answers import named_key, shared, with_cache_key
from qcore import Scores, SizeGrid
from qcore.base import IntArray
from qcore.protocols import Samples
from qcore.studies import sample_size as overlaps


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
