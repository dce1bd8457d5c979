"""Quantifiers of one's own: fitted, with state, with other habits, and with answers that are none."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from qcore import (
    ArtificialPrevalence,
    QuantifierCV,
    ScoringSettings,
    UniformPrevalence,
    estimate_sample,
    evaluation_report,
    load_dataset,
    score_dataset,
)
from qcore._base.validation import InvalidInput
from qcore.intervals.bootstrap import double_bootstrap
from qcore.quantifiers.adjustment import AdjustedCount
from qcore.quantifiers.fitting import OneVsAll


class Answer:
    """Learns nothing, and answers each sample alike."""

    def __init__(self, answer):
        self.answer = answer

    def fit(self, scores, labels):
        return self

    def predict(self, scores):
        return np.full(np.shape(scores)[:-1], self.answer)


class OfClasses(Answer):
    def predict(self, scores):
        return np.tile(self.answer, (len(scores), 1))


class Sorting(Answer):
    """Sorts what it is given."""

    def fit(self, scores, labels):
        scores.sort()
        labels[:] = 0
        self.lowest_ = scores[0]
        return self


class Returning:
    """What it has learnt is in another object, which `fit` returns."""

    def fit(self, scores, labels):
        return Answer(float(np.mean(labels)))

    def predict(self, scores):
        raise AssertionError("This one is not fitted.")


class AlongTheSecondAxis(Answer):
    def predict(self, scores):
        return (scores >= 0.5).mean(axis=1)


def problem(n=50, m=200, rng=None):
    """A sample, and training scores and labels: normal scores, squeezed into (0, 1)."""
    rng = rng or np.random.default_rng(0)
    labels = np.repeat([1, 0], n // 2)
    scores = 1 / (1 + np.exp(-rng.normal(2 * labels - 1, 1)))
    truth = rng.random(m) < 0.2
    return 1 / (1 + np.exp(-rng.normal(2 * truth - 1, 1))), scores, labels


def test_the_interval_of_a_fitted_quantifier_holds_the_scatter_of_the_labels():
    sample, scores, labels = problem()
    methods = {"fitted": AdjustedCount().fit(scores, labels), "unfitted": AdjustedCount()}
    table = estimate_sample(sample, scores, labels, methods).table.set_index("method")
    width = table.high - table.low
    assert width["fitted"] == pytest.approx(width["unfitted"], rel=0.1)
    drawn = double_bootstrap(methods, sample, scores, labels, rng=np.random.default_rng(0))
    assert drawn["fitted"].std() == pytest.approx(drawn["unfitted"].std(), rel=0.2)


def test_an_estimate_and_its_interval_are_of_one_fit():
    class HalfWay:
        def fit(self, scores, labels):
            self.prevalence_ = np.mean(labels)
            return self

        def predict(self, scores):
            return ((scores >= 0.5).mean(axis=-1) + self.prevalence_) / 2

    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [60, 140])
    features = rng.normal(y, 0.4)[:, np.newaxis]
    stale = HalfWay().fit(np.array([0.1, 0.9, 0.2]), np.array([0, 1, 0]))
    quantifiers = [QuantifierCV(LogisticRegression(), own).fit(features[::2], y[::2]) for own in (stale, HalfWay())]
    intervals = [one.predict_interval(features[1::2]) for one in quantifiers]
    assert intervals[0].tolist() == intervals[1].tolist()
    low, high = intervals[0].T
    estimate = quantifiers[0].predict(features[1::2])
    assert (low <= estimate).all()
    assert (estimate <= high).all()


def test_what_is_learnt_before_fit_makes_nothing_fitted():
    class WithState(Answer):
        def __init__(self):
            self.n_ = 3

        def fit(self, scores, labels):
            self.f_ = float(np.mean(labels))
            return self

        def predict(self, scores):
            return np.full(scores.shape[:-1], self.f_)

    sample, scores, labels = problem()
    assert estimate_sample(sample, scores, labels, {"own": WithState()}).table.estimate[0] == 0.5


def test_one_that_writes_into_what_it_gets_changes_nothing_for_others():
    scores, protocol = score_dataset(load_dataset("wdbc")), ArtificialPrevalence(3, 20, 5)
    before = scores.training_scores.copy()
    alone = evaluation_report(scores, ["AC"], protocol).AE
    beside = evaluation_report(scores, {"sorting": Sorting(0.5), "AC": "AC"}, protocol)
    assert beside[beside.method == "AC"].AE.tolist() == alone.tolist()
    assert scores.training_scores.tolist() == before.tolist()


def test_what_fit_returns_is_what_estimates():
    sample, scores, labels = problem()
    assert estimate_sample(sample, scores, labels, {"own": Returning()}).table.estimate[0] == 0.5
    report = evaluation_report(score_dataset(load_dataset("iris")), {"own": Returning()}, ArtificialPrevalence(3, 5, 2))
    assert report.estimate.nunique() == 1


def test_a_sample_comes_with_an_axis_of_samples():
    sample, scores, labels = problem()
    table = estimate_sample(sample, scores, labels, {"own": AlongTheSecondAxis(0.0)}).table
    assert table.estimate[0] == np.mean(sample >= 0.5)


@pytest.mark.parametrize("answer", [3.7, np.nan, "many"])
def test_answers_that_are_no_shares_are_refused(answer):
    sample, scores, labels = problem()
    with pytest.raises(InvalidInput, match=r"predict of 'own' must return (shares from 0 to 1|numbers)"):
        estimate_sample(sample, scores, labels, {"own": Answer(answer)})


def test_shares_of_classes_that_are_more_than_all_are_refused():
    labels = np.repeat([0, 1, 2], 30)
    scores = 0.6 * np.eye(3)[labels] + 0.4 / 3
    with pytest.raises(InvalidInput, match=r"must return shares with the sum 1, got 2\.7"):
        estimate_sample(scores, scores, labels, {"own": OfClasses([0.9, 0.9, 0.9])}, classes=("a", "b", "c"))


def test_methods_that_can_be_read_once_are_read_once():
    sample, scores, labels = problem()
    listed, iterated = (estimate_sample(sample, scores**3, labels, one) for one in (["AC", "EMQ"], iter(["AC", "EMQ"])))
    assert iterated.table.equals(listed.table)
    assert iterated.unreliable == listed.unreliable == ("EMQ",)


def test_the_training_scores_of_an_estimator_stay_as_they_are():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    features = rng.normal(y, 0.5)[:, np.newaxis]
    quantifier = QuantifierCV(GaussianNB(), Sorting(0.5)).fit(features, y)
    assert quantifier.training_labels_.tolist() == y.tolist()
    assert np.mean((quantifier.training_scores_ >= 0.5) == y) > 0.7


class Writing(Answer):
    """Writes into what it shall count."""

    def predict(self, scores):
        scores[...] = 0.0
        return super().predict(scores)


def test_one_that_writes_into_what_it_counts_is_refused_wherever_it_is_used():
    sample, scores, labels = problem()
    before = sample.copy()
    with pytest.raises(ValueError, match="read-only"):
        estimate_sample(sample, scores, labels, {"own": Writing(0.5)})
    with pytest.raises(ValueError, match="read-only"):
        double_bootstrap({"own": Writing(0.5)}, sample, scores, labels, rng=np.random.default_rng(0))
    assert sample.tolist() == before.tolist()
    classes = score_dataset(load_dataset("iris"), ScoringSettings(None))
    with pytest.raises(ValueError, match="read-only"):
        evaluation_report(classes, {"own": OneVsAll(lambda: Writing(0.5))}, UniformPrevalence(5, 3))
    pool = classes.pool_scores[np.newaxis]
    with pytest.raises(ValueError, match="read-only"):
        OneVsAll(lambda: Writing(0.5)).fit(classes.training_scores, classes.training_labels).predict(pool)
    assert classes.pool_scores.sum(axis=1) == pytest.approx(1.0)
