"""The linear SVM whose C is chosen, beside scikit-learn's own grid search."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import SVC, LinearSVC

from qcore._base.validation import InvalidInput
from qcore.classifiers import TunedLinearSVM
from qcore.classifiers.tuned_linear_svm import GRID_C, HingeLossSVM


def problem(seed, n=80, shift=1.0):
    rng = np.random.default_rng(seed)
    labels = (rng.random(n) < 0.25).astype(int)
    features = rng.normal(size=(n, 4))
    features[:, 0] += shift * labels
    return features, labels


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_grid_search_by_gm(seed):
    features, labels = problem(seed)
    gm = make_scorer(lambda y, p: np.sqrt(recall_score(y, p) * recall_score(y, p, pos_label=0)))
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=7)
    svm = LinearSVC(dual="auto", max_iter=20000, random_state=7)
    search = GridSearchCV(svm, {"C": GRID_C}, scoring=gm, cv=folds).fit(features, labels)
    tuned = TunedLinearSVM(random_state=7).fit(features, labels)
    assert [mean for _, mean in tuned.grid_] == pytest.approx(search.cv_results_["mean_test_score"])
    best = [C for C, mean in tuned.grid_ if mean >= search.best_score_ - 1e-12]
    assert best[0] == tuned.C_, "of equals the lowest"
    expected = LinearSVC(C=tuned.C_, dual="auto", max_iter=20000, random_state=7).fit(features, labels)
    assert tuned.decision_function(features) == pytest.approx(expected.decision_function(features))


def test_a_fixed_c_is_not_searched_for():
    features, labels = problem(0)
    tuned = TunedLinearSVM(C=10.0).fit(features, labels)
    assert (tuned.C_, tuned.grid_) == (10.0, [])
    assert TunedLinearSVM(random_state=1).fit(features, labels).fixed().get_params()["C"] in GRID_C


def test_one_instance_of_a_class_leaves_nothing_to_choose_by():
    features, labels = problem(0)
    one = np.flatnonzero(labels == 1)[:1]
    rows = np.concatenate([one, np.flatnonzero(labels == 0)])
    tuned = TunedLinearSVM().fit(features[rows], labels[rows])
    assert (tuned.C_, tuned.grid_) == (1.0, [])


def test_three_classes_are_refused():
    with pytest.raises(InvalidInput, match="two classes"):
        TunedLinearSVM().fit(np.eye(3), np.arange(3))


def test_libsvm_is_scikit_learns_svc():
    features, labels = problem(1)
    result = HingeLossSVM().fit(features, labels)
    expected = SVC(kernel="linear", C=1.0).fit(features, labels)
    assert result.decision_function(features) == pytest.approx(expected.decision_function(features))
    assert clone(result).get_params() == {"C": 1.0, "max_iter": 20_000}


def test_by_libsvm_it_is_the_grid_search_too():
    features, labels = problem(3)
    gm = make_scorer(lambda y, p: np.sqrt(recall_score(y, p) * recall_score(y, p, pos_label=0)))
    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=7)
    search = GridSearchCV(SVC(kernel="linear"), {"C": GRID_C}, scoring=gm, cv=folds).fit(features, labels)
    tuned = TunedLinearSVM(random_state=7, program="LIBSVM", search="5 x 2").fit(features, labels)
    assert [mean for _, mean in tuned.grid_] == pytest.approx(search.cv_results_["mean_test_score"])
    assert tuned.fixed().get_params() == tuned.get_params() | {"C": tuned.C_}


def test_what_ends_before_it_converges_says_nothing():
    features, labels = problem(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HingeLossSVM(C=100.0, max_iter=3).fit(1e4 * features, labels)


@pytest.mark.parametrize(
    ("change", "words"), [({"program": "x"}, "program"), ({"search": "x"}, "search"), ({"max_iter": 0}, "max_iter")]
)
def test_a_parameter_that_is_unknown_is_refused(change, words):
    with pytest.raises(InvalidInput, match=words):
        TunedLinearSVM(**change).fit(*problem(0))
