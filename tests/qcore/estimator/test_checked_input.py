"""Arguments that scikit-learn, joblib or NumPy would refuse in words of their own, or take although they are wrong."""

import numpy as np
import pytest
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from qcore import InvalidInput, QuantifierCV, make_quantification_scorer
from qcore.quantifiers.adjustment import AdjustedCount

RNG = np.random.default_rng(3)
Y = np.arange(60) % 2
X = RNG.normal(size=(60, 2)) + Y[:, np.newaxis]
FIRST, LAST = np.arange(30), np.arange(30, 60)


@pytest.mark.parametrize("value", [0, "2", 1.5, True, 10**6, [1]])
def test_a_number_of_jobs_is_checked(value):
    with pytest.raises(InvalidInput, match=r"^n_jobs must "):
        QuantifierCV(GaussianNB(), cv=3, n_jobs=value).fit(X, Y)


@pytest.mark.parametrize("value", [-1, 2**32, "a", 1.5, True, [1], np.random.PCG64(0)])
def test_a_random_state_is_checked(value):
    with pytest.raises(InvalidInput, match=r"^random_state must be a whole number from 0 to 4294967295"):
        QuantifierCV(GaussianNB(), cv=3, random_state=value).fit(X, Y)


def test_every_random_state_of_scikit_learn_is_taken():
    by_state = [2**32 - 1, np.int64(3), np.random.RandomState(0), np.random.default_rng(0), None]
    for value in by_state:
        QuantifierCV(GaussianNB(), cv=3, random_state=value).fit(X, Y)
    number, state = (QuantifierCV(GaussianNB(), cv=3, random_state=one).fit(X, Y) for one in (0, np.random.RandomState(0)))
    np.testing.assert_array_equal(number.training_scores_, state.training_scores_)
    one, same = (QuantifierCV(GaussianNB(), cv=3, random_state=np.random.default_rng(5)).fit(X, Y) for _ in range(2))
    np.testing.assert_array_equal(one.training_scores_, same.training_scores_)


@pytest.mark.parametrize(("cv", "message"), [
    (2.5, "be a number, a splitter that can split these instances, or pairs of rows, got 2.5"),
    (object(), "be a number, a splitter that can split these instances"),
    ([1, 2], "be a number, a splitter that can split these instances"),
    ((FIRST, LAST), "be a number, a splitter that can split these instances"),
    (GroupKFold(3), "be a number, a splitter that can split these instances, .*'groups' parameter"),
    (StratifiedKFold(500), "be a number, a splitter that can split these instances"),
    (StratifiedKFold, "be a splitter, not its class, got StratifiedKFold. Write StratifiedKFold"),
    ([(FIRST, LAST + 1)], "name rows from 0 to 59"),
    ([(FIRST, LAST - 60)], "name rows from 0 to 59"),
    ([(FIRST.astype(float), LAST)], "name rows from 0 to 59"),
    ([(slice(0, 30), slice(30, 60))], "name rows from 0 to 59"),
    ([(np.ones(5, dtype=bool), LAST)], "name rows from 0 to 59"),
    ([(FIRST, np.arange(25, 60))], "not score a row that it trains on, got 5 such rows in fold 1"),
])  # fmt: skip
def test_folds_are_checked(cv, message):
    with pytest.raises(InvalidInput, match=f"^cv must {message}"):
        QuantifierCV(GaussianNB(), cv=cv).fit(X, Y)


@pytest.mark.parametrize("groups", ["site", np.arange(30), np.ones((60, 2)), [None, *["a"] * 59]])
def test_there_is_a_group_for_each_instance(groups):
    with pytest.raises(InvalidInput, match=r"^groups must name the group of each of the 60 instances"):
        QuantifierCV(GaussianNB(), cv=3).fit(X, Y, groups=groups)


@pytest.mark.parametrize("labels", [Y + 0.5, np.c_[Y, Y], "y", 1, Y + 0j, Y.astype("S"), {0: 1}, Y[:0]])
def test_labels_that_are_no_classes_are_refused_in_one_line(labels):
    with pytest.raises(InvalidInput, match=r"^y must hold the class of each instance of X[^\n]*$"):
        QuantifierCV(GaussianNB(), cv=3).fit(X, labels)


def test_a_classifier_that_cannot_be_copied_is_told_what_it_lacks():
    class Own:
        def fit(self, X, y):
            return self

    with pytest.raises(InvalidInput, match=r"^classifier must have get_params and set_params.*sklearn.base.BaseEstimator"):
        QuantifierCV(Own()).fit(X, Y)


def test_what_learns_no_classes_is_no_classifier():
    with pytest.raises(InvalidInput, match=r"^classifier must have classes_ after fit, got IsolationForest"):
        QuantifierCV(IsolationForest(n_estimators=2), cv=3).fit(X, Y)


COUNTS = QuantifierCV(GaussianNB(), cv=3)


@pytest.mark.parametrize("classifier", [
    COUNTS, COUNTS.fit(X, Y), FrozenEstimator(COUNTS.fit(X, Y)), make_pipeline(StandardScaler(), COUNTS),
    GridSearchCV(COUNTS, {"quantifier": ["AC"]}), make_pipeline(GridSearchCV(COUNTS, {"quantifier": ["AC"]})),
])  # fmt: skip
def test_what_counts_does_not_classify(classifier):
    with pytest.raises(InvalidInput, match=r"^classifier must classify, got a QuantifierCV, which counts. Pass the classifier"):
        QuantifierCV(classifier, cv=3).fit(X, Y)


def test_quantifiers_are_on_scores_and_no_classifiers():
    with pytest.raises(InvalidInput, match=r"^quantifier must work on scores, got a QuantifierCV, on features"):
        QuantifierCV(GaussianNB(), COUNTS, cv=3).fit(X, Y)
    with pytest.raises(InvalidInput, match=r"^classifier must classify, got the quantifier AdjustedCount"):
        QuantifierCV(AdjustedCount(), cv=3).fit(X, Y)


def test_a_scorer_takes_a_fitted_estimator_with_classes():
    scorer = make_quantification_scorer()
    for other in (LinearRegression().fit(X, Y), None, QuantifierCV):
        with pytest.raises(InvalidInput, match=r"^estimator must have classes_, whose shares it predicts"):
            scorer(other, X, Y)
    with pytest.raises(NotFittedError):
        scorer(QuantifierCV(), X, Y)


@pytest.mark.parametrize(("written", "meant"), [("MAE", "AE"), ("MSE", "SE"), ("mkld", "KLD")])
def test_a_scorer_knows_other_names_of_losses(written, meant):
    with pytest.raises(InvalidInput, match=f"Did you mean {meant}"):
        make_quantification_scorer(written)
