"""The scorer: the same loss as a report's, models chosen for counting, all kinds of estimators."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from qcore import ArtificialPrevalence, InvalidInput, NaturalPrevalence, QuantifierCV, make_quantification_scorer
from qcore.losses import LOSSES

RNG = np.random.default_rng(1)
NUMBERS = RNG.integers(0, 3, 600)
X = RNG.normal(size=(600, 3)) + 1.2 * np.eye(3)[NUMBERS]
TWO = NUMBERS == 1
PROTOCOL = ArtificialPrevalence(grid=5, sample_size=30, repeats=3)


class OneByOne(BaseEstimator):
    """An estimator of another kind around one of ours."""

    def __init__(self, quantifier):
        self.quantifier = quantifier

    def fit(self, X, y):
        self.quantifier.fit(X, y)
        self.classes_ = self.quantifier.classes_
        return self

    def predict(self, X):
        return self.quantifier.predict(X)


@pytest.mark.parametrize("loss", [key for key, loss in LOSSES.items() if not loss.signed])
@pytest.mark.parametrize("labels", [TWO, NUMBERS], ids=["two", "three"])
def test_all_at_once_is_as_one_by_one(loss, labels):
    quantifier = QuantifierCV(GaussianNB(), "EMQ").fit(X[:300], labels[:300])
    protocol = PROTOCOL if labels is TWO else NaturalPrevalence(n_samples=15, sample_size=30)
    scorer = make_quantification_scorer(loss, protocol)
    at_once = scorer(quantifier, X[300:], labels[300:])
    one_by_one = OneByOne(quantifier)
    one_by_one.classes_ = quantifier.classes_
    assert at_once == pytest.approx(scorer(one_by_one, X[300:], labels[300:]), rel=1e-9)
    assert at_once <= 0.0


def test_a_pipeline_is_scored_as_its_last_step():
    pipeline = make_pipeline(StandardScaler(), QuantifierCV(LogisticRegression())).fit(X[:300], TWO[:300])
    scorer = make_quantification_scorer(protocol=PROTOCOL)
    direct = scorer(pipeline[-1], pipeline[:-1].transform(X[300:]), TWO[300:])
    assert scorer(pipeline, X[300:], TWO[300:]) == direct


def test_a_search_stratifies_so_that_sorted_labels_have_scores():
    order = np.argsort(NUMBERS, kind="stable")
    quantifier = QuantifierCV(GaussianNB(), cv=3)
    for estimator in (quantifier, make_pipeline(StandardScaler(), quantifier)):
        found = cross_validate(estimator, X[order], NUMBERS[order], scoring=make_quantification_scorer(protocol=None), cv=3)
        assert np.isfinite(found["test_score"]).all()


def test_a_search_chooses_for_counting():
    grid = {"quantifier": ["BL", "CC", "AC"], "classifier__C": [1e-6, 1.0]}
    search = GridSearchCV(
        QuantifierCV(LogisticRegression(), cv=3), grid, scoring=make_quantification_scorer("KLD"), cv=StratifiedKFold(3)
    ).fit(X, TWO)
    assert search.best_params_ == {"quantifier": "AC", "classifier__C": 1.0}
    assert search.predict(X).shape == (2,)
    assert search.best_score_ < 0.0


def test_cross_validation():
    scoring = {"AE": make_quantification_scorer("AE"), "RAE": make_quantification_scorer("RAE")}
    result = cross_validate(QuantifierCV(GaussianNB()), X, NUMBERS, scoring=scoring, cv=StratifiedKFold(3), error_score="raise")
    assert result["test_AE"].shape == (3,)
    assert np.all(result["test_AE"] > -0.2)


def test_the_same_seed_draws_the_same_samples():
    quantifier = QuantifierCV(GaussianNB()).fit(X[:300], TWO[:300])
    one, same, other = (make_quantification_scorer(seed=seed)(quantifier, X[300:], TWO[300:]) for seed in (0, 0, 1))
    assert one == same != other


def test_what_is_wrong_is_named():
    quantifier = QuantifierCV(GaussianNB()).fit(X, NUMBERS)
    with pytest.raises(InvalidInput, match="Unknown loss 'AEE'"):
        make_quantification_scorer("AEE")
    with pytest.raises(InvalidInput, match="got 'bias'"):
        make_quantification_scorer("bias")
    with pytest.raises(InvalidInput, match="y must hold every class that the estimator knows"):
        make_quantification_scorer()(quantifier, X[NUMBERS > 0], NUMBERS[NUMBERS > 0])
    with pytest.raises(InvalidInput, match="y must hold only classes that the estimator knows"):
        make_quantification_scorer()(quantifier, X, np.array(list("abc"))[NUMBERS])
    two = QuantifierCV(GaussianNB()).fit(X, TWO)
    with pytest.raises(InvalidInput, match="sample size must fit into a pool"):
        make_quantification_scorer(protocol=ArtificialPrevalence(sample_size=500))(two, X, TWO)


def test_a_classifier_that_predicts_no_shares_is_refused():
    features, labels = np.random.default_rng(0).normal(size=(200, 2)), np.repeat([0, 1], 100)
    scorer = make_quantification_scorer("AE")
    with pytest.raises(InvalidInput, match=r"share of each of its 2 classes.*QuantifierCV\(classifier"):
        scorer(LogisticRegression().fit(features, labels), features, labels)
