"""Losses by sample size and true prevalence, and methods compared on them.

Methods compared on a grid of losses: differences, the winner of each cell, leaders and ranks by sample size.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice
from qcore.evaluation.estimates import Estimates
from qcore.evaluation.significance import is_clear, standard_error
from qcore.evaluation.summaries import BAND
from qcore.losses import LOSSES, Smoothing


@dataclass(frozen=True)
class LossGrid:
    """One loss of several methods by sample size and prevalence.

    Attributes
    ----------
    loss : key of LOSSES.
    methods : (n_methods,) names.
    sizes : (n_sizes,), increasing.
    targets : (n_prevalences,) requested prevalences, increasing.
    true : (n_sizes, n_prevalences) prevalences that the samples have: a size of 10 rounds 0.33 to 0.3.
    losses : (n_methods, n_sizes, n_prevalences, n_repeats).
    """

    loss: str
    methods: tuple[str, ...]
    sizes: IntArray
    targets: FloatArray
    true: FloatArray
    losses: FloatArray

    @property
    def n_repeats(self) -> int:
        """Samples in each cell."""
        return self.losses.shape[3]

    @property
    def signed(self) -> bool:
        """Whether the loss has a sign, so that methods are compared by its magnitude."""
        return LOSSES[self.loss].signed

    @cached_property
    def means(self) -> FloatArray:
        """(n_methods, n_sizes, n_prevalences) mean over the repeats."""
        return self.losses.mean(axis=3)

    @property
    def magnitudes(self) -> FloatArray:
        """(n_methods, n_sizes, n_prevalences) means by which methods are compared: without the sign, if the loss has one."""
        return np.abs(self.means) if self.signed else self.means

    @cached_property
    def largest(self) -> float:
        """The largest of the magnitudes."""
        return float(self.magnitudes.max())

    @property
    def scale_end(self) -> float:
        """The end of a shared colour scale, chosen so that a few large means do not leave all others in one colour.

        It is the largest magnitude, or the 90th percentile if the largest is more than 1.5 times that.
        """
        high = float(np.quantile(self.magnitudes, 0.9))
        return high if 0.0 < high < self.largest / 1.5 else self.largest

    @property
    def measure(self) -> str:
        """Name of the compared quantity, such as mean AE or mean |bias|."""
        return f"mean |{self.loss}|" if self.signed else f"mean {self.loss}"

    @cached_property
    def bands(self) -> FloatArray:
        """(2, n_methods, n_sizes, n_prevalences) 10th and 90th percentile over the repeats."""
        return np.quantile(self.losses, BAND, axis=3)

    def select(self, methods: Sequence[str]) -> "LossGrid":
        """The grid of some of the methods, in this order. Raises InvalidInput for a method that is not in the grid."""
        for method in methods:
            check_choice("method", method, self.methods)
        rows = [self.methods.index(method) for method in methods]
        return LossGrid(self.loss, tuple(methods), self.sizes, self.targets, self.true, self.losses[rows])

    def thinned(self, most: int) -> "LossGrid":
        """The grid with every k-th prevalence, for the smallest k by which at most `most` are left."""
        step = -(-(len(self.targets) - 1) // (most - 1))
        return (
            replace(self, targets=self.targets[::step], true=self.true[:, ::step], losses=self.losses[:, :, ::step])
            if step > 1
            else self
        )

    def table(self) -> pd.DataFrame:
        """Tidy: a row for each method, size and prevalence: method, size, target, true, mean, sd, lower, upper, n, loss.

        `sd` is the standard deviation over the repeats (0 for one), lower and upper are their 10th and 90th percentiles.
        """
        n_methods, n_sizes, n_targets = self.means.shape
        deviations = self.losses.std(axis=3, ddof=1) if self.n_repeats > 1 else np.zeros(self.means.shape)
        return pd.DataFrame(
            {
                "method": np.repeat(self.methods, n_sizes * n_targets),
                "size": np.tile(np.repeat(self.sizes, n_targets), n_methods),
                "target": np.tile(self.targets, n_methods * n_sizes),
                "true": np.tile(self.true.ravel(), n_methods),
                "mean": self.means.ravel(),
                "sd": deviations.ravel(),
                "lower": self.bands[0].ravel(),
                "upper": self.bands[1].ravel(),
                "n": self.n_repeats,
                "loss": self.loss,
            }
        )


def loss_grid(estimates: Sequence[Estimates], loss: str, smoothing: Smoothing = "additive") -> LossGrid:
    """The losses by size and prevalence of estimates on the samples of a SizeGrid, given size by size.

    Raises InvalidInput for an unknown loss, no size, or samples with different prevalences or repeats at different sizes.
    """
    check_choice("loss", loss, LOSSES)
    if not estimates:
        raise InvalidInput("estimates", "hold those of at least one size", "none", "Choose a smaller sample size.")
    targets, n_repeats = _targets_and_repeats(estimates)
    shape = len(targets), n_repeats
    by_size = [part.losses(loss, smoothing).by_method for part in estimates]
    methods = tuple(by_size[0])
    values = np.stack([np.stack([part[method].reshape(shape) for part in by_size]) for method in methods])
    sizes = np.array([part.samples.sample_size for part in estimates])
    true = np.stack([part.samples.prevalences.reshape(shape)[:, 0] for part in estimates])
    return LossGrid(loss, methods, sizes, targets, true, values)


def _targets_and_repeats(estimates: Sequence[Estimates]) -> tuple[FloatArray, int]:
    """(prevalences, repeats) of samples that are ordered by prevalence and repeat, the same at every size."""
    first = estimates[0].samples
    n_repeats = int(first.repeats.max()) + 1
    targets = first.targets[::n_repeats]
    for part in estimates:
        samples = part.samples
        if not np.array_equal(samples.targets, np.repeat(targets, n_repeats)):
            rule = "have the same prevalences and repeats at each size, in order"
            got = f"others at size {samples.sample_size}"
            raise InvalidInput("estimates", rule, got, "Draw the samples with a SizeGrid.")
    return targets, n_repeats


class GridSection(NamedTuple):
    """Losses of all methods along a row or a column of the grid.

    x : (n_points,) true prevalences, or sizes.
    mean, lower, upper : (n_methods, n_points) over the samples at a point: mean, 10th and 90th percentile.
    """

    x: FloatArray
    mean: FloatArray
    lower: FloatArray
    upper: FloatArray


def row_section(grid: LossGrid, row: int) -> GridSection:
    """Losses along the prevalences at one size; prevalences that the size rounds to the same value form one point."""
    true, groups = np.unique(grid.true[row], return_inverse=True)
    parts = [grid.losses[:, row, groups == group].reshape(len(grid.methods), -1) for group in range(len(true))]
    bands = np.stack([np.quantile(part, BAND, axis=1) for part in parts], axis=2)
    return GridSection(true, np.stack([part.mean(axis=1) for part in parts], axis=1), *bands)


def column_section(grid: LossGrid, column: int) -> GridSection:
    """Losses along the sizes at one prevalence."""
    return GridSection(grid.sizes.astype(float), grid.means[:, :, column], *grid.bands[:, :, :, column])


_N_LISTED = 5


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
