"""A sample's histogram as a mixture of two classes' histograms, known from labels alone: how likely each weight is."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from qcore._base.validation import FloatArray, IntArray

_EM_STEPS: Final = 20
_NEWTON_STEPS: Final = 12
_CONVERGED: Final = 1e-8
_LONGEST_STEP: Final = 2.0


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
