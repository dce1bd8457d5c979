"""Quantifiers of other libraries on given scores; the real ones are beside ours in `python -m benchmarks.estimators`."""

import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict

from qcore import ArtificialPrevalence, InvalidInput, evaluation_report, load_dataset, score_dataset
from qcore.estimator.other_libraries import GivenProbabilities, OnScores


class TheirAdjustedCount:
    """As other libraries write it: from features, with a classifier, folds of its own, and one sample at a time."""

    def __init__(self, classifier, *, as_mapping=False):
        self.classifier, self.as_mapping = classifier, as_mapping

    def fit(self, X, y):
        predicted = cross_val_predict(self.classifier, X, y, cv=5)
        self.model_ = self.classifier.fit(X, y)
        self.rates_ = np.array([[np.mean(predicted[y == j] == i) for j in np.unique(y)] for i in np.unique(y)])

    def predict(self, X):
        counted = np.array([np.mean(self.model_.predict(X) == label) for label in self.model_.classes_])
        shares = np.clip(np.linalg.solve(self.rates_, counted), 0.0, 1.0)
        shares = shares / shares.sum()
        return dict(zip(self.model_.classes_.tolist(), shares, strict=True)) if self.as_mapping else shares


@pytest.mark.parametrize("as_mapping", [False, True])
def test_theirs_beside_ours_in_a_report(as_mapping):
    scores = score_dataset(load_dataset("wdbc"))
    theirs = OnScores(TheirAdjustedCount(GivenProbabilities(), as_mapping=as_mapping))
    report = evaluation_report(scores, {"ours": "AC", "theirs": theirs}, ArtificialPrevalence(11, 40, 3))
    ours, others = (report[report.method == name].estimate.to_numpy() for name in ("ours", "theirs"))
    np.testing.assert_allclose(others, ours, atol=1e-12)
    assert not hasattr(theirs, "quantifier_"), "a copy was fitted"


def test_of_all_classes():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 40)
    scores = rng.dirichlet(np.ones(3), 120) * 0.4 + 0.6 * np.eye(3)[labels]
    theirs = OnScores(TheirAdjustedCount(GivenProbabilities())).fit(scores, labels)
    samples = scores[rng.integers(0, 120, (2, 5, 60))]
    estimates = theirs.predict(samples)
    assert estimates.shape == (2, 5, 3)
    np.testing.assert_allclose(estimates.sum(axis=-1), 1.0)
    np.testing.assert_allclose(estimates[1, 2], theirs.predict(samples[1, 2]))


def test_scores_are_checked():
    with pytest.raises(InvalidInput, match=r"lie in \[0, 1\]"):
        OnScores(TheirAdjustedCount(GivenProbabilities())).fit([2.0, 0.1], [1, 0])
