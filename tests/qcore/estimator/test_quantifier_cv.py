"""QuantifierCV: any labels and classifier, the same numbers as scores and quantifier apart, rates of the model in use."""

import pickle
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from qcore import (
    QUANTIFIERS,
    InvalidInput,
    QuantifierCV,
    ScoringSettings,
    UniformPrevalence,
    estimate_sample,
    evaluation_report,
    load_dataset,
    make_quantification_scorer,
    make_quantifiers,
    score_dataset,
)
from qcore.classifiers import make_classifier
from qcore.estimator.held_out_scores import Labelled, held_out_rows
from qcore.quantifiers.adjustment import AdjustedCount
from qcore.quantifiers.distribution_matching import SORD
from qcore.quantifiers.fitting import OneVsAll
from qcore.scoring.plan import ScoringPlan

RNG = np.random.default_rng(0)
NUMBERS = RNG.integers(0, 3, 300)
X = RNG.normal(size=(300, 4)) + 1.5 * np.eye(4)[NUMBERS]
TWO = (NUMBERS > 0).astype(int)
NAMES = np.array(["ash", "beech", "cedar"])[NUMBERS]


@pytest.mark.parametrize("key", QUANTIFIERS)
@pytest.mark.parametrize("labels", [TWO, NAMES], ids=["two", "three"])
def test_every_quantifier_counts_what_it_was_fitted_on(key, labels):
    quantifier = QuantifierCV(GaussianNB(), key).fit(X[::2], labels[::2])
    shares = quantifier.predict(X[1::2])
    assert shares.shape == (len(np.unique(labels)),)
    assert shares.sum() == pytest.approx(1.0)
    truth = np.unique(labels[1::2], return_counts=True)[1] / 150
    np.testing.assert_allclose(shares, truth, atol=0.16)


@pytest.mark.parametrize("key", QUANTIFIERS)
def test_every_quantifier_is_cloned_and_prints_itself(key):
    made = QUANTIFIERS[key].make()
    for other in (clone(made), pickle.loads(pickle.dumps(made)), clone(made).set_params(**made.get_params())):
        assert other == made
        assert other is not made
    assert all(name in repr(made) for name in made.get_params())
    fitted = clone(made).fit([0.9, 0.8, 0.4, 0.3, 0.2, 0.1], [1, 1, 1, 0, 0, 0])
    assert not [name for name in vars(clone(fitted)) if name.endswith("_")], "what is learnt is not cloned"


@pytest.mark.parametrize("of", ["one class", "all classes"])
@pytest.mark.parametrize("key", ["AC", "PACC", "EMQ", "MS", "DyS-TS"])
def test_numbers_are_those_of_score_dataset_for_the_same_folds(key, of):
    dataset = load_dataset("iris")
    scoring = ScoringSettings("versicolor" if of == "one class" else None, "Gaussian naive Bayes")
    scores, plan = score_dataset(dataset, scoring), ScoringPlan(dataset, scoring)
    labels = dataset.labels if of == "all classes" else (dataset.labels == "versicolor").astype(int)
    rows, pool = plan._training, plan.pool_rows
    folds = plan._folds
    n_classes = 3 if of == "all classes" else 2
    classifier = make_classifier("Gaussian naive Bayes", dataset.nominal, 60, 0, n_classes=n_classes)
    ours = QuantifierCV(classifier, key, cv=folds).fit(dataset.features.iloc[rows], labels[rows])
    np.testing.assert_allclose(ours.training_scores_[np.argsort(rows)], scores.training_scores, rtol=0, atol=1e-12)
    apart = make_quantifiers([key], scores.training_scores, scores.training_labels)[key]
    estimate = np.asarray(apart.predict(scores.pool_scores[np.newaxis]))[0]
    expected = estimate if of == "all classes" else [1.0 - estimate, estimate]
    np.testing.assert_allclose(ours.predict(dataset.features.iloc[pool]), expected, rtol=0, atol=1e-12)


def test_scores_are_those_of_models_that_have_not_seen_the_instance():
    cv = StratifiedKFold(5)
    quantifier = QuantifierCV(GaussianNB(), cv=cv).fit(X, NAMES)
    expected = cross_val_predict(GaussianNB(), X, NAMES, cv=cv, method="predict_proba")
    np.testing.assert_allclose(quantifier.training_scores_, expected)
    assert quantifier.classifier_.theta_.tolist() == GaussianNB().fit(X, NAMES).theta_.tolist(), "trained on all"
    # scikit-learn's own default, which is stratified as well.
    np.testing.assert_allclose(QuantifierCV(GaussianNB(), cv=None).fit(X, NAMES).training_scores_, expected)


@pytest.mark.parametrize("labels", [
    np.array(["no", "yes"])[TWO], TWO.astype(bool), TWO - 1, pd.Series(TWO, name="y"), pd.Series(TWO).map({0: "a", 1: "b"}),
    list(np.array(["no", "yes"])[TWO]),
], ids=["strings", "booleans", "integers", "series", "series of strings", "list"])  # fmt: skip
def test_labels_of_any_kind(labels):
    quantifier = QuantifierCV(GaussianNB()).fit(X, labels)
    assert quantifier.classes_.tolist() == sorted(set(labels))
    np.testing.assert_allclose(quantifier.predict(X), QuantifierCV(GaussianNB()).fit(X, TWO).predict(X))


@pytest.mark.parametrize("classifier", [LinearSVC(), make_pipeline(StandardScaler(), SVC())], ids=["decision", "pipeline"])
@pytest.mark.parametrize("labels", [TWO, NAMES], ids=["two", "three"])
def test_decision_values_are_enough(classifier, labels):
    quantifier = QuantifierCV(classifier).fit(X, labels)
    truth = np.unique(labels, return_counts=True)[1] / len(labels)
    np.testing.assert_allclose(quantifier.predict(X), truth, atol=0.1)
    assert not hasattr(quantifier, "predict_proba"), "there are none to adjust"


def test_a_data_frame_keeps_its_names():
    frame = pd.DataFrame(X, columns=list("abcd"))
    quantifier = QuantifierCV(GaussianNB()).fit(frame, TWO)
    assert quantifier.feature_names_in_.tolist() == list("abcd")
    with pytest.raises(ValueError, match="feature names"):
        quantifier.predict(frame.rename(columns={"a": "z"}))


def test_a_search_chooses_once():
    class Noted(GridSearchCV):
        fits = 0

        def fit(self, X, y, **params):
            type(self).fits += 1
            return super().fit(X, y, **params)

    search = Noted(LogisticRegression(), {"C": [1e-4, 1.0]}, cv=3)
    for classifier in (search, make_pipeline(StandardScaler(), search)):
        Noted.fits = 0
        quantifier = QuantifierCV(classifier).fit(X, TWO)
        assert Noted.fits == 1
        chosen = quantifier.classifier_ if classifier is search else quantifier.classifier_[-1]
        assert chosen.best_params_ == {"C": 1.0}


def test_a_fitted_classifier_is_neither_trained_nor_cloned():
    fitted = GaussianNB().fit(X[:100], TWO[:100])
    frozen = QuantifierCV(FrozenEstimator(fitted)).fit(X[100:], TWO[100:])
    prefit = QuantifierCV(fitted, cv="prefit").fit(X[100:], TWO[100:])
    assert prefit.classifier_ is fitted
    np.testing.assert_allclose(prefit.training_scores_, fitted.predict_proba(X[100:])[:, 1])
    np.testing.assert_array_equal(frozen.predict(X), prefit.predict(X))
    with pytest.raises(NotFittedError):
        QuantifierCV(GaussianNB(), cv="prefit").fit(X, TWO)


@pytest.mark.parametrize("labels", [TWO, np.where(TWO[0] == TWO, "fraud", "ok"), np.where(NAMES[0] == NAMES, "another", NAMES)])
@pytest.mark.parametrize("quantifier", ["AC", "EMQ"])
def test_a_prefit_classifier_has_the_classes_of_the_labels(labels, quantifier):
    """Else it would be counted by the wrong names: a classifier's 1 for "fraud", where that comes first in the alphabet."""
    fitted = GaussianNB().fit(X, NAMES)
    assert QuantifierCV(fitted, quantifier, cv="prefit").fit(X[::3], NAMES[::3]).predict(X).shape == (3,)
    with pytest.raises(InvalidInput, match=r"the classes of the fitted classifier must be those of y, .* got 'ash', 'beech'"):
        QuantifierCV(fitted, quantifier, cv="prefit").fit(X, labels)
    with pytest.raises(InvalidInput, match="the classes of the fitted classifier must be those of y"):
        QuantifierCV(FrozenEstimator(fitted), quantifier).fit(X, labels)


class Weighted(ClassifierMixin, BaseEstimator):
    """Notes what its fit got."""

    seen: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.seen.append((len(X), None if sample_weight is None else float(np.sum(sample_weight))))
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


def test_weights_go_to_every_training():
    Weighted.seen.clear()
    weights = np.arange(300.0)
    QuantifierCV(Weighted(), cv=3).fit(X, TWO, sample_weight=weights)
    assert Weighted.seen[0] == (300, weights.sum())
    assert len(Weighted.seen) == 4
    assert sum(total for _, total in Weighted.seen[1:]) == pytest.approx(2 * weights.sum())


def test_a_group_stays_in_one_fold():
    data = Labelled(X, TWO, TWO, np.array([0, 1]))
    few = held_out_rows(5, data, 0, {"groups": np.arange(300) // 100})
    assert len(few) == 3, "as many folds as groups"
    with pytest.raises(InvalidInput, match="groups must be at least 2"):
        QuantifierCV(GaussianNB(), cv=5).fit(X, TWO, groups=np.zeros(300))
    groups = np.arange(300) // 10
    plain = QuantifierCV(GaussianNB(), cv=5).fit(X, TWO, groups=groups)
    explicit = QuantifierCV(GaussianNB(), cv=GroupKFold(5)).fit(X, TWO, groups=groups)
    assert plain.training_scores_.shape == explicit.training_scores_.shape == (300,)
    for inside, outside in held_out_rows(5, data, 0, {"groups": groups}):
        assert not set(groups[inside]) & set(groups[outside])


def test_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        Weighted.seen.clear()
        classifier = Weighted().set_fit_request(sample_weight=True)
        weights, groups = np.ones(300), np.arange(300) // 10
        QuantifierCV(classifier, cv=3).fit(X, TWO, sample_weight=weights, groups=groups)
        assert [total for _, total in Weighted.seen] == [float(n) for n, _ in Weighted.seen]
        with pytest.raises(Exception, match="sample_weight"):
            QuantifierCV(Weighted(), cv=3).fit(X, TWO, sample_weight=weights)


@pytest.mark.parametrize("key", ["AC", "EMQ"])
def test_the_interval_is_that_of_estimate_sample(key):
    quantifier = QuantifierCV(GaussianNB(), key).fit(X[::2], TWO[::2])
    sample = quantifier.instance_scores(X[1::2])
    training = quantifier.training_scores_, quantifier.training_labels_
    row = estimate_sample(sample, *training, [key], level=0.9, seed=quantifier._seed).table.iloc[0]
    interval = quantifier.predict_interval(X[1::2], level=0.9)
    np.testing.assert_allclose(interval, [[1 - row.high, 1 - row.low], [row.low, row.high]])
    assert np.all((interval[:, 0] <= quantifier.predict(X[1::2])) & (quantifier.predict(X[1::2]) <= interval[:, 1]))


def test_the_interval_of_an_object_is_that_of_its_key():
    by_key, by_object = (QuantifierCV(GaussianNB(), one).fit(X, TWO) for one in ("AC", AdjustedCount()))
    np.testing.assert_array_equal(by_key.predict_interval(X), by_object.predict_interval(X))
    own = QuantifierCV(GaussianNB(), AdjustedCount(rates=(0.9, 0.1))).fit(X, TWO)
    low, high = own.predict_interval(X)[1]
    assert low < own.predict(X)[1] < high


def test_intervals_of_three_classes():
    quantifier = QuantifierCV(GaussianNB(), "EMQ").fit(X[::2], NAMES[::2])
    intervals, shares = quantifier.predict_interval(X[1::2]), quantifier.predict(X[1::2])
    assert intervals.shape == (3, 2)
    assert np.all((intervals[:, 0] < shares) & (shares < intervals[:, 1]))


@given(st.integers(0, 2**32 - 1), st.sampled_from([TWO, NAMES]))
@settings(max_examples=20, deadline=None)
def test_posteriors_are_adjusted_to_the_sample(seed, labels):
    rng = np.random.default_rng(seed)
    sample = X[rng.choice(len(X), 100)]
    quantifier = QuantifierCV(GaussianNB(), "EMQ", cv=3).fit(X, labels)
    posteriors = quantifier.predict_proba(sample)
    np.testing.assert_allclose(posteriors.sum(axis=1), 1.0)
    # EM ends where the mean of the adjusted posteriors is the prevalence (Saerens et al. 2002).
    np.testing.assert_allclose(posteriors.mean(axis=0), quantifier.predict(sample), atol=1e-4)
    plain = quantifier.classifier_.predict_proba(sample)
    np.testing.assert_allclose(quantifier.predict_proba(sample, adjusted=False), plain, atol=1e-12)


def test_one_against_the_rest_is_used_for_several_classes_as_an_object_too():
    by_key, by_object = (QuantifierCV(GaussianNB(), one).fit(X, NAMES) for one in ("SORD", SORD()))
    assert isinstance(by_object.quantifier_, OneVsAll)
    np.testing.assert_array_equal(by_key.predict(X), by_object.predict(X))


@pytest.mark.parametrize("labels", [TWO, NAMES], ids=["two", "three"])
def test_several_samples_in_one_call_are_as_one_by_one(labels):
    quantifier = QuantifierCV(GaussianNB(), "CC", cv=3).fit(X[:200], labels[:200])
    months = np.array(["may", "june", "may", "july"])[np.arange(100) % 4]
    each = [X[200:][months == month] for month in ("july", "june", "may")]
    shares, intervals = quantifier.predict(X[200:], groups=months, return_interval=True, level=0.8)
    np.testing.assert_array_equal(shares, [quantifier.predict(sample) for sample in each])
    np.testing.assert_array_equal(intervals, [quantifier.predict_interval(sample, 0.8) for sample in each])
    np.testing.assert_array_equal(intervals, quantifier.predict_interval(X[200:], 0.8, groups=pd.Series(months)))
    with pytest.raises(InvalidInput, match=r"^groups must name the group of each of the 100 instances, got shape \(99,\)"):
        quantifier.predict(X[200:], groups=months[1:])


@pytest.mark.parametrize("routing", [False, True])
def test_a_pipeline_asks_its_last_step_for_intervals(routing):
    with sklearn.config_context(enable_metadata_routing=routing):
        quantifier = QuantifierCV(GaussianNB(), cv=3)
        if routing:
            quantifier.set_predict_request(return_interval=True, groups=True)
        pipeline = make_pipeline(StandardScaler(), quantifier).fit(X[:200], TWO[:200])
        shares, intervals = pipeline.predict(X[200:], return_interval=True, groups=np.arange(100) % 2)
        assert shares.shape == (2, 2)
        assert intervals.shape == (2, 2, 2)


def test_it_ends_a_pipeline_and_a_fitted_object_is_not_used_up():
    own = AdjustedCount().fit([0.9, 0.1], [1, 0])
    pipeline = make_pipeline(StandardScaler(), QuantifierCV(LogisticRegression(), own)).fit(X, NAMES == "ash")
    assert pipeline.predict(X)[1] == pytest.approx(np.mean(NAMES == "ash"), abs=0.05)
    assert own.tpr_ == 1.0, "a clone was fitted"


def test_the_same_seed_gives_the_same_numbers_and_jobs_do_not_matter():
    one, other = (QuantifierCV(GaussianNB(), "EMQ", random_state=3, n_jobs=n).fit(X, TWO) for n in (None, 2))
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
    np.testing.assert_array_equal(one.predict_interval(X), other.predict_interval(X))
    another = QuantifierCV(GaussianNB(), "EMQ", random_state=4).fit(X, TWO)
    assert not np.array_equal(one.training_scores_, another.training_scores_)


def test_a_class_with_few_instances_makes_fewer_folds():
    rare = np.r_[np.ones(3, dtype=int), np.zeros(297, dtype=int)]
    assert len(QuantifierCV(GaussianNB()).fit(X, rare).training_scores_) == 300


@pytest.mark.parametrize(("change", "labels", "message"), [
    ({}, np.zeros(300), "y must hold two classes or more"),
    ({}, np.r_[1, np.zeros(299, dtype=int)], "each class of y must have at least 2 instances"),
    ({"quantifier": "ACC"}, TWO, "Unknown quantifier 'ACC'"),
    ({"quantifier": 3}, TWO, "quantifier must be a key of QUANTIFIERS or an object"),
    ({"cv": 1}, TWO, "cv must be a whole number of at least 2"),
    ({"cv": "prefitted"}, TWO, "cv must be a number, a splitter, pairs of rows, or 'prefit'"),
    ({"classifier": "AC"}, TWO, "classifier must be a classifier of scikit-learn's kind, got 'AC'"),
    ({"classifier": "AC", "quantifier": GaussianNB()}, TWO, r"fit\(scores, labels\) and predict\(scores\), got GaussianNB\(\)"),
    ({"classifier": GaussianNB}, TWO, "classifier must be a classifier of scikit-learn's kind, got <class"),
    ({"classifier": StandardScaler()}, TWO, "classifier must have predict_proba or decision_function"),
    ({"classifier": SVC(decision_function_shape="ovo")}, np.arange(300) % 4, "classifier must give one score for each class"),
])  # fmt: skip
def test_what_is_wrong_is_named(change, labels, message):
    with pytest.raises(InvalidInput, match=message):
        QuantifierCV(**{"classifier": GaussianNB(), **change}).fit(X, labels)


def test_continuous_labels_are_refused():
    with pytest.raises(ValueError, match="continuous"):
        QuantifierCV(GaussianNB()).fit(X, X[:, 0])


def test_a_class_that_a_fold_has_not_seen_has_score_zero():
    thirds = np.split(np.arange(300), 3)
    folds = [(np.setdiff1d(np.arange(300), third), third) for third in thirds]
    labels = np.where(np.arange(300) < 100, "ash", NAMES)
    labels[100:] = np.where(labels[100:] == "ash", "beech", labels[100:])
    quantifier = QuantifierCV(GaussianNB(), cv=folds).fit(X, labels)
    assert np.all(quantifier.training_scores_[:100, 0] == 0.0)
    assert quantifier.predict(X).sum() == pytest.approx(1.0)


def test_decisions_between_pairs_of_classes_are_refused():
    """Of three classes there are as many pairs, so that their number does not tell."""
    features, labels = RNG.normal(size=(60, 2)), np.repeat([0, 1, 2], 20)
    for classifier in (SVC(decision_function_shape="ovo"), make_pipeline(StandardScaler(), SVC(decision_function_shape="ovo"))):
        with pytest.raises(InvalidInput, match="3 values for pairs of 3 classes"):
            QuantifierCV(classifier, "CC").fit(features, labels)


def test_the_interval_of_ones_own_quantifier_holds_its_estimate_whatever_it_is_called():
    class AC:
        def fit(self, scores, _labels):
            self.mean_ = float(np.mean(scores))
            return self

        def predict(self, scores):
            return np.full(np.shape(scores)[:-1], 0.77)

    features = np.concatenate([RNG.normal(size=(100, 2)), RNG.normal(2.0, size=(100, 2))])
    made = QuantifierCV(quantifier=AC()).fit(features, np.repeat([0, 1], 100))
    (_, low), (_, high) = made.predict_interval(features[:120]).T
    assert low <= 0.77 <= high


def test_folds_that_never_hold_out_a_class_are_refused():
    features, labels = RNG.normal(size=(40, 2)), np.repeat(["a", "b"], 20)
    folds = [(np.arange(5, 40), np.arange(5))]
    for cv in (folds, []):
        with pytest.raises(InvalidInput, match=r"cv must hold out instances of every class, got none of '[ab]'"):
            QuantifierCV(LogisticRegression(), "CC", cv=cv).fit(features, labels)


class HalfWay:
    """One's own, of one class against the rest, whose `fit` returns nothing."""

    def __init__(self, factor=1.0):
        self.factor = factor

    def fit(self, scores, labels):
        self.prevalence_ = labels.mean()

    def predict(self, scores):
        return self.factor * ((scores >= 0.5).mean(axis=-1) + self.prevalence_) / 2


class Another:
    """One's own of all classes, whose `fit` returns what is fitted, as a new object."""

    def __init__(self, shares=()):
        self.shares = shares

    def fit(self, scores, labels):
        return Another(np.full(scores.shape[1], self.shares))

    def predict(self, scores):
        return np.tile(self.shares, (len(scores), 1))


def test_what_fit_returns_is_what_predicts_and_shares_have_the_sum_1():
    features, y = load_iris(return_X_y=True)
    assert QuantifierCV(GaussianNB(), Another(1 / 3)).fit(features, y).predict(features) == pytest.approx(np.full(3, 1 / 3))
    with pytest.raises(InvalidInput, match=r"predict of 'Another' must return shares with the sum 1, got 2\.7"):
        QuantifierCV(GaussianNB(), Another(0.9)).fit(features, y).predict(features)


class MyMedianSweep(type(QUANTIFIERS["MS"].make())):
    pass


def test_ones_own_quantifier_of_one_class_is_used_for_each_in_turn_or_refused():
    features, y = load_iris(return_X_y=True)

    def fitted(quantifier, rows=slice(None)):
        return QuantifierCV(GaussianNB(), quantifier).fit(features[rows][::2], y[rows][::2])

    with pytest.raises(InvalidInput, match=r"'HalfWay' must return estimates of shape .1, 3. for 1 samples.*OneVsAll"):
        fitted(HalfWay()).predict(features[1::2])
    each = fitted(OneVsAll(HalfWay))
    assert each.predict(features[:60]) == pytest.approx([7 / 12, 1 / 4, 1 / 6], abs=0.02)
    assert each.predict_interval(features[1::2]).shape == (3, 2)
    with pytest.raises(InvalidInput, match="predict of 'HalfWay' must return shares from 0 to 1"):
        fitted(OneVsAll(partial(HalfWay, np.nan))).predict(features)
    assert fitted(MyMedianSweep()).predict(features[1::2]).tolist() == fitted("MS").predict(features[1::2]).tolist()
    assert fitted(HalfWay(), y < 2).predict(features[:40]) == pytest.approx([0.75, 0.25])
    with pytest.raises(InvalidInput, match="predict of 'HalfWay' must return shares from 0 to 1"):
        fitted(HalfWay(100.0), y < 2).predict(features[:40])


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["a", None] * 30, "got None in row 2"),
        ([1, "a"] * 30, "got 1 beside 'a'"),
        ([True, None] * 30, "got None in row 2"),
        (["a", float("nan")] * 30, "got nan in row 2"),
        (["a", pd.NA] * 30, "got <NA> in row 2"),
    ],
)
def test_labels_that_are_missing_or_of_two_kinds_are_named(labels, sentence):
    features = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.raises(InvalidInput, match=sentence):
        QuantifierCV(GaussianNB()).fit(features, np.array(labels, dtype=object))


@pytest.mark.parametrize("labels", [[True, False], [1, 0], ["a", "b"], [np.str_("a"), "b"]])
def test_labels_in_an_array_of_objects_are_labels(labels):
    features = np.random.default_rng(0).normal(size=(60, 2))
    quantifier = QuantifierCV(GaussianNB()).fit(features, np.array(labels * 30, dtype=object))
    assert quantifier.classes_.tolist() == sorted(labels)


def test_a_number_of_folds_is_no_bool():
    with pytest.raises(InvalidInput, match="cv must be a whole number"):
        QuantifierCV(GaussianNB(), cv=True).fit(np.arange(60)[:, np.newaxis], np.arange(60) % 2)


def test_labels_that_are_masked_or_missing_are_refused():
    features, labels = load_dataset("wdbc").features, (load_dataset("wdbc").labels == "malignant").astype(int)
    with pytest.raises(InvalidInput, match="no masked labels"):
        QuantifierCV(cv=3).fit(features, np.ma.array(labels, mask=np.arange(len(labels)) < 200))
    fitted = QuantifierCV(cv=3).fit(features, labels)
    with pytest.raises(InvalidInput, match="row 4"):
        make_quantification_scorer()(fitted, features, pd.Series(labels).astype("Int64").mask(np.arange(len(labels)) == 3))


def test_a_classifier_is_no_quantifier():
    features, labels = load_dataset("wdbc").features, load_dataset("wdbc").labels
    for classifier in (LogisticRegression(), make_pipeline(StandardScaler(), LogisticRegression())):
        with pytest.raises(InvalidInput, match="quantifier must be a key"):
            QuantifierCV(LogisticRegression(), classifier).fit(features, labels)


@pytest.mark.parametrize("labels", [np.where(TWO == 1, "yes", "no"), NAMES], ids=["two", "three"])
def test_any_classifier_is_reported_on_by_its_scores(labels):
    quantifier = QuantifierCV(GaussianNB(), "AC", cv=3).fit(X[::2], labels[::2])
    scores = quantifier.to_scores(X[1::2], labels[1::2])
    protocol = UniformPrevalence(sample_size=20, n_samples=5)
    report = evaluation_report(scores, ["AC", "EMQ"], protocol, losses=["AE"])
    assert set(report.method) == {"AC", "EMQ"}
    pool = make_quantifiers(["AC"], scores.training_scores, scores.training_labels)["AC"].predict(scores.pool_scores)
    assert np.ravel(pool)[-1] == pytest.approx(quantifier.predict(X[1::2])[-1])
    assert np.array_equal(quantifier.classes_[scores.pool_labels], labels[1::2])
    with pytest.raises(InvalidInput, match=r"work on scores, got a QuantifierCV, on features\. Pass quantifier\.to_scores"):
        evaluation_report(scores, {"mine": quantifier}, protocol)
    with pytest.raises(InvalidInput, match="oak"):
        quantifier.to_scores(X[1::2], np.full(150, "oak"))
