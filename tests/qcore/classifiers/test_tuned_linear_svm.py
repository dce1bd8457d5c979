"""The linear SVM whose C is chosen, beside scikit-learn's own grid search."""

import numpy as np
import pytest
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import LinearSVC

from qcore._base.validation import InvalidInput
from qcore.classifiers import TunedLinearSVM
from qcore.classifiers.tuned_linear_svm import GRID_C


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
