"""Losses as functions of the estimate, and losses of ordered classes.

Source: Marufo 2023, chapter 4; Sebastiani 2020.

Ordered classes: losses of estimates that move a share to a near or to a far class, and methods compared by such losses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, InvalidInput, check_choice, check_fraction, check_integer
from qcore.losses import LOSSES, ORDERED_LOSSES, Smoothing
from qcore.studies.more_than_two_classes import MulticlassErrors

_EQUAL = 1e-9


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


COMPARED = {"AE": LOSSES["AE"], **ORDERED_LOSSES}
"""AE, which ignores the order of the classes, and the losses that depend on it."""

_TRUE = np.array([0.5, 0.35, 0.15, 0.0, 0.0])


@dataclass(frozen=True)
class MovedShare:
    """True shares of five ordered classes, an estimate that has moved a part of the first class, and what losses say.

    Attributes
    ----------
    true, estimated : (5,).
    losses : distance (in classes, from 1), loss (of `COMPARED`), value.
    """

    true: FloatArray
    estimated: FloatArray
    losses: pd.DataFrame


def moved_share(distance: int, moved: float = 0.15) -> MovedShare:
    """An estimate that moves a share `moved`, up to 0.5, from the first of five classes to the class `distance` above it.

    Raises InvalidInput for a distance other than 1 to 4.

    Examples
    --------
    >>> table = moved_share(4).losses.pivot(index="distance", columns="loss", values="value")
    >>> table.AE.round(2).tolist(), table.NMD.round(2).tolist()
    ([0.06, 0.06, 0.06, 0.06], [0.04, 0.08, 0.11, 0.15])
    """
    check_integer("distance", distance, low=1, high=len(_TRUE) - 1)
    check_fraction("moved", moved, high=float(_TRUE[0]))
    distances = np.arange(1, len(_TRUE))
    estimates = np.tile(_TRUE, (len(distances), 1))
    estimates[:, 0] -= moved
    estimates[distances - 1, distances] += moved
    true = np.broadcast_to(_TRUE, estimates.shape)
    losses = pd.concat(
        pd.DataFrame({"distance": distances, "loss": key, "value": loss(true, estimates)}) for key, loss in COMPARED.items()
    )
    return MovedShare(_TRUE, estimates[distance - 1], losses.reset_index(drop=True))


def ordered_losses(errors: MulticlassErrors, smoothing: Smoothing = "additive") -> pd.DataFrame:
    """Mean AE, NMD and RNOD of each method on the same samples, best by NMD first: method and a column for each loss.

    The classes are in the order of `errors.classes`.
    """
    means = {
        key: {method: float(values.mean()) for method, values in errors.estimates.losses(key, smoothing).by_method.items()}
        for key in COMPARED
    }
    table = pd.DataFrame(means).rename_axis("method").reset_index()
    return table.sort_values("NMD", kind="stable", ignore_index=True)
