"""When a difference of mean losses on the same samples is clear: its standard error, and how many of them are enough."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import BoolArray, FloatArray, IntArray
from qcore.protocols.samples import Samples

CLEARLY: Final = 2.0
"""A difference is clear if it exceeds so many standard errors: with many repeats, this happens to one in 20 equal methods."""


def is_clear(difference: ArrayLike, standard_error: ArrayLike) -> BoolArray:
    """Whether a difference, (...), exceeds CLEARLY standard errors, (...), in either direction."""
    return np.asarray(np.abs(difference) > CLEARLY * np.asarray(standard_error) + TIE)


def standard_error(values: FloatArray, strata: IntArray | None = None) -> FloatArray:
    """Standard error of the mean over the last axis, (..., n) -> (...); 0 for one value.

    `strata`, (n,), are numbers; values with the same number are repeats of each other. Differences between strata recur
    whenever the experiment is repeated, so only the scatter within strata counts.
    """
    n = values.shape[-1]
    if n == 1:
        return np.zeros(values.shape[:-1])
    if strata is None:
        return np.asarray(values.std(axis=-1, ddof=1) / np.sqrt(n))
    sizes = np.bincount(strata)
    order, starts = np.argsort(strata, kind="stable"), np.cumsum(sizes) - sizes
    ordered = values[..., order]
    apart = ordered - np.repeat(np.add.reduceat(ordered, starts, axis=-1) / sizes, sizes, axis=-1)
    variances = np.add.reduceat(apart**2, starts, axis=-1) / (sizes - 1)
    return np.asarray(np.sqrt((sizes * variances).sum(axis=-1)) / n)


def strata_of(samples: Samples) -> IntArray | None:
    """The number of the requested prevalence of each sample, (n_samples,); None where one was requested only once.

    Protocols that draw prevalences at random, or one sample for each point of a grid, have no strata.
    """
    numbers, sizes = np.unique(samples.targets, axis=0, return_inverse=True, return_counts=True)[1:]
    return numbers.ravel() if sizes.min() > 1 else None


def level_with_best(losses: FloatArray, strata: IntArray | None) -> BoolArray:
    """Whether no method of lower mean is clearly better: (n_methods, n_samples) -> (n_methods,).

    All methods get the same samples, so differences are taken sample by sample, from the method with the lowest mean; signed
    losses are compared by the magnitude of their means. `strata`: as in `standard_error`.
    """
    means = losses.mean(axis=1)
    magnitudes = np.where(means < 0.0, -1.0, 1.0)[:, np.newaxis] * losses
    differences = magnitudes - magnitudes[np.abs(means).argmin()]
    return ~is_clear(differences.mean(axis=1), standard_error(differences, strata))
