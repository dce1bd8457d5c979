"""The mixture weight that makes samples most likely: what EMQ and KDEy-ML look for."""

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.convex_minimisation import minimise_convex

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
