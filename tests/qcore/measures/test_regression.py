"""Measures of predicted numbers: the worked example of the slides, against scikit-learn and SciPy, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, mean_pinball_loss, mean_squared_error, r2_score, root_mean_squared_error

from qcore import InvalidInput
from qcore.measures.regression import (
    REGRESSION_MEASURES,
    SLIDES_ACTUAL,
    SLIDES_PREDICTED,
    asymmetric_loss,
    regression_measures,
    shift_curve,
)

numbers = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
pairs = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=30).map(lambda rows: np.array(rows).T)


def values(predicted, actual):
    return regression_measures(predicted, actual).set_index("key").value


def test_the_slides_example():
    result = values(SLIDES_PREDICTED, SLIDES_ACTUAL)
    assert result["MSE"] == pytest.approx(74.4)
    assert result["RMSE"] == pytest.approx(8.63, abs=0.005)
    # The slides say 60 / 10; the errors of their table are these, and add up to 70.
    errors = np.abs(np.subtract(SLIDES_PREDICTED, SLIDES_ACTUAL))
    assert errors.tolist() == [2, 8, 10, 20, 2, 5, 7, 8, 5, 3]
    assert result["MAE"] == 7.0


@given(pairs)
def test_as_scikit_learn_has_them(case):
    predicted, actual = case
    result = values(predicted, actual)
    assert result["MAE"] == pytest.approx(mean_absolute_error(actual, predicted))
    assert result["MSE"] == pytest.approx(mean_squared_error(actual, predicted))
    assert result["RMSE"] == pytest.approx(root_mean_squared_error(actual, predicted))
    if np.ptp(actual) > 1e-3:
        assert result["RSE"] == pytest.approx(1.0 - r2_score(actual, predicted), rel=1e-6, abs=1e-9)


@given(pairs, st.floats(0.0, 1.0))
def test_the_asymmetric_loss_is_twice_the_pinball_loss(case, alpha):
    predicted, actual = case
    expected = 2.0 * mean_pinball_loss(actual, predicted, alpha=alpha)
    assert asymmetric_loss(predicted, actual, alpha).mean() == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(pairs)
def test_the_area_over_the_curve_of_shifts_is_what_trapezia_give(case):
    """Hernández-Orallo 2013: n^2 / 2 times the variance of the errors, whatever they are shifted by."""
    predicted, actual = case
    curve = shift_curve(predicted, actual)
    summed = -0.5 * float(((curve.under[1:] + curve.under[:-1]) * np.diff(curve.over)).sum())
    assert curve.area == pytest.approx(summed, rel=1e-6, abs=1e-6)
    assert shift_curve(predicted + 7.0, actual).area == pytest.approx(curve.area, rel=1e-6, abs=1e-6)


@given(pairs, st.floats(0.0, 1.0))
def test_the_best_shift_has_the_least_loss_of_all(case, alpha):
    predicted, actual = case
    curve = shift_curve(predicted, actual)
    losses = [asymmetric_loss(predicted + shift, actual, alpha).mean() for shift in curve.shift]
    between = [asymmetric_loss(predicted + shift, actual, alpha).mean() for shift in (curve.shift[1:] + curve.shift[:-1]) / 2]
    assert losses[curve.best(alpha)] <= min(losses + between) + 1e-9 * (1.0 + max(losses))


@pytest.mark.parametrize("key", REGRESSION_MEASURES)
def test_perfect_predictions_are_best(key):
    actual = np.array([1.0, 3.0, 2.0, 7.0])
    assert values(actual, actual)[key] == pytest.approx(REGRESSION_MEASURES[key].best)
    assert values(np.array([3.0, 1.0, 7.0, 2.0]), actual)[key] != pytest.approx(REGRESSION_MEASURES[key].best)


def test_what_is_relative_to_the_mean_is_undefined_without_spread():
    result = values([1.0, 2.0], [5.0, 5.0])
    assert np.isnan(result[["RSE", "RAE of numbers", "Pearson", "Spearman"]]).all()
    assert values([3.5, 3.5, 3.5], [1.0, 2.0, 7.5])["RSE"] == 1.0


@pytest.mark.parametrize(("predicted", "actual"), [([1.0], [1.0, 2.0]), ([], []), ([[1.0]], [[1.0]]), ([np.nan], [1.0])])
def test_unusable_numbers_are_refused(predicted, actual):
    with pytest.raises(InvalidInput, match="predicted and actual"):
        regression_measures(predicted, actual)
    with pytest.raises(InvalidInput, match="alpha"):
        asymmetric_loss([1.0], [1.0], 2.0)
