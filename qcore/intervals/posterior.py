"""The Bayesian posterior of a prevalence, given counts.

The equal-tailed interval of values with weights: of draws, or of the points of a grid.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.special import betaln

from qcore._base.validation import FloatArray, InvalidInput, check_level
from qcore.intervals.analytic import Interval, clipped
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import rates_uncertain

_NODES = 32
_NODES_WHERE_STEEP = 80
"""Where few are labelled, tpr is close to fpr, or the count contradicts the rates, the density is wide or steep."""
_COARSE = 161
_NEAR_THE_ENDS = np.geomspace(1e-5, 0.002, 12)
_FINE = 101
_FINE_DEVIATIONS = 6.0
"""Within this many standard deviations of the estimate, the grid of prevalences is finer."""
_HEAVY = 0.02
"""Between two prevalences of the grid lies less than this probability: where it is more, there are more prevalences."""
_FAR = 3.0
"""If counts contradict the rates by more standard deviations than this, nearly all probability lies at 0 or at 1."""
_ROUNDS = 8
_PARTS = 16
"""Parts of each step of the grid among which the ends of the highest density are sought."""


@dataclass(frozen=True)
class Posterior:
    """A density on prevalences: `prevalences` (n,), increasing, and `density` (n,), which integrates to 1.

    Examples
    --------
    >>> density = Posterior(np.linspace(0.0, 1.0, 101), np.ones(101))
    >>> [round(end, 3) for end in density.interval(0.9)]
    [0.05, 0.95]
    """

    prevalences: FloatArray
    density: FloatArray

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The equal-tailed interval, with equal probability below and above: it never holds a prevalence of exactly 0 or 1.

        Raises InvalidInput for an invalid level.
        """
        check_level(level)
        tail = (1.0 - level) / 2.0
        low, high = self._quantiles(np.array([tail, 1.0 - tail]))
        return float(low), float(high)

    def highest_density(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that grows from the highest density to the side of higher density, until it has probability `level`.

        Of a density with one peak it is the shortest interval. It includes 0 or 1 if the density is highest there.

        Raises InvalidInput for an invalid level.
        """
        check_level(level)
        fine = np.interp(
            np.arange(_PARTS * (len(self.prevalences) - 1) + 1) / _PARTS, range(len(self.prevalences)), self.prevalences
        )
        density = np.interp(fine, self.prevalences, self.density)
        masses = np.diff(fine) * (density[1:] + density[:-1]) / 2.0
        peak = int(density.argmax())
        # Behind a valley the density counts as low as the valley, so that what is included stays one interval.
        left = np.minimum.accumulate(density[:peak][::-1])[::-1]
        right = np.minimum.accumulate(density[peak + 1 :])
        steps = np.concatenate([np.arange(peak)[::-1], np.arange(peak, len(masses))])
        order = steps[np.argsort(-np.concatenate([left[::-1], right]), kind="stable")]
        taken = order[: int(np.searchsorted(np.cumsum(masses[order]), level)) + 1]
        return float(fine[taken.min()]), float(fine[taken.max() + 1])

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
        return float(np.sqrt(self.mean * (1.0 - self.mean) / (self.total + 3)))

    @property
    def mean(self) -> float:
        return (self.found + 1) / (self.total + 2)

    @property
    def other(self) -> "_Beta":
        """The distribution of 1 minus the share."""
        return _Beta(self.total - self.found, self.total)

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
        weights = vectors[0] ** 2
        # Smaller ones are rounding errors, and the integrand may be large there.
        kept = weights > 1e-14
        return (1.0 + places[kept]) / 2.0, weights[kept]


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
        raise InvalidInput("counts", "be of one sample", f"shape {counts.count.shape}", "Pass one sample at a time.")
    share = _Beta(int(counts.predicted_positives), int(counts.sample_size))
    tpr = _Beta(int(counts.true_positives), int(counts.positives))
    fpr = _Beta(int(counts.false_positives), int(counts.negatives))
    prevalences = _prevalences(counts, share, tpr, fpr)
    contradicts = not 0.0 <= float(counts.unclipped) <= 1.0
    n_nodes = _NODES_WHERE_STEEP if contradicts or rates_uncertain(counts) else _NODES
    log_density = partial(_log_density, share=share, tpr=tpr, fpr=fpr, n_nodes=n_nodes)
    if contradicts and counts.corrects:
        if _far_below(share, fpr, tpr):
            log_density = partial(_log_density_near_0, share=share, tpr=tpr, fpr=fpr)
        elif _far_below(share.other, tpr.other, fpr.other):
            log_density = partial(_log_density_near_1, share=share, tpr=tpr, fpr=fpr)
    logs = log_density(prevalences)
    for _ in range(_ROUNDS):
        result = _normalised(prevalences, logs)
        (heavy,) = np.nonzero(np.diff(result.cumulative) > _HEAVY)
        if not len(heavy):
            break
        starts, ends = prevalences[heavy], prevalences[heavy + 1]
        between = (starts[:, np.newaxis] + (ends - starts)[:, np.newaxis] * np.arange(1, 6) / 6.0).ravel()
        prevalences = np.concatenate([prevalences, between])
        logs = np.concatenate([logs, log_density(between)])
        order = np.argsort(prevalences)
        prevalences, logs = prevalences[order], logs[order]
    return result


def _normalised(prevalences: FloatArray, logs: FloatArray) -> Posterior:
    # If counts contradict the rates, densities underflow, but their ratios do not.
    density = np.exp(logs - logs.max())
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


def _log_density(prevalences: FloatArray, share: _Beta, tpr: _Beta, fpr: _Beta, n_nodes: int) -> FloatArray:
    deviations = np.stack(
        [
            np.full(len(prevalences), share.deviation),
            prevalences * tpr.deviation,
            (1.0 - prevalences) * fpr.deviation,
        ]
    )
    widest = deviations.argmax(axis=0)
    (c, of_c), (t, of_t), (f, of_f) = (one.nodes(n_nodes) for one in (share, tpr, fpr))
    logs = np.full(len(prevalences), -np.inf)
    for number, (others, weights) in enumerate((((t, f), (of_t, of_f)), ((c, f), (of_c, of_f)), ((c, t), (of_c, of_t)))):
        rows = widest == number
        if not rows.any():
            continue
        p = prevalences[rows][:, np.newaxis, np.newaxis]
        first, second = others[0][:, np.newaxis], others[1]
        if number == 0:
            values = share.log_density(p * first + (1.0 - p) * second)
        elif number == 1:
            values = tpr.log_density((first - (1.0 - p) * second) / p) - np.log(p)
        else:
            values = fpr.log_density((first - p * second) / (1.0 - p)) - np.log1p(-p)
        largest = values.max(axis=(1, 2), keepdims=True)
        scale = np.where(np.isfinite(largest), largest, 0.0)
        with np.errstate(divide="ignore"):
            logs[rows] = scale[:, 0, 0] + np.log(weights[0] @ (np.exp(values - scale) @ weights[1]).T)
    return logs


def _far_below(share: _Beta, fpr: _Beta, tpr: _Beta) -> bool:
    """Whether the count lies below the fpr by more than chance explains, and further still below the tpr."""
    from_fpr = (fpr.mean - share.mean) / np.hypot(share.deviation, fpr.deviation)
    from_tpr = (tpr.mean - share.mean) / np.hypot(share.deviation, tpr.deviation)
    return bool(from_fpr > _FAR and from_tpr > from_fpr + 1.0)


def _log_density_near_0(prevalences: FloatArray, share: _Beta, tpr: _Beta, fpr: _Beta) -> FloatArray:
    """The log density up to a constant, if nearly all probability is at 0, so that share and fpr are nearly equal.

    The nodes of each alone lie where the other is improbable; those of their pooled counts lie where the integrand is large.
    """
    t, of_t = tpr.nodes(_NODES_WHERE_STEEP)
    f, of_f = _Beta(share.found + fpr.found, share.total + fpr.total).nodes(_NODES_WHERE_STEEP)
    p, t = prevalences[:, np.newaxis, np.newaxis], t[:, np.newaxis]
    values = share.log_density(p * t + (1.0 - p) * f) - share.log_density(f)
    largest = values.max(axis=(1, 2), keepdims=True)
    sums = of_t @ (np.exp(values - largest) @ of_f).T
    result: FloatArray = largest[:, 0, 0] + np.log(sums)
    return result


def _log_density_near_1(prevalences: FloatArray, share: _Beta, tpr: _Beta, fpr: _Beta) -> FloatArray:
    return _log_density_near_0(1.0 - prevalences, share.other, fpr.other, tpr.other)


def bayes(counts: Counts, level: float = 0.95) -> Interval:
    """Equal-tailed intervals of the posterior of each sample."""
    return _of_each(counts, lambda one: one.interval(level))


def highest_density(counts: Counts, level: float = 0.95) -> Interval:
    """The intervals of highest density of the posterior of each sample."""
    return _of_each(counts, lambda one: one.highest_density(level))


def _of_each(counts: Counts, ends_of: Callable[[Posterior], tuple[float, float]]) -> Interval:
    shape = np.broadcast_shapes(*(np.shape(value) for value in vars(counts).values() if isinstance(value, np.ndarray)))
    flat = [np.broadcast_to(getattr(counts, name), shape).ravel() for name in Counts.__dataclass_fields__]
    ends = np.array([ends_of(posterior(Counts(*row))) for row in zip(*flat, strict=True)])
    return clipped(ends[:, 0].reshape(shape), ends[:, 1].reshape(shape), counts)


def equal_tailed(values: FloatArray, weights: FloatArray, level: float) -> FloatArray:
    """Low and high end, (2,), with equal weight below and above; `weights`, (n,), sum to 1.

    Raises InvalidInput for a level outside [0.5, 0.999].

    Examples
    --------
    >>> equal_tailed(np.array([0.3, 0.1, 0.2, 0.4]), np.full(4, 0.25), 0.5).round(2).tolist()
    [0.15, 0.35]
    """
    check_level(level)
    order = np.argsort(values)
    below = np.cumsum(weights[order]) - weights[order] / 2.0
    return np.interp([(1.0 - level) / 2.0, (1.0 + level) / 2.0], below, values[order])
