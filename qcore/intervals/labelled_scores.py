"""Prediction-powered inference on scores: a sample that is scored as a whole and labelled in part."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import norm

from qcore._base.validation import FloatArray, InvalidInput, check_level, check_one_sample
from qcore.intervals.labelled_sample_intervals import EstimateWithInterval


def prediction_powered_scores(
    scores: ArrayLike, labels: ArrayLike, level: float = 0.95, *, tuned: bool = True
) -> EstimateWithInterval:
    """The population's share of positives, from scores of all instances and labels of some, drawn at random.

    mean_L(y) + weight (mean_U(s) - mean_L(s)), with its normal interval. With 0 and 1 as scores it equals "PPI++" and "PPI" of
    LABELLED_SAMPLE_INTERVALS.

    Parameters
    ----------
    scores : (m,), in [0, 1].
    labels : (m,), 0, 1, or NaN for unlabelled instances.
    tuned : whether the scores have the weight that makes the estimate scatter least (PPI++), or 1 (PPI).

    Raises
    ------
    InvalidInput
        A score outside [0, 1], an invalid label, or not a single label.

    Source: Angelopoulos et al. 2023; Angelopoulos et al. 2024.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(1000) < 0.3
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * truth, 0.2), 0.0, 1.0)
    >>> labels = np.where(np.arange(1000) < 100, truth, np.nan)
    >>> [float(round(value, 2)) for value in prediction_powered_scores(scores, labels)]
    [0.28, 0.22, 0.34]
    """
    check_level(level)
    values, truth = check_one_sample("scores", scores), _numbers_or_nan(labels)
    if truth.shape != values.shape:
        raise InvalidInput("labels", "have as many entries as scores", str(truth.shape), "Pass NaN for unlabelled instances.")
    known = ~np.isnan(truth)
    y, g, rest = truth[known], values[known], values[~known]
    if not len(y) or not np.isin(y, (0.0, 1.0)).all():
        raise InvalidInput("labels", "be 0, 1 or NaN, at least one of them 0 or 1", str(y[:3]), "Label some instances.")
    z = norm.ppf(0.5 + level / 2.0)
    if not len(rest):
        half = z * np.sqrt(y.var() / len(y))
        return EstimateWithInterval(*(np.clip(value, 0.0, 1.0) for value in (y.mean(), y.mean() - half, y.mean() + half)))
    weight = 1.0
    if tuned:
        variance = float(values.var(ddof=1))
        covariance = float(np.mean((y - y.mean()) * (g - g.mean())))
        weight = float(np.clip(covariance / ((1.0 + len(y) / len(rest)) * variance), 0.0, 1.0)) if variance > 0 else 0.0
    estimate = y.mean() + weight * (rest.mean() - g.mean())
    half = z * np.sqrt(weight**2 * rest.var() / len(rest) + (y - weight * g).var() / len(y))
    return EstimateWithInterval(*(np.clip(value, 0.0, 1.0) for value in (estimate, estimate - half, estimate + half)))


def _numbers_or_nan(labels: ArrayLike) -> FloatArray:
    """Labels as numbers, with NaN for None and pandas.NA, (m,). Raises InvalidInput for words."""
    given = np.asarray(labels)
    if given.dtype == object:
        given = np.where(pd.isna(given), np.nan, given)
    try:
        return given.astype(np.float64)
    except (TypeError, ValueError) as error:
        word = next(repr(one) for one in given.ravel().tolist() if isinstance(one, str))
        raise InvalidInput(
            "labels", "be 0, 1 or NaN, at least one of them 0 or 1", word, "Write 1 for the positive class."
        ) from error
