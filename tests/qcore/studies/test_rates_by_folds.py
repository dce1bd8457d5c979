"""Rates by the number of folds: what plain cross-validation gives, and the two bootstraps of Efron and Tibshirani."""

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from qcore import InvalidInput, ScoringPlan, ScoringSettings, load_dataset
from qcore.studies.rates_by_folds import ClassErrors, point_632, point_632_plus, rates_by_folds

NB = "Gaussian naive Bayes"


@pytest.fixture(scope="module")
def plan():
    return ScoringPlan(load_dataset("iris"), ScoringSettings("versicolor", NB))


@pytest.fixture(scope="module")
def result(plan):
    return rates_by_folds(plan, NB, n_repeats=3)


def test_every_way_is_there_as_often_as_it_is_drawn(result):
    counts = result.table.estimation.value_counts(sort=False).to_dict()
    assert counts == {
        **dict.fromkeys(["2 folds", "5 folds", "10 folds", "20 folds"], 3),
        "leave-one-out": 1,
        **dict.fromkeys(["bootstrap", ".632", ".632+"], 3),
        "resubstitution": 1,
    }, "50 folds are more than the 25 instances of the smaller class"


def test_leave_one_out_and_resubstitution_are_those_of_scikit_learn(plan, result):
    data = load_dataset("iris")
    x, y = data.features.iloc[plan.training_rows], data.binary_labels("versicolor")[plan.training_rows]
    left_out, own = cross_val_predict(GaussianNB(), x, y, cv=LeaveOneOut()), GaussianNB().fit(x, y).predict(x)
    for name, predicted in (("leave-one-out", left_out), ("resubstitution", own)):
        row = result.table[result.table.estimation == name].iloc[0]
        assert (row.tpr, row.fpr) == pytest.approx((predicted[y == 1].mean(), predicted[y == 0].mean()))


def test_the_bootstraps_lie_between_resubstitution_and_the_instances_that_were_not_drawn(result):
    of = {name: rows.reset_index(drop=True) for name, rows in result.table.groupby("estimation")}
    low, high = of["resubstitution"].fpr[0], of["bootstrap"].fpr
    assert of[".632"].fpr.tolist() == pytest.approx((0.368 * low + 0.632 * high).tolist())
    assert ((of[".632+"].fpr - of[".632"].fpr) * np.sign(high - low) >= -1e-12).all(), "with more weight on what is not known"


def test_632_plus_by_hand():
    # Overfitting (.3 - .1) / (.4 - .1) = 2/3: the weight is .632 / (1 - .368 * 2/3).
    weight = 0.632 / (1 - 0.368 * 2 / 3)
    mixed = point_632_plus(ClassErrors(0.1, 0.2), ClassErrors(0.3, 0.1), predicted=0.6)
    assert mixed.positives == pytest.approx((1 - weight) * 0.1 + weight * 0.3)
    # An out-of-bag error below the apparent one shows no overfitting.
    assert mixed.negatives == pytest.approx(point_632(ClassErrors(0.1, 0.2), ClassErrors(0.3, 0.1)).negatives)
    # Above the error without information it counts as that.
    assert point_632_plus(ClassErrors(0.0, 0.0), ClassErrors(0.9, 0.0), predicted=0.6).positives == pytest.approx(0.4)


def test_finished_work_is_not_done_again(plan, result, monkeypatch):
    from qcore._base.stored_pieces import FinishedPieces

    pieces, told = FinishedPieces(), []
    first = rates_by_folds(plan, NB, n_repeats=1, finished=pieces, on_progress=told.append)
    assert told[0] == 0.0
    assert told == sorted(told)
    monkeypatch.setattr("qcore.studies.rates_by_folds._Work.errors", lambda *_: pytest.fail("it is finished"))
    again = rates_by_folds(plan, NB, n_repeats=1, finished=pieces)
    assert again.table.equals(first.table)


def test_no_repeats_are_refused(plan):
    with pytest.raises(InvalidInput, match="repeats must be a whole number of at least 1"):
        rates_by_folds(plan, NB, n_repeats=0)
