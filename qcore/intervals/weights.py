"""Weights of a sample's rows, such as those of a survey: how many rows without weights they are worth; groups of rows."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray, InvalidInput

TIMES_AS_MANY = 20
"""This many times its rows stand for the weighted distribution of a sample, where a quantifier takes rows without weights."""


def check_weights(weights: ArrayLike, n_rows: int) -> FloatArray:
    """The weights as numbers, (n_rows,), or raise InvalidInput: unless they are 0 or more, and one is more."""
    hint = "Give each row how many it stands for, such as 1.5."
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput("weights", "be numbers", repr(weights)[:40], hint) from error
    if given.shape != (n_rows,):
        raise InvalidInput("weights", f"have {n_rows:,} entries", f"shape {given.shape}", "Pass one for each row.")
    wrong = ~(np.isfinite(given) & (given >= 0.0))
    if wrong.any():
        at = int(wrong.argmax())
        got = f"{given[at]:g} in row {at + 1:,}" if np.isfinite(given[at]) else f"none in row {at + 1:,}"
        raise InvalidInput("weights", "be 0 or more in every row", got, hint)
    if not given.any():
        raise InvalidInput("weights", "be above 0 in some row", "0 in all", hint)
    return given


def effective_size(weights: ArrayLike) -> float:
    """How many rows of equal weight estimate a share as well as rows with these weights, (m,): Kish's effective size.

    (sum w)^2 / sum w^2: m divided by the design effect of weighting, 1 + the squared coefficient of variation of the weights.

    Raises InvalidInput as `check_weights`. Source: Kish (1965), Survey sampling, 11.7.

    Examples
    --------
    >>> effective_size([1, 1, 1, 1]), round(effective_size([4, 1, 1, 1]), 2)
    (4.0, 2.58)
    """
    given = check_weights(weights, np.size(weights))
    given = given / given.max()
    return float(given.sum() ** 2 / (given**2).sum())


def effective_rows(scores: FloatArray, weights: FloatArray, size: int) -> IntArray:
    """Rows, (size,), of scores and weights, (m,) each, that have the weighted distribution of the scores: its quantiles.

    With equal weights and a size of m they are all rows, in the order of their scores.

    Examples
    --------
    >>> scores = np.array([0.9, 0.1, 0.5])
    >>> effective_rows(scores, np.array([2.0, 1.0, 1.0]), 4).tolist(), effective_rows(scores, np.ones(3), 3).tolist()
    ([1, 2, 0, 0], [1, 2, 0])
    """
    order = np.argsort(scores, kind="stable")
    reached = np.cumsum(weights[order])
    places = (np.arange(size) + 0.5) / size * reached[-1]
    return order[np.minimum(np.searchsorted(reached, places), len(order) - 1)]


def in_groups(groups: ArrayLike, n_instances: int) -> pd.Series:
    """The group of each instance, (n_instances,); those of a categorical column stay in its order.

    Raises InvalidInput for another number of entries.
    """
    is_ordered = isinstance(getattr(groups, "dtype", None), pd.CategoricalDtype)
    names = pd.Series(groups if is_ordered else np.asarray(groups, dtype=object)).reset_index(drop=True)
    if len(names) != n_instances:
        raise InvalidInput("groups", f"have {n_instances} entries", str(len(names)), "Pass one for each instance.")
    return names
