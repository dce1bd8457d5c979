"""The prevalences that make samples most likely, of two classes and of more."""

from collections.abc import Callable

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.simplex_adjustment import minimise_on_simplex

_GAP = 1e-9
_MAX_STEPS = 100
_SHORTEST_STEP = 1e-12
_DAMPING = 1e-9
_ROUNDING = 1e-15
_LEAST_LIKELIHOOD = 1e-100
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
    return np.maximum(likelihoods, _LEAST_LIKELIHOOD, out=likelihoods)


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


Derivatives = Callable[[FloatArray, IntArray | slice], tuple[FloatArray, FloatArray]]
"""(weights, indices of the functions they belong to) -> (slope, curvature) there."""

_STEPS = 200
_LEAST_CURVATURE = 1e-300
_NARROW = 1e-11


def minimise_convex(derivatives: Derivatives, start: FloatArray, *, precision: float, flat: float = 1e-13) -> FloatArray:
    """The minimiser of each function, (n,), by Newton's method inside a bracket that every step narrows.

    Parameters
    ----------
    derivatives : gives slope and curvature of some of the functions.
    start : (n,) guesses in [0, 1]. A function with slope 0 there, within `flat`, keeps its guess.
    precision : a step this short is the last.

    A step that leaves the bracket goes to its middle instead; 0 and 1 are tried before they count as outside.
    """
    minimisers = start.copy()
    active = np.arange(len(start))
    weight = start
    # Below 0 and above 1: the borders have not been tried.
    low, high = np.full(len(start), -1.0), np.full(len(start), 2.0)
    for _ in range(_STEPS):
        slope, curvature = derivatives(weight, slice(None) if len(active) == len(start) else active)
        falling, rising = slope < -flat, slope > flat
        low, high = np.where(falling, weight, low), np.where(rising, weight, high)
        following = np.clip(weight - slope / np.maximum(curvature, _LEAST_CURVATURE), 0.0, 1.0)
        border = np.minimum(weight, 1.0 - weight)
        outside = (following <= low) | (following >= high) | (border <= 0.0)
        following = np.where(outside, (np.maximum(low, 0.0) + np.minimum(high, 1.0)) / 2.0, following)
        at_rest = ~(falling | rising) | (rising & (weight <= 0.0)) | (falling & (weight >= 1.0))
        following = np.where(at_rest, weight, following)
        minimisers[active] = following
        # Near a border where the slope has a pole, a step may be short because of the border, not because the minimum is near.
        step = np.abs(following - weight)
        going = ~at_rest & ((step > precision) | (2.0 * step > border)) & (high - low > _NARROW)
        if not going.any():
            return minimisers
        active, weight, low, high = active[going], following[going], low[going], high[going]
    return minimisers


_PRECISION = 1e-10
_SMALLEST = 1e-100
_NEXT_TO_ONE = float(np.nextafter(1.0, 2.0))
_BORDER = 1e-9
_LEAST_PART = 0.2
"""Least share of the likelihood's curvature that a step is computed with: with less, steps would lead far outside."""


def likelihood_poles(positives: FloatArray, negatives: FloatArray) -> FloatArray:
    """The weight a at which a positives + (1 - a) negatives is 0, elementwise: at most 0 or at least 1.

    Infinite where both densities are the same: there the likelihood does not depend on the weight.

    Parameters
    ----------
    positives, negatives : densities of each instance in the two classes, or any common multiple.
    """
    poles: FloatArray = negatives - positives
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        np.divide(negatives, poles, out=poles)
    inside = ~((poles <= -_SMALLEST) | (poles >= _NEXT_TO_ONE))
    if inside.any():
        # A weight of exactly 0 or 1 must not be a pole: its slope is as good as infinite all the same.
        bound = np.where(poles[inside] < 0.5, -_SMALLEST, _NEXT_TO_ONE)
        poles[inside] = np.where(np.isnan(poles[inside]), np.inf, bound)
    return poles


def most_likely_weights(poles: FloatArray, start: float, shares: FloatArray | None = None) -> FloatArray:
    """The weight a in [0, 1] with the largest mean log(a positives + (1 - a) negatives) of each sample, (n_samples,).

    The function is concave in a; its maximum is found to 1e-9. It is 0 or 1 if the function still rises there, and `start` if
    the function is flat.

    Parameters
    ----------
    poles : `likelihood_poles` of the instances, (n_samples, sample_size).
    start : a guess in [0, 1].
    shares : None, or the share of each instance in each sample, (n_samples, n_scores); then `poles` are those of all samples,
        (1, n_scores).

    The slope is the mean of 1 / (a - pole). By Newton's method it takes many steps to its zero where poles lie just outside of
    [0, 1], as those of a good classifier's scores do. Multiplied by a (1 - a), which leaves the zero where it is, it is nearly
    a line there: by steps of Newton's method to the zero of that product, half as many are needed.
    """
    size = poles.shape[1]

    def derivatives(weights: FloatArray, functions: IntArray | slice) -> tuple[FloatArray, FloatArray]:
        parts = np.subtract(weights[:, np.newaxis], poles if shares is not None else poles[functions])
        np.divide(1.0, parts, out=parts)
        if shares is None:
            slope, curvature = -parts.mean(axis=1), np.vecdot(parts, parts) / size
        else:
            slope = -np.vecdot(parts, shares[functions])
            curvature = np.vecdot(np.multiply(parts, parts, out=parts), shares[functions])
        inside = (weights > _BORDER) & (weights < 1.0 - _BORDER)
        more = np.divide(slope * (1.0 - 2.0 * weights), weights * (1.0 - weights), out=np.zeros_like(slope), where=inside)
        return slope, np.where(curvature + more > _LEAST_PART * curvature, curvature + more, curvature)

    return minimise_convex(derivatives, np.full(len(poles if shares is None else shares), start), precision=_PRECISION)
