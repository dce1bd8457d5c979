"""The mixture weight that makes samples most likely: what EMQ and KDEy-ML look for."""

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.convex_minimisation import minimise_convex

_PRECISION = 1e-10
_SMALLEST = 1e-100


def most_likely_weights(positives: FloatArray, negatives: FloatArray, start: float) -> FloatArray:
    """The weight a in [0, 1] with the largest mean log(a positives + (1 - a) negatives) of each sample, (n_samples,).

    The function is concave in a; Newton's method finds its maximum to 1e-9. It is 0 or 1 where the slope there says so, and
    `start` where the function is flat.

    Parameters
    ----------
    positives, negatives : densities of each instance in the two classes, or any common multiple, (n_samples, sample_size).
    start : a guess in [0, 1].
    """
    gap, size = positives - negatives, positives.shape[1]

    def derivatives(weights: FloatArray, functions: IntArray | slice) -> tuple[FloatArray, FloatArray]:
        slope = gap[functions]
        likelihood = slope * weights[:, np.newaxis]
        likelihood += negatives[functions]
        np.maximum(likelihood, _SMALLEST, out=likelihood)
        ratio = np.divide(slope, likelihood, out=likelihood)
        return -ratio.mean(axis=1), np.einsum("ij,ij->i", ratio, ratio) / size

    return minimise_convex(derivatives, np.full(len(gap), start), precision=_PRECISION)
