"""What the page "Test size" computes: estimates of samples of many sizes, and their losses."""

from collections.abc import Sequence

from pages.pipeline.estimates import estimates_of
from pages.pipeline.sample_overlap import samples_of_sizes
from pages.work.answers import shared
from qcore import Estimates, Scores, SizeGrid
from qcore.evaluation import loss_grid as grids
from qcore.evaluation.loss_grid import LossGrid
from qcore.losses import Smoothing


def size_estimates(scores: Scores, grid: SizeGrid, methods: Sequence[str]) -> list[Estimates]:
    """Estimates of the methods on the samples of each size of the grid, with progress; finished sizes are kept.

    Raises PoolTooSmall for a size that does not fit.
    """
    return estimates_of(scores, samples_of_sizes(scores, grid), methods)


@shared
def loss_grid(estimates: Sequence[Estimates], loss: str, smoothing: Smoothing) -> LossGrid:
    """Losses by size and prevalence, of the estimates of each size."""
    return grids.loss_grid(estimates, loss, smoothing)
