"""The Bayesian posterior of the prevalence, given counts: by Gauss quadrature, without a sampler."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.special import betaln

from qcore._base.validation import FloatArray, InvalidInput
from qcore.intervals.analytic import Interval, clipped
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import hardly_known

_NODES: Final = 32
_NODES_WHERE_STEEP: Final = 80
"""Where few are labelled, tpr is close to fpr, or the count contradicts the rates, the density is wide or steep."""
_COARSE: Final = 161
_NEAR_THE_ENDS: Final = np.geomspace(1e-5, 0.002, 12)
_FINE: Final = 101
_FINE_DEVIATIONS: Final = 6.0
"""Within this many standard deviations of the estimate, the grid of prevalences is finer."""


@dataclass(frozen=True)
class Posterior:
    """A density on prevalences: `prevalences` (n,), increasing, and `density` (n,), which integrates to 1."""

    prevalences: FloatArray
    density: FloatArray

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The equal-tailed interval, with equal probability below and above: it never holds a prevalence of exactly 0 or 1."""
        tail = (1.0 - level) / 2.0
        low, high = self._quantiles(np.array([tail, 1.0 - tail]))
        return float(low), float(high)

    def highest_density(self, level: float = 0.95) -> tuple[float, float]:
        """The shortest interval of that probability; it includes 0 or 1 if the density is highest there."""
        below = np.linspace(0.0, 1.0 - level, 401)
        lows, highs = self._quantiles(below), self._quantiles(below + level)
        shortest = int(np.argmin(highs - lows))
        return float(lows[shortest]), float(highs[shortest])

    def _quantiles(self, shares: FloatArray) -> FloatArray:
        """The prevalences below which these shares of probability lie, for a density that is linear between its points."""
        cumulative = self.cumulative
        shares = np.clip(shares, 0.0, cumulative[-1])
        left = np.clip(np.searchsorted(cumulative, shares, side="right") - 1, 0, len(cumulative) - 2)
        steps = np.diff(self.prevalences)[left]
        start, end = self.density[left], self.density[left + 1]
        rest = (shares - cumulative[left]) / steps
        # The root of start u + (end - start) u^2 / 2 = rest, in a form without cancellation.
        root = np.sqrt(np.maximum(start**2 + 2.0 * (end - start) * rest, 0.0))
        moved = 2.0 * rest / np.maximum(start + root, np.finfo(float).tiny)
        return self.prevalences[left] + steps * np.clip(moved, 0.0, 1.0)

    @property
    def cumulative(self) -> FloatArray:
        """Probability up to each of the prevalences, (n,)."""
        steps = np.diff(self.prevalences) * (self.density[1:] + self.density[:-1]) / 2.0
        return np.concatenate(([0.0], np.cumsum(steps)))

    @property
    def mean(self) -> float:
        """The mean prevalence."""
        return float(np.trapezoid(self.prevalences * self.density, self.prevalences))


@dataclass(frozen=True)
class _Beta:
    """The Beta distribution of a share, given `found` of `total` and a uniform prior."""

    found: int
    total: int

    @property
    def deviation(self) -> float:
        mean = (self.found + 1) / (self.total + 2)
        return float(np.sqrt(mean * (1.0 - mean) / (self.total + 3)))

    def log_density(self, share: FloatArray) -> FloatArray:
        inside = (share >= 0.0) & (share <= 1.0)
        rest = self.total - self.found
        # Clipped so that both logarithms are finite: 0 log 0 is 0.
        known = np.clip(share, 1e-300, 1.0 - 1e-16)
        log = self.found * np.log(known) + rest * np.log(1.0 - known) - betaln(self.found + 1, rest + 1)
        return np.where(inside, log, -np.inf)

    def nodes(self, n_nodes: int) -> tuple[FloatArray, FloatArray]:
        """Nodes and weights, (n_nodes,), exact for polynomials up to degree 2 n_nodes - 1. Source: Golub and Welsch 1969."""
        a, b = float(self.total - self.found), float(self.found)
        n = np.arange(n_nodes, dtype=np.float64)
        middle = (b**2 - a**2) / np.where(n + a + b > 0, (2 * n + a + b) * (2 * n + a + b + 2), 1.0)
        middle[0] = (b - a) / (a + b + 2.0)
        n = n[1:]
        square = 4.0 * n * (n + a) * (n + b) / ((2 * n + a + b) ** 2 * (2 * n + a + b + 1))
        square *= np.where(n == 1, 1.0, (n + a + b) / np.where(n == 1, 1.0, 2 * n + a + b - 1))
        places, vectors = eigh_tridiagonal(middle, np.sqrt(square))
        return (1.0 + places) / 2.0, vectors[0] ** 2


def posterior(counts: Counts) -> Posterior:
    """The posterior of the prevalence from one sample's counts.

    The prior is uniform on the prevalence p, on tpr and on fpr. Given the validation, tpr and fpr are Beta distributed, and so
    is the share c of predicted positives, given the sample; p is where p tpr + (1 - p) fpr = c (Messam et al. 2008).

    Raises
    ------
    InvalidInput
        The counts are of more than one sample.

    Notes
    -----
    The density at p is an integral over two of the three shares of the density of the third. The third is the one that scatters
    most, so that the integrand is smooth, and Gauss quadrature with 32 nodes for each of the two is enough (80 where few are
    labelled, tpr is close to fpr, or the count contradicts them): intervals are within 0.002 of those of exact integration.

    Examples
    --------
    >>> low, high = posterior(Counts(210, 1000, 85, 100, 12, 100)).interval()
    >>> round(low, 2), round(high, 2)
    (0.02, 0.19)
    """
    if counts.count.ndim:
        raise InvalidInput("counts", "be of one sample", f"shape {counts.count.shape}", "Ask for each sample by itself.")
    share = _Beta(int(counts.predicted_positives), int(counts.sample_size))
    tpr = _Beta(int(counts.true_positives), int(counts.positives))
    fpr = _Beta(int(counts.false_positives), int(counts.negatives))
    prevalences = _prevalences(counts, share, tpr, fpr)
    contradicts = not 0.0 <= float(counts.unclipped) <= 1.0
    n_nodes = _NODES_WHERE_STEEP if contradicts or hardly_known(counts) else _NODES
    density = _density(prevalences, share, tpr, fpr, n_nodes)
    return Posterior(prevalences, density / np.trapezoid(density, prevalences))


def _prevalences(counts: Counts, share: _Beta, tpr: _Beta, fpr: _Beta) -> FloatArray:
    """A grid on [0, 1], finer where the probability is high."""
    # Denser towards the ends, where densities of few labels are steep.
    coarse = (1.0 - np.cos(np.pi * np.linspace(0.0, 1.0, _COARSE))) / 2.0
    spread = np.concatenate([coarse, _NEAR_THE_ENDS, 1.0 - _NEAR_THE_ENDS])
    if not counts.corrects:
        return np.unique(np.concatenate([spread, np.linspace(0.0, 1.0, 4 * _COARSE)]))
    middle = float(counts.estimate)
    errors = np.hypot(share.deviation, np.hypot(middle * tpr.deviation, (1.0 - middle) * fpr.deviation))
    reach = _FINE_DEVIATIONS * float(errors / (counts.tpr - counts.fpr))
    fine = np.linspace(max(0.0, middle - reach), min(1.0, middle + reach), _FINE)
    return np.unique(np.concatenate([spread, fine]))


def _density(prevalences: FloatArray, share: _Beta, tpr: _Beta, fpr: _Beta, n_nodes: int) -> FloatArray:
    deviations = np.stack([
        np.full(len(prevalences), share.deviation), prevalences * tpr.deviation, (1.0 - prevalences) * fpr.deviation,
    ])  # fmt: skip
    widest = deviations.argmax(axis=0)
    (c, of_c), (t, of_t), (f, of_f) = (one.nodes(n_nodes) for one in (share, tpr, fpr))
    logs = np.full(len(prevalences), -np.inf)
    for number, (others, weights) in enumerate((((t, f), (of_t, of_f)), ((c, f), (of_c, of_f)), ((c, t), (of_c, of_t)))):
        rows = widest == number
        if not rows.any():
            continue
        p = prevalences[rows][:, np.newaxis, np.newaxis]
        first, second = others[0][:, np.newaxis], others[1]
        values = (
            lambda p=p, t=first, f=second: share.log_density(p * t + (1.0 - p) * f),
            lambda p=p, c=first, f=second: tpr.log_density((c - (1.0 - p) * f) / p) - np.log(p),
            lambda p=p, c=first, t=second: fpr.log_density((c - p * t) / (1.0 - p)) - np.log1p(-p),
        )[number]()
        largest = values.max(axis=(1, 2), keepdims=True)
        scale = np.where(np.isfinite(largest), largest, 0.0)
        with np.errstate(divide="ignore"):
            logs[rows] = scale[:, 0, 0] + np.log(weights[0] @ (np.exp(values - scale) @ weights[1]).T)
    # If counts contradict the rates, densities underflow, but their ratios do not.
    return np.exp(logs - logs.max())


def bayes(counts: Counts, level: float = 0.95) -> Interval:
    """Equal-tailed intervals of the posterior of each sample."""
    return _of_each(counts, lambda one: one.interval(level))


def highest_density(counts: Counts, level: float = 0.95) -> Interval:
    """The shortest intervals of the posterior of each sample."""
    return _of_each(counts, lambda one: one.highest_density(level))


def _of_each(counts: Counts, ends_of: Callable[[Posterior], tuple[float, float]]) -> Interval:
    shape = np.broadcast_shapes(*(np.shape(value) for value in vars(counts).values() if isinstance(value, np.ndarray)))
    flat = [np.broadcast_to(getattr(counts, name), shape).ravel() for name in Counts.__dataclass_fields__]
    ends = np.array([ends_of(posterior(Counts(*row))) for row in zip(*flat, strict=True)])
    return clipped(ends[:, 0].reshape(shape), ends[:, 1].reshape(shape), counts)
