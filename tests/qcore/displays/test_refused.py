"""What displays can't draw is refused in words."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from qcore import ArtificialPrevalence, InvalidInput, QuantifierCV, evaluation_report
from qcore.displays import CriticalDifferenceDisplay, PrevalenceErrorDisplay, PrevalenceIntervalDisplay

Y = np.arange(200) % 2
X = np.random.default_rng(1).normal(size=(200, 2)) + Y[:, np.newaxis]
COUNTS = QuantifierCV(GaussianNB(), cv=3).fit(X, Y)


@pytest.fixture(scope="module")
def report(wdbc_scores):
    return evaluation_report(wdbc_scores, ["CC"], ArtificialPrevalence(3, 20, 2))


@pytest.mark.parametrize("figure", ["axes", 3, PrevalenceErrorDisplay])
def test_a_figure_is_one_of_plotly(figure):
    for display in (PrevalenceErrorDisplay, PrevalenceIntervalDisplay):
        with pytest.raises(InvalidInput, match=r"^figure must be a Plotly figure, got .*display.figure_"):
            display.from_estimator(COUNTS, X, Y, figure=figure)


@pytest.mark.parametrize("loss", ["true", "estimate", "method", "size", "data", "SE"])
def test_only_losses_are_drawn_as_losses(report, loss):
    with pytest.raises(InvalidInput, match=r"loss must be a column of losses in the report, .* Choose one of: AE, KLD, mine"):
        PrevalenceErrorDisplay.from_report(report.assign(data="wdbc", mine=0.5), loss)


def test_a_report_is_a_table_of_samples(report):
    with pytest.raises(InvalidInput, match="report must be a DataFrame, got a NoneType"):
        PrevalenceErrorDisplay.from_report(None)
    for lacking in ("true", "method"):
        with pytest.raises(InvalidInput, match="report must have the columns method and true"):
            PrevalenceErrorDisplay.from_report(report.drop(columns=lacking))
    with pytest.raises(InvalidInput, match="true must have a row for each sample, got no row"):
        PrevalenceErrorDisplay.from_predictions(np.empty((0, 2)), np.empty((0, 2)))


@pytest.mark.parametrize(
    "estimator", [GaussianNB().fit(X, Y), make_pipeline(StandardScaler(), GaussianNB()).fit(X, Y), None, QuantifierCV]
)
def test_an_interval_is_of_an_estimator_that_gives_one(estimator):
    with pytest.raises(InvalidInput, match="estimator must have predict_interval"):
        PrevalenceIntervalDisplay.from_estimator(estimator, X)


def test_tables_and_comparisons_are_of_their_kind():
    with pytest.raises(InvalidInput, match="table must be a DataFrame"):
        PrevalenceIntervalDisplay.from_table(None)
    with pytest.raises(InvalidInput, match="comparison must be a Comparison, got a DataFrame"):
        CriticalDifferenceDisplay.from_comparison(pd.DataFrame())
