"""Platt's sigmoid, beside that of scikit-learn."""

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.calibration import _SigmoidCalibration

from qcore.scoring.sigmoid import ClassSigmoids, Sigmoid


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [80, 160])
    return expit(0.4 * rng.normal(2.0 * labels - 0.5)), labels


def test_it_is_that_of_scikit_learn(data):
    scores, labels = data
    theirs = _SigmoidCalibration().fit(logit(scores), labels)
    assert Sigmoid.fit(scores, labels)(scores) == pytest.approx(theirs.predict(logit(scores)), abs=1e-5)


def test_its_mean_is_nearly_the_share_of_positives(data):
    scores, labels = data
    assert Sigmoid.fit(scores, labels)(scores).mean() == pytest.approx(1 / 3, abs=0.005)


def test_many_training_sets_at_once_have_the_curves_of_each(data):
    scores, labels = data
    rows = np.random.default_rng(1).integers(0, 80, size=(5, 80)), np.random.default_rng(2).integers(80, 240, size=(5, 160))
    drawn = scores[np.concatenate(rows, axis=1)]
    centre = Sigmoid.fit(scores, labels)
    together = Sigmoid.fit(drawn, labels, centre)
    for number, one in enumerate(drawn):
        alone = Sigmoid.fit(one, labels, centre)
        assert together.of(np.array([number]))(one) == pytest.approx(alone(one)[np.newaxis], abs=1e-6)


@pytest.mark.parametrize("apart", [np.array([0.1, 0.2, 0.8, 0.9]), np.array([0.0, 0.0, 1.0, 1.0]), np.full(4, 0.5)])
def test_separated_classes_and_equal_scores_have_finite_curves(apart):
    curve = Sigmoid.fit(apart, np.array([0, 0, 1, 1]))
    assert np.isfinite(curve(apart)).all()
    assert (np.diff(curve(apart)) >= 0.0).all()


def test_posteriors_stay_where_the_redrawn_curve_is_that_of_all(data):
    scores, labels = data
    centre = Sigmoid.fit(scores, labels)
    assert centre.scattered(scores, centre) == pytest.approx(scores)


def test_posteriors_of_all_classes_sum_to_1():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 50)
    scores = rng.dirichlet(np.ones(3), 150) * 0.5 + 0.5 * np.eye(3)[labels]
    posteriors = ClassSigmoids.fit(scores, labels)(scores[np.newaxis])
    assert posteriors.shape == (1, 150, 3)
    assert posteriors.sum(axis=-1) == pytest.approx(np.ones((1, 150)))
