"""What a user-defined quantifier is given, and what it returns: scores that it can only read, a share for each sample."""

from typing import Any

import numpy as np

from qcore._base.validation import FloatArray, InvalidInput

_ROUNDING = 1e-6
"""How far shares may lie outside [0, 1]: the rounding error of sums of 32-bit floats."""
_SUM_ROUNDING = 1e-6
"""How far the sum of shares may differ from 1."""


def is_of_qcore(quantifier: object) -> bool:
    """Whether the quantifier's class is qcore's own, which takes a Batch or ClassBatch; a user-defined one gets arrays."""
    return type(quantifier).__module__.startswith("qcore.quantifiers.")


def check_estimates(method: str, estimates: object, shape: tuple[int, ...]) -> FloatArray:
    """Return the estimates of a block of samples as floats, (n_samples,) or (n_samples, n_classes).

    Raises InvalidInput unless there is a share in [0, 1] for each sample, or shares of all classes with the sum 1.
    """
    try:
        values = np.asarray(estimates, dtype=np.float64)
    except (TypeError, ValueError) as error:
        rule = f"return numbers of shape {shape} for {shape[0]} samples"
        raise InvalidInput(f"predict of {method!r}", rule, f"a {type(estimates).__name__}", "Return an array.") from error
    if np.ma.is_masked(estimates):
        rule, value = "return estimates without masked values", f"{np.ma.count_masked(estimates)} of them"
        raise InvalidInput(f"predict of {method!r}", rule, value, "Return an estimate for each sample.")
    if values.shape != shape:
        rule = f"return estimates of shape {shape} for {shape[0]} samples"
        way_out = "The last axis of the scores is the sample: reduce over axis -1 alone."
        if len(shape) > 1:
            way_out = "If it is of one class against the rest, pass qcore.quantifiers.one_vs_all.OneVsAll(make)."
        raise InvalidInput(f"predict of {method!r}", rule, f"shape {values.shape}", way_out)
    if not values.size:
        return values
    if not (values.min() >= -_ROUNDING and values.max() <= 1.0 + _ROUNDING):
        value = f"values from {values.min():.9g} to {values.max():.9g}"
        raise InvalidInput(f"predict of {method!r}", "return shares from 0 to 1", value, "Clip them, and replace NaN.")
    if len(shape) > 1:
        sums = values.sum(axis=-1)
        furthest = float(sums[np.abs(sums - 1.0).argmax()])
        if abs(furthest - 1.0) > _SUM_ROUNDING:
            way_out = "Divide them by their sum."
            raise InvalidInput(f"predict of {method!r}", "return shares with the sum 1", f"{furthest:g}", way_out)
    return np.clip(values, 0.0, 1.0)


def estimate_of_one_sample(name: str, quantifier: Any, scores: FloatArray) -> Any:
    """The share of the positives in a sample, (m,), or those of all classes, (m, n_classes) -> (n_classes,).

    Raises InvalidInput as `check_estimates`.
    """
    return check_estimates(name, quantifier.predict(only_to_read(scores[np.newaxis])), (1, *scores.shape[1:]))[0]


def only_to_read(values: FloatArray) -> FloatArray:
    """A view that nobody can write into, so that a quantifier does not change what those after it get."""
    view = values.view()
    view.setflags(write=False)
    return view
