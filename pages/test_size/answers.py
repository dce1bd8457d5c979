"""The caches of the page "Test size": estimates of samples of many sizes, their losses, and how much samples share."""

from __future__ import annotations

from collections.abc import Sequence

from pages.pipeline.estimates import kept_estimates
from pages.pipeline.sample_overlap import samples_of_size
from pages.work.answers import shared
from qcore import DatasetReference, Estimates, Scores, ScoringSettings, SizeGrid
from qcore.evaluation import loss_grid as grids
from qcore.evaluation.loss_grid import LossGrid
from qcore.losses import Smoothing


def size_estimates(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, methods: Sequence[str], scored: Scores
) -> list[Estimates]:
    """Estimates of the methods on the samples of each size of the grid, with progress; sizes that are there are kept.

    Samples are drawn again when they are needed, not kept. Raises PoolTooSmall for a size that does not fit.
    """
    drawn = {grid.only(size): samples_of_size(grid, size, settings.seed, scored) for size in grid.sizes}
    return kept_estimates((data, settings), drawn, methods, scored)


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
