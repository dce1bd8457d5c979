"""Losses by sample size and true prevalence: a grid of cells, each with several samples of each method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice
from qcore.evaluation.estimates import Estimates
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

    def select(self, methods: Sequence[str]) -> LossGrid:
        """The grid of some of the methods, in this order. Raises InvalidInput for a method that is not in the grid."""
        for method in methods:
            check_choice("method", method, self.methods)
        rows = [self.methods.index(method) for method in methods]
        return LossGrid(self.loss, tuple(methods), self.sizes, self.targets, self.true, self.losses[rows])

    def thinned(self, most: int) -> LossGrid:
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
