"""What classifiers and labels may hold: refused in words, or taken as meant."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB

from qcore import ArtificialPrevalence, QuantifierCV, Scores, evaluation_report, make_quantification_scorer
from qcore._base.validation import InvalidInput
from qcore.evaluation.estimates import estimate

RNG = np.random.default_rng(7)
KINDS = RNG.integers(0, 3, 300)
X = RNG.normal(size=(300, 2)) * 0.8 + KINDS[:, np.newaxis]


class Changed(ClassifierMixin, BaseEstimator):
    """Logistic regression whose probabilities are changed."""

    def __init__(self, change=None):
        self.change = change

    def fit(self, X, y):
        self.classes_, self.model_ = np.unique(y), LogisticRegression().fit(X, y)
        return self

    def predict_proba(self, X):
        return self.change(self.model_.predict_proba(X))


def test_a_model_is_trained_on_two_classes_or_more():
    rule = "cv must train each model on instances of two classes or more, got those of 1 alone in fold 1"
    y = np.repeat([0, 1], 150)
    with pytest.raises(InvalidInput, match=rule):
        QuantifierCV(LogisticRegression(), "AC", cv=KFold(2)).fit(X, y)
    with pytest.raises(InvalidInput, match="All instances of a class are held out together"):
        QuantifierCV(LogisticRegression(), "AC", cv=5).fit(X, y, groups=y)


class Numbered(ClassifierMixin, BaseEstimator):
    """As XGBoost's: it takes no labels but 0, 1, 2 ..."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.classes_.tolist() != list(range(len(self.classes_))):
            raise ValueError(f"Invalid classes inferred from unique values of `y`, got {self.classes_}")
        self.model_ = GaussianNB().fit(X, y)
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)

    def predict(self, X):
        return self.model_.predict(X)


@pytest.mark.parametrize("names", [["a", "b", "c"], [1, 2, 3], [False, True, True]])
def test_a_classifier_that_takes_only_numbers_is_trained_on_those_of_the_classes(names):
    y = np.array(names)[KINDS]
    usual = QuantifierCV(GaussianNB(), "EMQ", cv=3).fit(X, y)
    for classifier in (Numbered(), GridSearchCV(Numbered(), {}, scoring="neg_log_loss", cv=3)):
        numbered = QuantifierCV(classifier, "EMQ", cv=3).fit(X, y)
        np.testing.assert_allclose(numbered.training_scores_, usual.training_scores_)
        np.testing.assert_allclose(numbered.predict_proba(X), usual.predict_proba(X))
        assert numbered.classifier_.predict(X[:9]).tolist() == usual.classifier_.predict(X[:9]).tolist()
    with pytest.raises(ValueError, match="Input X contains NaN"):
        QuantifierCV(Numbered()).fit(np.full_like(X, np.nan), y)


def half_missing(probabilities):
    return np.where(np.arange(len(probabilities))[:, np.newaxis] % 2, probabilities, np.nan)


@pytest.mark.parametrize("y", [KINDS, KINDS > 0])
def test_probabilities_that_are_missing_are_refused_for_any_number_of_classes(y):
    with pytest.raises(InvalidInput, match="missing"):
        QuantifierCV(Changed(half_missing), "CC", cv=3).fit(X, y)


@pytest.mark.parametrize("change", [pd.DataFrame, lambda p: p.tolist(), lambda p: p.astype(np.float16)])
@pytest.mark.parametrize("y", [KINDS, KINDS > 0])
def test_probabilities_of_other_kinds_are_those_numbers(change, y):
    usual, other = (QuantifierCV(Changed(one), "AC", cv=3).fit(X, y).predict(X) for one in (np.asarray, change))
    np.testing.assert_allclose(other, usual, atol=0.02)


def test_a_column_alone_is_refused():
    with pytest.raises(InvalidInput, match="predict_proba must return 2 columns"):
        QuantifierCV(Changed(lambda p: p[:, :1]), "AC", cv=3).fit(X, KINDS > 0)


def test_ordered_classes_must_be_in_the_order_that_the_estimator_takes():
    y = pd.Series(pd.Categorical(np.array(["low", "mid", "top"])[KINDS], ["mid", "low", "top"], ordered=True))
    with pytest.raises(InvalidInput, match="y must have its classes in sorted order"):
        QuantifierCV(quantifier="o-ACC", cv=3).fit(X, y)
    QuantifierCV(quantifier="AC", cv=3).fit(X, y)
    QuantifierCV(quantifier="o-ACC", cv=3).fit(X, y.cat.reorder_categories(["low", "mid", "top"]))
    QuantifierCV(quantifier="o-ACC", cv=3).fit(X, y.cat.codes)


def test_labels_in_a_column_are_labels_for_the_scorer_too():
    search = GridSearchCV(QuantifierCV(cv=3), {"quantifier": ["AC"]}, scoring=make_quantification_scorer(), cv=KFold(2))
    with pytest.warns(UserWarning, match="column-vector"):
        score = search.fit(X, (KINDS > 0)[:, np.newaxis]).best_score_
    assert score == search.fit(X, KINDS > 0).best_score_


def test_masks_are_rows():
    inside = np.arange(300) < 150
    as_masks = QuantifierCV(cv=[(inside, ~inside)]).fit(X, KINDS > 0)
    as_rows = QuantifierCV(cv=[(np.flatnonzero(inside), np.flatnonzero(~inside))]).fit(X, KINDS > 0)
    np.testing.assert_array_equal(as_masks.training_scores_, as_rows.training_scores_)


def test_scores_of_lists_are_arrays():
    scores = Scores([0.9, 0.8, 0.3, 0.1], [1, 1, 0, 0], [0.7, 0.6, 0.2, 0.4], [1, 1, 0, 0])
    assert scores.training_prevalence == 0.5
    assert scores.rates == (1.0, 0.0)


def test_scores_of_several_classes_need_names():
    table = RNG.dirichlet([1, 1, 1], 60)
    with pytest.raises(InvalidInput, match=r"Pass classes=\(\.\.\.\)"):
        Scores(table, KINDS[:60], table, KINDS[:60])
    for names in (("a", "b"), tuple("abcd")):
        with pytest.raises(InvalidInput, match=r"^classes must name the columns of the scores, got . beside shape \(60, 3\)"):
            Scores(table, KINDS[:60], table, KINDS[:60], classes=names)


class JustBelow:
    """Estimates that rounding has moved out of [0, 1]."""

    def fit(self, scores, labels):
        return self

    def predict(self, scores):
        return np.full(len(scores), -1e-9)


def test_what_rounding_moves_out_of_range_is_moved_back():
    assert QuantifierCV(quantifier=JustBelow(), cv=3).fit(X, KINDS > 0).predict(X).tolist() == [1.0, 0.0]
    scores = Scores(np.linspace(0, 1, 40), np.arange(40) % 2, np.linspace(0, 1, 40), np.arange(40) % 2)
    report = evaluation_report(scores, {"own": JustBelow()}, ArtificialPrevalence(3, 5, 2))
    assert (report.estimate == 0.0).all()


def test_a_protocol_in_place_of_samples_is_named():
    scores = Scores(np.linspace(0, 1, 40), np.arange(40) % 2, np.linspace(0, 1, 40), np.arange(40) % 2)
    with pytest.raises(InvalidInput, match="samples must be Samples, got an ArtificialPrevalence"):
        estimate(["AC"], scores, ArtificialPrevalence(3, 5, 2))


def test_masked_scores_are_refused_not_read():
    masked = np.ma.masked_greater(np.linspace(0, 1, 40), 0.9)
    scores = Scores(masked, np.arange(40) % 2, masked, np.arange(40) % 2)
    with pytest.raises(InvalidInput, match="have no masked values"):
        evaluation_report(scores, ["AC"], ArtificialPrevalence(3, 5, 2))
