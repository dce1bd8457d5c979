"""The prevalences of several classes that make samples of class scores most likely."""

import numpy as np

from qcore._base.validation import FloatArray
from qcore.quantifiers.simplex_quadratic_programmes import minimise_on_simplex

_GAP = 1e-9
_MAX_STEPS = 100
_MAX_HALVINGS = 40
_DAMPING = 1e-9
_ROUNDING = 1e-15
_SMALLEST = 1e-100


def em_step(ratios: FloatArray, prevalences: FloatArray) -> FloatArray:
    """One step of expectation maximisation from prevalences, (n, n_classes). Source: Saerens et al. 2002, eq. 2.9.

    `ratios` as in `most_likely_prevalences`.
    """
    weights = ratios / np.maximum(ratios @ prevalences[:, :, np.newaxis], _SMALLEST)
    return _normalised(prevalences * weights.mean(axis=1))


def most_likely_prevalences(ratios: FloatArray, start: FloatArray) -> FloatArray:
    """The maximum of each sample's log likelihood, sum log(ratios p), over the simplex: (n, n_classes).

    Parameters
    ----------
    ratios : (n, sample_size, n_classes), scores divided by the training prevalences.
    start : (n, n_classes), inside the simplex.

    Found by Newton's method, a quadratic programme at each step, until the likelihood is within 1e-9 of its largest value.
    """
    # Class by class, each sample's instances in a row: sums over instances are three times as fast.
    by_class = np.ascontiguousarray(np.swapaxes(ratios, 1, 2))
    estimates = _normalised(start * _weights(by_class, _likelihoods(by_class, start)).mean(axis=2))
    active, current, likelihoods = np.arange(len(estimates)), estimates.copy(), _likelihoods(by_class, estimates)
    for _ in range(_MAX_STEPS):
        weights = _weights(by_class, likelihoods)
        gradient = weights.mean(axis=2)
        # No prevalences can have a log likelihood higher than the current one by more than max(gradient) - 1 (Jensen).
        open_ = gradient.max(axis=1) > 1.0 + _GAP
        if not open_.any():
            break
        if not open_.all():
            active, current, by_class, weights, gradient = (
                part[open_] for part in (active, current, by_class, weights, gradient)
            )
        hessian = weights @ np.swapaxes(weights, 1, 2) / weights.shape[2] + _DAMPING * np.eye(current.shape[1])
        target = minimise_on_simplex(hessian, gradient + np.einsum("nij,nj->ni", hessian, current))
        current, likelihoods = _line_search(by_class, current, target, _normalised(current * gradient))
        estimates[active] = current
    return estimates


def _likelihoods(by_class: FloatArray, prevalences: FloatArray) -> FloatArray:
    """Likelihood of each instance up to a constant, (n, sample_size)."""
    return np.maximum((prevalences[:, np.newaxis, :] @ by_class)[:, 0, :], _SMALLEST)


def _weights(by_class: FloatArray, likelihoods: FloatArray) -> FloatArray:
    return by_class / likelihoods[:, np.newaxis, :]


def _normalised(prevalences: FloatArray) -> FloatArray:
    return prevalences / prevalences.sum(axis=1, keepdims=True)


def _line_search(
    by_class: FloatArray, current: FloatArray, target: FloatArray, em: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The first of the steps 1, 1/2, 1/4, ... towards the target that raises the likelihood, and the likelihoods there.

    If none raises it as much as the step `em` of expectation maximisation does, it is that one.
    """
    best, likelihoods = em, _likelihoods(by_class, em)
    required = np.log(likelihoods).mean(axis=1)
    waiting, longer = np.arange(len(current)), np.full(len(current), -np.inf)
    step = 1.0
    for _ in range(_MAX_HALVINGS):
        tried = current[waiting] + step * (target[waiting] - current[waiting])
        found = _likelihoods(by_class if len(waiting) == len(current) else by_class[waiting], tried)
        reached = np.log(found).mean(axis=1)
        better = reached > required[waiting] - _ROUNDING
        best[waiting[better]], likelihoods[waiting[better]] = tried[better], found[better]
        # The log likelihood is concave: once a shorter step reaches less than the longer one did, still shorter ones do, too.
        on = ~better & (reached > longer)
        waiting, longer = waiting[on], reached[on]
        if not len(waiting):
            break
        step /= 2.0
    return best, likelihoods
