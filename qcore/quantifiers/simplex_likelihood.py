"""The prevalences of several classes that make samples of class scores most likely."""

import numpy as np

from qcore._base.validation import FloatArray
from qcore.quantifiers.simplex_quadratic_programmes import minimise_on_simplex

_GAP = 1e-9
_MAX_STEPS = 100
_SHORTEST_STEP = 1e-12
_DAMPING = 1e-9
_ROUNDING = 1e-15
_SMALLEST = 1e-100
_FEW_CLASSES = 8
_WORTH_A_COPY = 0.9
"""While a larger share of samples than this is unfinished, going on with all of them costs less than copying these."""


def em_step(ratios: FloatArray, prevalences: FloatArray) -> FloatArray:
    """One step of expectation maximisation from prevalences, (n, n_classes). Source: Saerens et al. 2002, eq. 2.9.

    `ratios` as in `most_likely_prevalences`.
    """
    return _normalised(prevalences * _weights(ratios, _likelihoods(ratios, prevalences)).mean(axis=2))


def most_likely_prevalences(ratios: FloatArray, start: FloatArray) -> FloatArray:
    """The maximum of each sample's log likelihood, sum log(p ratios), over the simplex: (n, n_classes).

    Parameters
    ----------
    ratios : (n, n_classes, sample_size), scores divided by the training prevalences.
    start : (n, n_classes), inside the simplex.

    Found by Newton's method, a quadratic programme at each step, until the likelihood is within 1e-9 of its largest value.
    """
    estimates = em_step(ratios, start)
    active, current, likelihoods = np.arange(len(estimates)), estimates.copy(), _likelihoods(ratios, estimates)
    for _ in range(_MAX_STEPS):
        weights = _weights(ratios, likelihoods)
        gradient = weights.mean(axis=2)
        # No prevalences can have a log likelihood higher than the current one by more than max(gradient) - 1 (Jensen).
        open_ = gradient.max(axis=1) > 1.0 + _GAP
        if not open_.any():
            break
        if open_.mean() < _WORTH_A_COPY:
            active, current, ratios, weights, gradient = (part[open_] for part in (active, current, ratios, weights, gradient))
            open_ = np.ones(len(active), dtype=bool)
        hessian = _products(weights) / weights.shape[2] + _DAMPING * np.eye(current.shape[1])
        target = minimise_on_simplex(hessian, gradient + np.einsum("nij,nj->ni", hessian, current))
        current, likelihoods = _line_search(ratios, current, target, _normalised(current * gradient))
        estimates[active[open_]] = current[open_]
    return estimates


def _likelihoods(ratios: FloatArray, prevalences: FloatArray) -> FloatArray:
    """Likelihood of each instance up to a constant, (n, sample_size)."""
    likelihoods = (prevalences[:, np.newaxis, :] @ ratios)[:, 0, :]
    return np.maximum(likelihoods, _SMALLEST, out=likelihoods)


def _weights(ratios: FloatArray, likelihoods: FloatArray) -> FloatArray:
    return ratios / likelihoods[:, np.newaxis, :]


def _products(weights: FloatArray) -> FloatArray:
    """The sum over instances of the products of each two classes' weights, (n, n_classes, n_classes)."""
    # With few classes, BLAS's product of a matrix with itself takes four times as long as the sums one by one.
    if weights.shape[1] <= _FEW_CLASSES:
        return np.vecdot(weights[:, :, np.newaxis], weights[:, np.newaxis])
    return weights @ np.swapaxes(weights, 1, 2)


def _normalised(prevalences: FloatArray) -> FloatArray:
    return prevalences / prevalences.sum(axis=1, keepdims=True)


def _line_search(ratios: FloatArray, current: FloatArray, target: FloatArray, em: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The first of the steps 1, 1/2, 1/4, ... towards the target that raises the likelihood, and the likelihoods there.

    If none raises it as much as the step `em` of expectation maximisation does, it is that one.
    """
    best, likelihoods, required = target.copy(), _likelihoods(ratios, target), _likelihoods(ratios, em)
    reached = np.log(likelihoods / required).mean(axis=1)
    waiting = np.flatnonzero(reached <= -_ROUNDING)
    best[waiting], likelihoods[waiting], longer = em[waiting], required[waiting], reached[waiting]
    step = 0.5
    while len(waiting) and step > _SHORTEST_STEP:
        tried = current[waiting] + step * (target[waiting] - current[waiting])
        found = _likelihoods(ratios[waiting], tried)
        reached = np.log(found / required[waiting]).mean(axis=1)
        better = reached > -_ROUNDING
        best[waiting[better]], likelihoods[waiting[better]] = tried[better], found[better]
        # The log likelihood is concave: once a shorter step reaches less than the longer one did, still shorter ones do, too.
        on = ~better & (reached > longer)
        waiting, longer = waiting[on], reached[on]
        step /= 2.0
    return best, likelihoods
