"""Losses as functions of the estimate: their shapes, their properties as numbers, and which of two estimates each prefers.

Source: Marufo 2023, chapter 4; Sebastiani 2020.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, InvalidInput, check_choice, check_fraction
from qcore.losses import LOSSES, Smoothing

_EQUAL: Final = 1e-9


def magnitudes(
    loss: str, true: ArrayLike, estimated: ArrayLike, sample_size: int, smoothing: Smoothing = "additive"
) -> FloatArray:
    """A loss of positive prevalences, without the sign if it has one; shapes broadcast.

    Raises InvalidInput for an unknown loss, and as losses do.
    """
    check_choice("loss", loss, LOSSES)
    values = LOSSES[loss].binary(true, estimated, sample_size=sample_size, smoothing=smoothing)
    return np.abs(values) if LOSSES[loss].signed else values


def shares_of_largest(
    loss: str, true: Sequence[float], estimates: Sequence[float], sample_size: int, smoothing: Smoothing = "additive"
) -> FloatArray:
    """A loss of each estimate as a share of the largest one at that true prevalence, (n_true, n_estimates).

    Raises InvalidInput as `magnitudes`.
    """
    values = magnitudes(loss, np.asarray(true)[:, np.newaxis], np.asarray(estimates), sample_size, smoothing)
    return values / values.max(axis=1, keepdims=True)


def without_equals(curves: Mapping[str, FloatArray]) -> dict[tuple[str, ...], FloatArray]:
    """The distinct curves of losses: the names of the losses that share a curve -> the curve.

    Examples
    --------
    >>> curves = {loss: shares_of_largest(loss, [0.2], [0.1, 0.5], 100) for loss in ("AE", "SE", "NAE")}
    >>> list(without_equals(curves))
    [('AE', 'NAE'), ('SE',)]
    """
    groups: list[list[str]] = []
    for name, values in curves.items():
        same = next((group for group in groups if np.allclose(curves[group[0]], values, rtol=0.0, atol=_EQUAL)), None)
        if same is None:
            groups.append([name])
        else:
            same.append(name)
    return {tuple(group): curves[group[0]] for group in groups}


def preferences(
    losses: Sequence[str],
    true: ArrayLike,
    estimates: tuple[float, float],
    sample_size: int,
    smoothing: Smoothing = "additive",
) -> pd.DataFrame:
    """How each loss compares two estimates of a prevalence, or of each of several.

    Returns a table, losses in order at one true prevalence after the other: true, loss, first, second (the loss of each
    estimate), prefers ("first", "second" or "neither"). Raises InvalidInput for a value out of range.
    """
    truths = np.atleast_1d(np.asarray(true, dtype=float))
    at_truths = [magnitudes(loss, truths[:, np.newaxis], np.array(estimates), sample_size, smoothing) for loss in losses]
    first, second = np.stack(at_truths, axis=1).reshape(-1, 2).T
    level = np.abs(first - second) <= _EQUAL * np.maximum(first, second)
    return pd.DataFrame(
        {
            "true": np.repeat(truths, len(losses)),
            "loss": list(losses) * len(truths),
            "first": first,
            "second": second,
            "prefers": np.where(level, "neither", np.where(first < second, "first", "second")),
        }
    )


def properties_at(
    losses: Sequence[str], true: float, error: float, sample_size: int, smoothing: Smoothing = "additive"
) -> pd.DataFrame:
    """The four properties as numbers, at one true prevalence and, for comparison, at 1/2.

    Parameters
    ----------
    true : below or at 1/2, so that the positive class is the smaller one.
    error : the error of the estimate, at most `true`.

    Returns loss, over and under (its value for estimates that are too high and too low by `error`: IMP where equal), even (its
    value for the same error at 1/2: ABS where equal to over, REL where lower), largest and largest_even (over all estimates,
    here and at 1/2: MAX where equal). Raises InvalidInput for a value out of range.
    """
    check_fraction("the true prevalence", true, high=0.5)
    check_fraction("the error", error, high=max(true, 0.0))
    if error <= 0.0:
        raise InvalidInput("the error", "be above 0", f"{error:g}", "Choose for example 0.05, and a true prevalence above it.")
    grid = np.linspace(0.0, 1.0, 1001)
    rows = []
    for loss in losses:
        over, under = magnitudes(loss, true, np.array([true + error, true - error]), sample_size, smoothing).tolist()
        even = float(magnitudes(loss, 0.5, 0.5 + error, sample_size, smoothing))
        here, there = (float(magnitudes(loss, p, grid, sample_size, smoothing).max()) for p in (true, 0.5))
        rows.append((loss, over, under, even, here, there))
    return pd.DataFrame(rows, columns=["loss", "over", "under", "even", "largest", "largest_even"])
