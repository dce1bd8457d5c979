"""Measures of predicted numbers, such as prevalences, against actual ones: the registry REGRESSION_MEASURES.

Source: slides on model evaluation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import pearsonr, spearmanr

from qcore._base.registry import registry
from qcore._base.validation import FloatArray, InvalidInput, check_fraction

SLIDES_PREDICTED = (100.0, 102.0, 105.0, 95.0, 101.0, 105.0, 105.0, 40.0, 220.0, 100.0)
SLIDES_ACTUAL = (102.0, 110.0, 95.0, 75.0, 103.0, 110.0, 98.0, 32.0, 215.0, 103.0)
"""The worked example of the slides on model evaluation, in millions of euros: MSE 74.4, RMSE 8.63, and MAE 7.

The slides have an MAE of 60 / 10 = 6, but the ten errors in their table add up to 70.
"""


@dataclass(frozen=True)
class RegressionMeasure:
    """A measure of predicted against actual numbers.

    Attributes
    ----------
    key, name, idea, formula : texts to show; the formula is LaTeX.
    of : (predicted, actual), (n,) each -> its value; NaN where it is 0/0.
    best : its value for perfect predictions.
    """

    key: str
    name: str
    idea: str
    formula: str
    of: Callable[[FloatArray, FloatArray], float]
    best: float = 0.0


def check_predictions(predicted: ArrayLike, actual: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Both as finite arrays of one length, (n,), n >= 1. Raises InvalidInput."""
    first, second = (np.asarray(values, dtype=float) for values in (predicted, actual))
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        shapes = f"shapes {first.shape} and {second.shape}"
        raise InvalidInput("predicted and actual", "have the same length, at least 1", shapes, "Give one of each.")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise InvalidInput("predicted and actual", "be finite numbers", "NaN or inf", "Leave these instances out.")
    return first, second


def _mae(predicted: FloatArray, actual: FloatArray) -> float:
    return float(np.abs(actual - predicted).mean())


def _mse(predicted: FloatArray, actual: FloatArray) -> float:
    return float(((actual - predicted) ** 2).mean())


def _rse(predicted: FloatArray, actual: FloatArray) -> float:
    whole = float(((actual - actual.mean()) ** 2).sum())
    return float(((actual - predicted) ** 2).sum()) / whole if whole > 0 else np.nan


def _rae(predicted: FloatArray, actual: FloatArray) -> float:
    whole = float(np.abs(actual - actual.mean()).sum())
    return float(np.abs(actual - predicted).sum()) / whole if whole > 0 else np.nan


def _correlation(test: Callable[..., tuple[float, float]]) -> Callable[[FloatArray, FloatArray], float]:
    def of(predicted: FloatArray, actual: FloatArray) -> float:
        constant = np.ptp(predicted) == 0 or np.ptp(actual) == 0
        return np.nan if constant else float(test(predicted, actual)[0])

    return of


REGRESSION_MEASURES = registry(
    RegressionMeasure(
        key="MAE",
        name="Mean absolute error",
        idea="The mean size of the errors, in the unit of the numbers.",
        formula=r"\frac{1}{n} \sum |f(x) - h(x)|",
        of=_mae,
    ),
    RegressionMeasure(
        key="MSE",
        name="Mean squared error",
        idea="Large errors count more than in MAE.",
        formula=r"\frac{1}{n} \sum (f(x) - h(x))^2",
        of=_mse,
    ),
    RegressionMeasure(
        key="RMSE",
        name="Root mean squared error",
        idea="As MSE, in the unit of the numbers.",
        formula=r"\sqrt{\mathrm{MSE}}",
        of=lambda predicted, actual: float(np.sqrt(_mse(predicted, actual))),
    ),
    RegressionMeasure(
        key="RSE",
        name="Relative squared error",
        idea="Relative to always predicting the mean, whose value is 1.",
        formula=r"\frac{\sum (f(x) - h(x))^2}{\sum (f(x) - \bar f)^2}",
        of=_rse,
    ),
    RegressionMeasure(
        key="RAE of numbers",
        name="Relative absolute error",
        idea="Relative to always predicting the mean, whose value is 1.",
        formula=r"\frac{\sum |f(x) - h(x)|}{\sum |f(x) - \bar f|}",
        of=_rae,
    ),
    RegressionMeasure(
        key="Pearson",
        name="Pearson's correlation",
        idea="1 where predictions lie on a rising straight line over the truth, however far off.",
        formula=r"\frac{\mathrm{cov}(f, h)}{\sigma_f \sigma_h}",
        of=_correlation(pearsonr),
        best=1.0,
    ),
    RegressionMeasure(
        key="Spearman",
        name="Spearman's correlation",
        idea="1 where predictions are in the right order.",
        formula=r"\mathrm{Pearson\ of\ the\ ranks}",
        of=_correlation(spearmanr),
        best=1.0,
    ),
)


def regression_measures(predicted: ArrayLike, actual: ArrayLike) -> pd.DataFrame:
    """Every measure of REGRESSION_MEASURES: key, name, value. Raises InvalidInput.

    Examples
    --------
    >>> regression_measures([1.0, 2.0, 4.0], [1.0, 3.0, 4.0]).value.round(3).tolist()[:3]
    [0.333, 0.333, 0.577]
    """
    checked = check_predictions(predicted, actual)
    rows = [(key, measure.name, measure.of(*checked)) for key, measure in REGRESSION_MEASURES.items()]
    return pd.DataFrame(rows, columns=["key", "name", "value"])


def asymmetric_loss(predicted: ArrayLike, actual: ArrayLike, alpha: float = 0.5) -> FloatArray:
    """2 alpha (y - y_hat) where the prediction is below the truth, else 2 (1 - alpha) (y_hat - y); shapes (n,).

    `alpha` from 0 to 1: at 2/3 an underprediction costs twice an overprediction, at 1/2 this is the absolute error.
    Raises InvalidInput. Source: slides on model evaluation.
    """
    check_fraction("alpha", alpha)
    first, second = check_predictions(predicted, actual)
    return np.where(first < second, 2.0 * alpha * (second - first), 2.0 * (1.0 - alpha) * (first - second))


class ShiftCurve(NamedTuple):
    """What a model over- and underestimates in all, as every prediction is shifted by the same number.

    shift : (n,), increasing: those at which a prediction becomes exact; between them the curve is straight.
    over, under : (n,) sums of the errors above and below 0 after the shift; `under` is not positive.
    area : over the curve, up to over = under = 0: n^2 / 2 times the variance of the errors, which no shift changes.
    """

    shift: FloatArray
    over: FloatArray
    under: FloatArray
    area: float

    def best(self, alpha: float) -> int:
        """The place in the curve with the least asymmetric loss: the ROC curve's best operating point, for numbers."""
        check_fraction("alpha", alpha)
        return int(((1.0 - alpha) * self.over - alpha * self.under).argmin())


def shift_curve(predicted: ArrayLike, actual: ArrayLike) -> ShiftCurve:
    """The ROC curve of a regression: overestimation against underestimation, by the shift of all predictions.

    Raises InvalidInput. Source: slides on model evaluation, which name it; Hernández-Orallo 2013.

    Examples
    --------
    >>> curve = shift_curve([1.0, 3.0, 5.0], [2.0, 3.0, 3.0])
    >>> curve.shift.tolist(), curve.over.tolist(), curve.under.tolist(), round(curve.area, 6)
    ([-2.0, 0.0, 1.0], [0.0, 2.0, 4.0], [-5.0, -1.0, 0.0], 7.0)
    """
    first, second = check_predictions(predicted, actual)
    errors = first - second
    shift = np.unique(0.0 - errors)
    moved = errors + shift[:, np.newaxis]
    over, under = (part.sum(axis=1) for part in (np.maximum(moved, 0.0), np.minimum(moved, 0.0)))
    return ShiftCurve(shift, over, under, float(0.5 * len(errors) ** 2 * errors.var()))
