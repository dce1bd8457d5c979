"""The prevalences of several classes that make samples of class scores most likely."""

import numpy as np

from qcore._base.validation import FloatArray
from qcore.quantifiers.simplex_quadratic_programmes import minimise_on_simplex

_GAP = 1e-9
_MAX_STEPS = 100
_MAX_HALVINGS = 40
_DAMPING = 1e-9
_ROUNDING = 1e-15


def _likelihoods(ratios: FloatArray, prevalences: FloatArray) -> FloatArray:
    """Likelihood of each instance up to a constant, (n, sample_size)."""
    return np.maximum((ratios @ prevalences[:, :, np.newaxis])[:, :, 0], 1e-100)


def em_step(ratios: FloatArray, prevalences: FloatArray) -> FloatArray:
    """One step of expectation maximisation from prevalences, (n, n_classes). Source: Saerens et al. 2002, eq. 2.9."""
    stepped = prevalences * (ratios / _likelihoods(ratios, prevalences)[:, :, np.newaxis]).mean(axis=1)
    return stepped / stepped.sum(axis=1, keepdims=True)


def most_likely_prevalences(ratios: FloatArray, start: FloatArray) -> FloatArray:
    """The maximum of each sample's log likelihood, sum log(ratios p), over the simplex: (n, n_classes).

    Parameters
    ----------
    ratios : (n, sample_size, n_classes), scores divided by the training prevalences.
    start : (n, n_classes), inside the simplex.

    Found by Newton's method, a quadratic programme at each step, until the likelihood is within 1e-9 of its largest value.
    """
    estimates = em_step(ratios, start)
    active = np.arange(len(estimates))
    for _ in range(_MAX_STEPS):
        current, subset = estimates[active], ratios[active]
        weights = subset / _likelihoods(subset, current)[:, :, np.newaxis]
        gradient = weights.mean(axis=1)
        # No prevalences can have a log likelihood higher than the current one by more than max(gradient) - 1 (Jensen).
        open_ = gradient.max(axis=1) > 1.0 + _GAP
        if not open_.any():
            break
        active, current, subset, weights, gradient = (part[open_] for part in (active, current, subset, weights, gradient))
        hessian = np.swapaxes(weights, 1, 2) @ weights / weights.shape[1] + _DAMPING * np.eye(current.shape[1])
        target = minimise_on_simplex(hessian, gradient + np.einsum("nij,nj->ni", hessian, current))
        estimates[active] = _line_search(subset, current, target)
    return estimates


def _line_search(ratios: FloatArray, current: FloatArray, target: FloatArray) -> FloatArray:
    """The first of the steps 1, 1/2, 1/4, ... towards the target that raises the likelihood; an EM step if none does."""
    best = em_step(ratios, current)
    required = np.log(_likelihoods(ratios, best)).mean(axis=1)
    waiting = np.arange(len(current))
    step = 1.0
    for _ in range(_MAX_HALVINGS):
        tried = current[waiting] + step * (target[waiting] - current[waiting])
        better = np.log(_likelihoods(ratios[waiting], tried)).mean(axis=1) > required[waiting] - _ROUNDING
        best[waiting[better]] = tried[better]
        waiting = waiting[~better]
        if not len(waiting):
            break
        step /= 2.0
    return best
