"""The equal-tailed interval of values with weights: of draws, or of the points of a grid."""

import numpy as np

from qcore._base.validation import FloatArray, check_level


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
