"""The Bayesian posterior of the prevalence, given counts: on a grid, without a sampler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlog1py, xlogy
from scipy.stats import beta

from qcore._base.validation import FloatArray, InvalidInput
from qcore.intervals.analytic import Interval, clipped
from qcore.intervals.counts import Counts

_GRID = 401
_NODES = 24


@dataclass(frozen=True)
class Posterior:
    """A density on prevalences: `prevalences` (n,), increasing, and `density` (n,), which integrates to 1."""

    prevalences: FloatArray
    density: FloatArray

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The shares of probability below and above it are equal."""
        tail = (1.0 - level) / 2.0
        low, high = np.interp((tail, 1.0 - tail), self.cumulative, self.prevalences)
        return float(low), float(high)

    @property
    def cumulative(self) -> FloatArray:
        """Probability up to each of the prevalences, (n,)."""
        steps = np.diff(self.prevalences) * (self.density[1:] + self.density[:-1]) / 2.0
        return np.concatenate(([0.0], np.cumsum(steps)))

    @property
    def mean(self) -> float:
        """The mean prevalence."""
        return float(np.trapezoid(self.prevalences * self.density, self.prevalences))


def posterior(counts: Counts) -> Posterior:
    """The posterior of the prevalence from one sample's counts.

    The prior is uniform on the prevalence, on tpr and on fpr. Given the validation, tpr and fpr are Beta distributed; of each,
    24 values with equal probability stand for the distribution. The number of predicted positives is binomial with
    p tpr + (1 - p) fpr (Messam et al. 2008).

    Raises
    ------
    InvalidInput
        The counts are of more than one sample.

    Examples
    --------
    >>> low, high = posterior(Counts(210, 1000, 85, 100, 12, 100)).interval()
    >>> round(low, 2), round(high, 2)
    (0.02, 0.19)
    """
    if counts.count.ndim:
        raise InvalidInput("counts", "be of one sample", f"shape {counts.count.shape}", "Ask for each sample by itself.")
    shares = (np.arange(_NODES) + 0.5) / _NODES
    hits, misses = int(counts.true_positives), int(counts.positives) - int(counts.true_positives)
    alarms, rests = int(counts.false_positives), int(counts.negatives) - int(counts.false_positives)
    tpr = beta.ppf(shares, hits + 1, misses + 1)[:, np.newaxis]
    fpr = beta.ppf(shares, alarms + 1, rests + 1)
    prevalences = np.linspace(0.0, 1.0, _GRID)
    x, m = int(counts.predicted_positives), int(counts.sample_size)
    share = prevalences[:, np.newaxis, np.newaxis] * (tpr - fpr) + fpr
    log_likelihood = xlogy(x, share) + xlog1py(m - x, -share)
    density = np.exp(log_likelihood - log_likelihood.max()).mean(axis=(1, 2))
    return Posterior(prevalences, density / np.trapezoid(density, prevalences))


def bayes(counts: Counts, level: float = 0.95) -> Interval:
    """Equal-tailed intervals of the posterior of each sample."""
    shape = np.broadcast_shapes(*(np.shape(value) for value in vars(counts).values() if isinstance(value, np.ndarray)))
    flat = [np.broadcast_to(getattr(counts, name), shape).ravel() for name in Counts.__dataclass_fields__]
    ends = np.array([posterior(Counts(*row)).interval(level) for row in zip(*flat, strict=True)])
    return clipped(ends[:, 0].reshape(shape), ends[:, 1].reshape(shape), counts)
