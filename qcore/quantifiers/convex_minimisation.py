"""Minimising many convex functions of one weight in [0, 1] at once, by Newton's method inside a bracket."""

from collections.abc import Callable

import numpy as np

from qcore._base.validation import FloatArray, IntArray

Derivatives = Callable[[FloatArray, IntArray | slice], tuple[FloatArray, FloatArray]]
"""(weights, indices of the functions they belong to) -> (slope, curvature) there."""

_STEPS = 200
_SMALLEST = 1e-300
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
        following = np.clip(weight - slope / np.maximum(curvature, _SMALLEST), 0.0, 1.0)
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
