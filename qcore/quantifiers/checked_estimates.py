"""What a quantifier answers, checked: a share for each sample."""

import numpy as np

from qcore._base.validation import FloatArray, InvalidInput

_ROUNDING = 1e-9
"""By so much shares may lie beyond 0 and 1: digits in which sums are rounded."""


def check_estimates(method: str, estimates: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Return the estimates of a block of samples, or raise InvalidInput unless there is one in [0, 1] for each sample."""
    if np.shape(estimates) != shape:
        rule = f"return estimates of shape {shape} for {shape[0]} samples"
        way_out = "The last axis of the scores is the sample: reduce over axis -1 alone."
        raise InvalidInput(f"predict of {method!r}", rule, f"shape {np.shape(estimates)}", way_out)
    values: FloatArray = np.asarray(estimates)
    if not (values.min() >= -_ROUNDING and values.max() <= 1.0 + _ROUNDING):
        value = f"values from {values.min():g} to {values.max():g}"
        raise InvalidInput(f"predict of {method!r}", "return shares from 0 to 1", value, "Clip them, and replace NaN.")
    return values
