"""Estimates of many sizes -> losses by size and prevalence: means, differences, who wins where, ranks by size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from qcore.estimates import Estimates
from qcore.losses import LOSSES
from qcore.rounding import TIE
from qcore.summaries import BAND
from qcore.validation import FloatArray, IntArray, InvalidInput, check_choice

PAPERS_METHODS: Final = (
    "CC", "AC", "PCC", "PACC", "T50", "X", "Max", "MS", "EMQ-5", "HDy",
    "DyS-TS", "DyS-JD", "DyS-PS", "DyS-ORD", "SORD",
)  # fmt: skip
"""The quantifiers of Maletzke et al. (2020), Table 1 with section 6's variants of DyS, but for quantification trees."""


@dataclass(frozen=True)
class Cells:
    """One loss of several methods by sample size and prevalence.

    Attributes
    ----------
    loss : key of LOSSES.
    methods : (n_methods,) names.
    sizes : (n_sizes,), increasing.
    targets : (n_prevalences,) prevalences that were asked for, increasing.
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
        """Whether the loss has a sign, so that its magnitude counts."""
        return LOSSES[self.loss].signed

    @cached_property
    def means(self) -> FloatArray:
        """(n_methods, n_sizes, n_prevalences) mean over the repeats."""
        return self.losses.mean(axis=3)

    @property
    def magnitudes(self) -> FloatArray:
        """(n_methods, n_sizes, n_prevalences) means by which methods are compared: of a signed loss without the sign."""
        return np.abs(self.means) if self.signed else self.means

    @cached_property
    def largest(self) -> float:
        """The largest mean, of a signed loss without the sign."""
        return float(self.magnitudes.max())

    @property
    def measure(self) -> str:
        """What is compared, in words: mean AE, mean |bias|."""
        return f"mean |{self.loss}|" if self.signed else f"mean {self.loss}"

    @cached_property
    def bands(self) -> FloatArray:
        """(2, n_methods, n_sizes, n_prevalences) 10th and 90th percentile over the repeats."""
        return np.quantile(self.losses, BAND, axis=3)

    def of(self, methods: Sequence[str]) -> Cells:
        """The cells of some of the methods, in that order. Raises InvalidInput for one that is not here."""
        for method in methods:
            check_choice("method", method, self.methods)
        places = [self.methods.index(method) for method in methods]
        return Cells(self.loss, tuple(methods), self.sizes, self.targets, self.true, self.losses[places])

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


def cells(estimates: Sequence[Estimates], loss: str) -> Cells:
    """Losses by size and prevalence, from estimates on the samples of a SizeGrid, size by size.

    Raises InvalidInput for an unknown loss, no size, or samples that are not the same prevalences and repeats at each size.
    """
    check_choice("loss", loss, LOSSES)
    if not estimates:
        raise InvalidInput("estimates", "hold those of one size at least", "none", "Choose a smaller sample size.")
    targets, n_repeats = _grid(estimates)
    shape = len(targets), n_repeats
    found = [part.losses(loss).by_method for part in estimates]
    methods = tuple(found[0])
    values = np.stack([np.stack([part[method].reshape(shape) for part in found]) for method in methods])
    sizes = np.array([part.samples.sample_size for part in estimates])
    true = np.stack([part.samples.prevalences.reshape(shape)[:, 0] for part in estimates])
    return Cells(loss, methods, sizes, targets, true, values)


def _grid(estimates: Sequence[Estimates]) -> tuple[FloatArray, int]:
    """(prevalences, repeats) of samples that are ordered by prevalence and repeat, the same at every size."""
    first = estimates[0].samples
    n_repeats = int(first.repeats.max()) + 1
    targets = first.targets[::n_repeats]
    for part in estimates:
        samples = part.samples
        if not np.array_equal(samples.targets, np.repeat(targets, n_repeats)):
            rule = "have the same prevalences and repeats at each size, in order"
            raise InvalidInput("estimates", rule, "others", "Draw the samples with a SizeGrid.")
    return targets, n_repeats


class Section(NamedTuple):
    """Losses of all methods along a row or a column of the cells.

    x : (n_points,) true prevalences, or sizes.
    mean, lower, upper : (n_methods, n_points) over the samples at a point: mean, 10th and 90th percentile.
    """

    x: FloatArray
    mean: FloatArray
    lower: FloatArray
    upper: FloatArray


def row_section(cells: Cells, row: int) -> Section:
    """Along the prevalences at one size; prevalences that the size rounds to one are one point, with the samples of all."""
    true, places = np.unique(cells.true[row], return_inverse=True)
    parts = [cells.losses[:, row, places == place].reshape(len(cells.methods), -1) for place in range(len(true))]
    bands = np.stack([np.quantile(part, BAND, axis=1) for part in parts], axis=2)
    return Section(true, np.stack([part.mean(axis=1) for part in parts], axis=1), *bands)


def column_section(cells: Cells, column: int) -> Section:
    """Along the sizes at one prevalence."""
    return Section(cells.sizes.astype(float), cells.means[:, :, column], *cells.bands[:, :, :, column])


class Difference(NamedTuple):
    """How much larger one method's loss is than another's: mean over the same samples, and its standard error.

    Both have shape (n_sizes, n_prevalences).
    """

    mean: FloatArray
    standard_error: FloatArray


def difference(cells: Cells, first: str, second: str) -> Difference:
    """Loss of `first` minus loss of `second`, cell by cell; of a signed loss their magnitudes. Raises InvalidInput."""
    return _paired(*cells.of([first, second]).losses, signed=cells.signed)


def _paired(first: FloatArray, second: FloatArray, *, signed: bool) -> Difference:
    """Mean difference over the last axis, and its standard error; one repeat has none, which counts as 0."""
    if signed:
        first, second = (np.where(values.mean(axis=-1, keepdims=True) < 0.0, -values, values) for values in (first, second))
    apart, n = first - second, first.shape[-1]
    error = apart.std(axis=-1, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(apart.shape[:-1])
    return Difference(apart.mean(axis=-1), error)


class Winners(NamedTuple):
    """Who has the least mean loss in each cell, and who is as good.

    best : (n_sizes, n_prevalences) place of the method in `Cells.methods`; of equal ones the first.
    tied : (n_methods, n_sizes, n_prevalences) whether a method's mean loss is within one standard error of the best one's, the
        error being that of their difference on the same samples; the best itself is.
    equal : (n_sizes, n_prevalences) whether several have the very same least mean, as where they all say 0 or 1.
    """

    best: IntArray
    tied: NDArray[np.bool_]
    equal: NDArray[np.bool_]

    @property
    def clear(self) -> NDArray[np.bool_]:
        """(n_sizes, n_prevalences) whether the best method has no equal."""
        return self.tied.sum(axis=0) == 1


def winners(cells: Cells) -> Winners:
    """Who wins where; of a signed loss by the magnitude of its mean."""
    # Sums in another order differ in the last digits; equal methods must tie all the same.
    rounded = np.round(cells.magnitudes, 12)
    best = rounded.argmin(axis=0)
    leading = np.take_along_axis(cells.losses, best[np.newaxis, :, :, np.newaxis], axis=0)[0]
    tied = np.empty(cells.means.shape, dtype=bool)
    for place, values in enumerate(cells.losses):
        apart = _paired(values, leading, signed=cells.signed)
        tied[place] = (apart.mean <= apart.standard_error + TIE) | (best == place)
    return Winners(best, tied, (rounded == rounded.min(axis=0)).sum(axis=0) > 1)


class Comparison(NamedTuple):
    """How methods compare with one of them over all prevalences, size by size.

    mean, standard_error : (n_methods, n_sizes) of the difference of their losses to that one's on the same samples, averaged
        over the prevalences.
    """

    mean: FloatArray
    standard_error: FloatArray

    def surely(self, errors: float = 2.0) -> IntArray:
        """(n_methods, n_sizes) -1 where a method is better by more than so many standard errors, 1 where worse, else 0."""
        apart = np.abs(self.mean) > errors * self.standard_error + TIE
        return np.where(apart, np.sign(self.mean), 0.0).astype(np.int64)


def compared_with(cells: Cells, reference: IntArray) -> Comparison:
    """All methods beside the one with the place `reference`, (n_sizes,), at each size."""
    losses = cells.losses
    own = losses[reference, np.arange(len(cells.sizes))]
    parts = [_paired(values, own, signed=cells.signed) for values in losses]
    n_cells = losses.shape[2]
    means = np.stack([part.mean.mean(axis=1) for part in parts])
    # Cells are drawn independently of each other.
    errors = np.stack([np.sqrt((part.standard_error**2).sum(axis=1)) / n_cells for part in parts])
    return Comparison(means, errors)


def leaders(cells: Cells) -> tuple[IntArray, Comparison]:
    """(place of the method with the least mean loss over all prevalences at each size, all methods beside it)."""
    best = np.round(cells.magnitudes.mean(axis=2), 12).argmin(axis=0)
    return best, compared_with(cells, best)


def ranks_by_size(cells: Cells) -> pd.DataFrame:
    """Mean rank of each method at each size, 1 being best: method, size, mean_rank, sd, lower, upper, mean_loss.

    At each prevalence the methods are ranked by their mean loss (equal ones share their mean rank); the mean, the standard
    deviation and the 10th and 90th percentile are over the prevalences.
    """
    ranks = rankdata(np.round(cells.magnitudes, 12), axis=0)
    lower, upper = np.quantile(ranks, BAND, axis=2)
    n_methods, n_sizes = ranks.shape[:2]
    return pd.DataFrame(
        {
            "method": np.repeat(cells.methods, n_sizes),
            "size": np.tile(cells.sizes, n_methods),
            "mean_rank": ranks.mean(axis=2).ravel(),
            "sd": ranks.std(axis=2, ddof=1).ravel() if ranks.shape[2] > 1 else 0.0,
            "lower": lower.ravel(),
            "upper": upper.ravel(),
            "mean_loss": cells.magnitudes.mean(axis=2).ravel(),
        }
    )
