"""Methods compared on a grid of losses: differences, the winner of each cell, leaders and ranks by sample size."""

from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from qcore._base.validation import FloatArray, IntArray
from qcore.evaluation.clear_difference import is_clear, standard_error
from qcore.evaluation.loss_grid import LossGrid
from qcore.evaluation.summaries import BAND

_N_LISTED: Final = 5


class Difference(NamedTuple):
    """How much larger one method's loss is than another's: mean over the same samples, and its standard error.

    Both have shape (n_sizes, n_prevalences).
    """

    mean: FloatArray
    standard_error: FloatArray


def difference(grid: LossGrid, first: str, second: str) -> Difference:
    """Loss of `first` minus loss of `second`, cell by cell; for a signed loss, of their magnitudes. Raises InvalidInput."""
    return _paired_difference(*grid.select([first, second]).losses, signed=grid.signed)


def _paired_difference(first: FloatArray, second: FloatArray, *, signed: bool) -> Difference:
    """Mean difference over the last axis, and its standard error, which is 0 for one repeat."""
    if signed:
        first, second = (np.where(values.mean(axis=-1, keepdims=True) < 0.0, -values, values) for values in (first, second))
    apart = first - second
    return Difference(apart.mean(axis=-1), standard_error(apart))


class Winners(NamedTuple):
    """The method with the lowest mean loss in each cell, and the methods that are as good.

    best : (n_sizes, n_prevalences) index of the method in `LossGrid.methods`; ties go to the first.
    tied : (n_methods, n_sizes, n_prevalences) whether a method's mean loss is within two standard errors (of their difference
        on the same samples) of the best one's; True for the best itself.
    equal : (n_sizes, n_prevalences) whether several have exactly the same lowest mean, as when they all estimate 0 or 1.
    order : (up to 5, n_sizes, n_prevalences) indices of the methods with the lowest means, the lowest first.
    """

    best: IntArray
    tied: NDArray[np.bool_]
    equal: NDArray[np.bool_]
    order: IntArray

    @property
    def clear(self) -> NDArray[np.bool_]:
        """(n_sizes, n_prevalences) whether no other method is as good as the best."""
        return self.tied.sum(axis=0) == 1


def winners(grid: LossGrid) -> Winners:
    """The winner of each cell; for a signed loss, by the magnitude of its mean."""
    # Sums in another order differ in the last digits; equal methods must tie nevertheless.
    rounded = np.round(grid.magnitudes, 12)
    best = rounded.argmin(axis=0)
    leading = np.take_along_axis(grid.losses, best[np.newaxis, :, :, np.newaxis], axis=0)[0]
    tied = np.empty(grid.means.shape, dtype=bool)
    for method, values in enumerate(grid.losses):
        apart = _paired_difference(values, leading, signed=grid.signed)
        tied[method] = ~((apart.mean > 0.0) & is_clear(*apart)) | (best == method)
    equal = (rounded == rounded.min(axis=0)).sum(axis=0) > 1
    order = np.argsort(rounded, axis=0, kind="stable")[:_N_LISTED]
    return Winners(best, tied, equal, order)


def regret(grid: LossGrid, method: str) -> FloatArray:
    """How much the mean loss of a method exceeds the lowest mean of its cell, (n_sizes, n_prevalences).

    Raises InvalidInput for a method that is not in the grid.
    """
    chosen: FloatArray = grid.select([method]).magnitudes[0]
    return chosen - grid.magnitudes.min(axis=0)


class Agreement(NamedTuple):
    """Of the cells that two grids have in common (`cells`), those with a clear winner in the first (`clear`), and those of them
    in which this winner is also as good as the best of the second (`same`).
    """

    same: int
    clear: int
    cells: int


def agreement(first: LossGrid, second: LossGrid) -> Agreement | None:
    """How often the clear winner on one data set is also among the best on another; None without a common size.

    Both grids have the same methods and prevalences. Raises InvalidInput for other methods.
    """
    second = second.select(list(first.methods))
    rows = [(row, int(np.flatnonzero(second.sizes == size)[0])) for row, size in enumerate(first.sizes) if size in second.sizes]
    if not rows:
        return None
    here, there = winners(first), winners(second)
    of_first, of_second = (list(one) for one in zip(*rows, strict=True))
    clear, best, tied = here.clear[of_first], here.best[of_first], there.tied[:, of_second]
    same = np.take_along_axis(tied, best[np.newaxis], axis=0)[0]
    return Agreement(int((clear & same).sum()), int(clear.sum()), clear.size)


class LossComparison(NamedTuple):
    """All methods compared with one of them over all prevalences, size by size.

    mean, standard_error : (n_methods, n_sizes) mean and standard error of a method's loss minus the reference's on the same
        samples, averaged over the prevalences.
    """

    mean: FloatArray
    standard_error: FloatArray

    def sign(self) -> IntArray:
        """(n_methods, n_sizes) -1 where a method is clearly better, 1 where it is clearly worse, else 0."""
        return np.where(is_clear(self.mean, self.standard_error), np.sign(self.mean), 0.0).astype(np.intp)


def compared_with(grid: LossGrid, reference: IntArray) -> LossComparison:
    """All methods compared with the method that has index `reference`, (n_sizes,), at each size."""
    losses = grid.losses
    reference_losses = losses[reference, np.arange(len(grid.sizes))]
    parts = [_paired_difference(values, reference_losses, signed=grid.signed) for values in losses]
    n_prevalences = losses.shape[2]
    means = np.stack([part.mean.mean(axis=1) for part in parts])
    # Cells are drawn independently of each other.
    errors = np.stack([np.sqrt((part.standard_error**2).sum(axis=1)) / n_prevalences for part in parts])
    return LossComparison(means, errors)


def leaders(grid: LossGrid) -> tuple[IntArray, LossComparison]:
    """(index of the method with the lowest mean loss over all prevalences at each size, all methods compared with it)."""
    best = np.round(grid.magnitudes.mean(axis=2), 12).argmin(axis=0)
    return best, compared_with(grid, best)


def ranks_by_size(grid: LossGrid) -> pd.DataFrame:
    """Mean rank of each method at each size, 1 being best: method, size, mean_rank, sd, lower, upper, mean_loss.

    At each prevalence the methods are ranked by their mean loss (ties share their mean rank); the mean, the standard
    deviation and the 10th and 90th percentile are over the prevalences.
    """
    ranks = rankdata(np.round(grid.magnitudes, 12), axis=0)
    lower, upper = np.quantile(ranks, BAND, axis=2)
    n_methods, n_sizes = ranks.shape[:2]
    return pd.DataFrame(
        {
            "method": np.repeat(grid.methods, n_sizes),
            "size": np.tile(grid.sizes, n_methods),
            "mean_rank": ranks.mean(axis=2).ravel(),
            "sd": ranks.std(axis=2, ddof=1).ravel() if ranks.shape[2] > 1 else 0.0,
            "lower": lower.ravel(),
            "upper": upper.ravel(),
            "mean_loss": grid.magnitudes.mean(axis=2).ravel(),
        }
    )
