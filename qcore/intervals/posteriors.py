"""The posteriors: their registry, and the one from histograms of scores.

A sample's histogram as a mixture of two classes' histograms, known only from labels: how likely each weight is.

The posterior of a prevalence from histograms of scores, of both classes and of the sample: the precise quantifier.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.registry import Entry, registry
from qcore._base.validation import FloatArray, IntArray, check_integer, check_level, check_one_sample, check_training_data
from qcore.intervals.class_posterior import class_posterior
from qcore.intervals.goodness_of_fit import cell_counts
from qcore.intervals.posterior import equal_tailed, posterior

_EM_STEPS = 20
_NEWTON_STEPS = 12
_CONVERGED = 1e-8
_LONGEST_STEP = 2.0


@dataclass(frozen=True)
class MarginalLikelihoods:
    """The log density of each weight, (n,), up to a constant, and the classes' log shares of the bins with their curvature.

    Attributes
    ----------
    weights : (n,), of the positives in the mixture.
    log_density : (n,).
    logits : (n, 2, n_bins), the most likely log shares of positives and negatives, up to a constant: 0 for the last bin.
    curvature : (n, 2 (n_bins - 1), 2 (n_bins - 1)), minus the second derivatives there.
    """

    weights: FloatArray
    log_density: FloatArray
    logits: FloatArray
    curvature: FloatArray

    def drawn_posteriors(self, chosen: IntArray, rng: np.random.Generator) -> FloatArray:
        """For each chosen weight, the probability of a positive in each bin, (n_chosen, n_bins), with drawn shares."""
        roots = np.linalg.cholesky(np.linalg.inv(self.curvature))
        free = self.curvature.shape[-1]
        noise = np.einsum("nij,nj->ni", roots[chosen], rng.standard_normal((len(chosen), free)))
        logits = self.logits[chosen].copy()
        logits[:, :, :-1] += noise.reshape(len(chosen), 2, free // 2)
        return _posteriors(_softmax(logits), self.weights[chosen])


class _Problem(NamedTuple):
    """Weights of the positives, (n,), labelled counts plus 1 in each bin, (2, n_bins), and the sample's counts, (n_bins,)."""

    weights: FloatArray
    labelled: FloatArray
    found: IntArray

    def parts(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The posteriors in each bin, and the expected counts of the sample by class, (n, 2, n_bins)."""
        posteriors = _posteriors(shares, self.weights)
        return posteriors, np.stack([self.found * posteriors, self.found * (1.0 - posteriors)], axis=1)

    def em_step(self, shares: FloatArray) -> FloatArray:
        """The most likely shares if the sample's labels were those that are expected."""
        counts = self.labelled + self.parts(shares)[1]
        result: FloatArray = counts / counts.sum(axis=-1, keepdims=True)
        return result

    def log_joint(self, shares: FloatArray) -> FloatArray:
        """The log density of shares and counts, (n,), up to a constant."""
        mixed = self.weights[:, np.newaxis] * shares[:, 0] + (1.0 - self.weights[:, np.newaxis]) * shares[:, 1]
        result: FloatArray = (self.labelled * np.log(shares)).sum(axis=(1, 2)) + (self.found * np.log(mixed)).sum(axis=1)
        return result

    def derivatives(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The gradient of the log joint density by the free logits, (n, 2 (n_bins - 1)), and minus its second derivatives."""
        posteriors, expected = self.parts(shares)
        total = (self.labelled + expected).sum(axis=-1, keepdims=True)
        gradient = self.labelled + expected - total * shares
        n, _, k = shares.shape
        # Within a class: the curvature if the sample's labels were the expected ones, less `lost`, as they are not known.
        # Between the classes: `lost`.
        spread = shares[..., np.newaxis] * np.eye(k) - shares[..., :, np.newaxis] * shares[..., np.newaxis, :]
        unknown, centred = self.found * posteriors * (1.0 - posteriors), np.eye(k) - shares[:, :, np.newaxis, :]
        lost = np.einsum("nb,ncbi,ndbj->ncidj", unknown, centred, centred, optimize=True)
        curvature = lost * np.array([[-1.0, 1.0], [1.0, -1.0]])[:, np.newaxis, :, np.newaxis]
        for label in range(2):
            curvature[:, label, :, label, :] += total[:, label, :, np.newaxis] * spread[:, label]
        free = 2 * (k - 1)
        return gradient[:, :, :-1].reshape(n, free), curvature[:, :, :-1, :, :-1].reshape(n, free, free)

    def newton_step(self, logits: FloatArray) -> tuple[FloatArray, bool]:
        """Newton's step where it raises the density, elsewhere a step of EM, which always does; and whether it converged."""
        shares = _softmax(logits)
        gradient, curvature = self.derivatives(shares)
        if np.abs(gradient).max() < _CONVERGED * (self.labelled.sum() + self.found.sum()):
            return logits, True
        step = np.linalg.solve(curvature, gradient[:, :, np.newaxis])[:, :, 0]
        moved = logits.copy()
        moved[:, :, :-1] += np.clip(step, -_LONGEST_STEP, _LONGEST_STEP).reshape(len(logits), 2, -1)
        better = self.log_joint(_softmax(moved)) >= self.log_joint(shares) - 1e-9
        return np.where(better[:, np.newaxis, np.newaxis], moved, _logits(self.em_step(shares))), False


def marginal_likelihoods(weights: FloatArray, positives: IntArray, negatives: IntArray, found: IntArray) -> MarginalLikelihoods:
    """How likely each weight, (n,) in (0, 1), is given counts by bin, (n_bins,), of labelled instances and of a sample.

    Flat priors on the classes' shares of the bins; these are integrated out by Laplace's approximation in their logs, whose
    maximum is found by EM and then Newton's method. Source: Igiraneza et al. 2025, for the model.
    """
    problem = _Problem(weights, np.stack([positives, negatives]).astype(np.float64) + 1.0, found)
    shares = np.broadcast_to(problem.labelled / problem.labelled.sum(axis=1, keepdims=True), (len(weights), 2, len(found)))
    for _ in range(_EM_STEPS):
        shares = problem.em_step(shares)
    logits, arrived = _logits(shares), False
    for _ in range(_NEWTON_STEPS):
        logits, arrived = problem.newton_step(logits)
        if arrived:
            break
    shares = _softmax(logits)
    _, curvature = problem.derivatives(shares)
    log_density = problem.log_joint(shares) - np.linalg.slogdet(curvature)[1] / 2.0
    return MarginalLikelihoods(weights, log_density, logits, curvature)


def _softmax(logits: FloatArray) -> FloatArray:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: FloatArray = raised / raised.sum(axis=-1, keepdims=True)
    return result


def _logits(shares: FloatArray) -> FloatArray:
    """Log shares with the last bin's 0."""
    logs = np.log(shares)
    result: FloatArray = logs - logs[..., -1:]
    return result


def _posteriors(shares: FloatArray, weights: FloatArray) -> FloatArray:
    """The probability of a positive in each bin, (n, n_bins)."""
    positive = weights[:, np.newaxis] * shares[:, 0]
    result: FloatArray = positive / (positive + (1.0 - weights[:, np.newaxis]) * shares[:, 1])
    return result


N_BINS = 5
"""With ten, the flat priors of rare classes' bins draw the posterior away, and its intervals cover less than they say."""

_GRID = 201
_DRAWS = 4_000


@dataclass(frozen=True)
class PrecisePosterior:
    """The posterior of the prevalence of a population and of the sample's own share.

    Attributes
    ----------
    prevalences, weights : (n,), a grid and the probability of each of its points, which sum to 1.
    own : (4000,), draws of the share of positives among the sample's instances themselves.

    Examples
    --------
    >>> posterior = PrecisePosterior(np.array([0.2, 0.4]), np.array([0.25, 0.75]), np.array([0.3, 0.35]))
    >>> round(posterior.mean, 2)
    0.35
    """

    prevalences: FloatArray
    weights: FloatArray
    own: FloatArray

    @property
    def mean(self) -> float:
        """Mean of the population's prevalence."""
        return float(self.prevalences @ self.weights)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Equal-tailed interval of the population's prevalence. Raises InvalidInput for a level outside [0.5, 0.999]."""
        low, high = equal_tailed(self.prevalences, self.weights, level)
        return float(low), float(high)

    def own_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Equal-tailed interval of the sample's own share. Raises the same errors as `interval`."""
        check_level(level)
        low, high = np.quantile(self.own, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
        return float(low), float(high)

    def to_dict(self, level: float = 0.95) -> dict[str, dict[str, float]]:
        """Both intervals as plain values, for JSON. Raises the same errors as `interval`."""
        ends = {"population": self.interval(level), "sample": self.own_interval(level)}
        return {of: {"low": low, "high": high} for of, (low, high) in ends.items()}


def precise_posterior(
    sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, *, n_bins: int = N_BINS, rng: np.random.Generator
) -> PrecisePosterior:
    """The posterior of the prevalence, with flat priors on it and on both classes' shares of the bins.

    Parameters
    ----------
    sample : (m,), scores of the sample.
    scores, labels : (n,) each, of the labelled instances, out of fold; labels 0 and 1.
    n_bins : from 2 to 50; their edges are quantiles of the labelled scores. Bins that would be empty are left out.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], labels that are not 0 and 1, or another number of bins.

    Notes
    -----
    Where other intervals know of a score only whether it is above 0.5, this one knows its bin: it is 12 to 34% shorter than
    that of Lang and Reiczigel where classes overlap. It needs some 50 labels of each class, and that only shares have moved.
    The classes' bins are integrated out by Laplace's approximation at each point of a grid, so that no chain is needed.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 100)
    >>> scores, sample = (1.0 / (1.0 + np.exp(-2.0 * rng.normal(2.0 * z - 1.0))) for z in (y, np.repeat([0, 1], [400, 100])))
    >>> low, high = precise_posterior(sample, scores, y, rng=rng).interval()
    >>> low < 0.2 < high, high - low < 0.2
    (True, True)

    Source: Igiraneza et al. 2025; five bins, and integration instead of a chain of draws, are choices of this package.
    """
    check_integer("n_bins", n_bins, low=2, high=50)
    drawn, (training, truth) = check_one_sample("sample", sample), check_training_data(scores, labels)
    inner = np.unique(np.quantile(training, np.arange(1, n_bins) / n_bins))
    # Scores that are all the same still make two bins, one of them empty: they tell nothing.
    edges = inner[inner > training.min()] if training.min() < inner.max() else np.array([np.inf])
    positives, negatives, found = (cell_counts(values, edges) for values in (training[truth == 1], training[truth == 0], drawn))
    wide = (np.arange(_GRID) + 0.5) / _GRID
    coarse = marginal_likelihoods(wide, positives, negatives, found).log_density
    likely = wide[coarse >= coarse.max() - 20.0]
    # A second grid, as fine as the posterior needs, where the first one has it.
    low, high = max(likely[0] - 1.0 / _GRID, 0.0), min(likely[-1] + 1.0 / _GRID, 1.0)
    grid = low + (high - low) * (np.arange(_GRID) + 0.5) / _GRID
    result = marginal_likelihoods(grid, positives, negatives, found)
    weights = np.exp(result.log_density - result.log_density.max())
    weights /= weights.sum()
    chosen = rng.choice(len(grid), _DRAWS, p=weights)
    own = rng.binomial(found, result.drawn_posteriors(chosen, rng)).sum(axis=1) / len(drawn)
    return PrecisePosterior(grid, weights, own)


@dataclass(frozen=True)
class PosteriorMethod(Entry):
    """A posterior of shares, from which intervals are taken.

    Attributes
    ----------
    weakness : when it fails.
    needs : what it is made of.
    cost : how long one takes.
    make : the function that makes it.

    Examples
    --------
    >>> from qcore.intervals import POSTERIORS
    >>> POSTERIORS["precise quantifier"].needs
    'scores'
    """

    weakness: str
    needs: str
    cost: str
    make: Callable[..., Any]


POSTERIORS = registry(
    PosteriorMethod(
        key="posterior of counts",
        idea="The posterior of the prevalence of two classes, given counts at a threshold, with uniform priors.",
        weakness="It uses only on which side of the threshold a score lies.",
        source="Messam et al. 2008",
        needs="six counts",
        cost="under 1 ms",
        make=posterior,
    ),
    PosteriorMethod(
        key="precise quantifier",
        idea="The posterior of the prevalence of two classes, given histograms of their scores and the sample's in five bins.",
        weakness="With fewer than some 50 labels of a class, or with more bins, its uniform priors bias it. It gives a short "
        "interval even for a sample that no mixture of the classes explains.",
        source="Igiraneza et al. 2025",
        needs="scores",
        cost="10 to 25 ms",
        make=precise_posterior,
    ),
    PosteriorMethod(
        key="posterior of all classes",
        idea="The posterior of the shares of k classes, given counts by predicted class, with the prior Dirichlet(1/k), which "
        "expects some classes to be rare.",
        weakness="It uses only the predicted classes, not the scores. Its intervals never hold a share of exactly 0 or 1.",
        source="Ziegler and Czyz 2024",
        needs="counts by true and predicted class",
        cost="15 to 50 ms with three classes, 0.2 s with ten; up to a second where one of many dominates",
        make=class_posterior,
    ),
)
