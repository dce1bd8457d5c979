"""Scores at the edge of what there is: every quantifier has a defined answer, in [0, 1], without a warning."""

import warnings

import numpy as np
import pytest

from qcore import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.expectation_maximisation import EMQ
from qcore.quantifiers.fitting import make_for_all_classes
from qcore.quantifiers.kernel_density import kernel_density

EDGE = np.array([0.0, 5e-324, 1e-300, 1e-16, 0.05, 0.1, 0.3, 0.5 - 1e-16, 0.5, 0.7, 1 - 1e-16, 1.0])
TINY, HUGE = np.full(40, 0.0), np.full(40, 1.0)


def labels(n_positives: int, n_negatives: int) -> np.ndarray:
    return np.repeat([1, 0], [n_positives, n_negatives])


RNG = np.random.default_rng(0)
TRAINING = {
    "constant 0": (np.zeros(20), labels(5, 15)),
    "constant 1": (np.ones(20), labels(5, 15)),
    "constant 0.5": (np.full(20, 0.5), labels(5, 15)),
    "perfect": (labels(5, 15).astype(float), labels(5, 15)),
    "perfectly wrong": (1.0 - labels(5, 15), labels(5, 15)),
    "one of each": (np.array([0.6, 0.4]), labels(1, 1)),
    "one positive in 100,000": (np.concatenate([[0.9], RNG.random(99_999)]), labels(1, 99_999)),
    "one negative in 100,000": (np.concatenate([RNG.random(99_999), [0.1]]), labels(99_999, 1)),
    "tied": (np.round(RNG.random(60), 1), labels(20, 40)),
    "one-sided bins": (np.concatenate([np.full(30, 0.97), RNG.random(30) * 0.04]), labels(30, 30)),
    "classes in the same bins": (np.concatenate([np.full(9, 0.31), np.full(9, 0.32)]), labels(9, 9)),
    "edges of bins": (np.concatenate([np.arange(60) / 60, np.arange(110) / 110]), labels(60, 110)),
    "extreme numbers": (np.concatenate([EDGE, EDGE]), labels(12, 12)),
}
SAMPLES = {
    "size 1, score 0": np.array([[0.0]]),
    "size 1, score 1": np.array([[1.0]]),
    "size 1, in the middle": np.array([[0.31]]),
    "all 0": np.zeros((2, 40)),
    "all 1": np.ones((2, 40)),
    "0 and 1": np.array([[0.0] * 3 + [1.0] * 2]),
    "one value": np.full((2, 7), 0.3),
    "bins that training leaves empty": np.full((1, 9), 0.5),
    "extreme numbers": np.array([EDGE, EDGE[::-1]]),
    "each extreme number": EDGE[:, np.newaxis],
}


@pytest.fixture(scope="module", params=TRAINING.values(), ids=TRAINING)
def quantifiers(request):
    """All of them, fitted without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return make_quantifiers(QUANTIFIERS, *request.param)


def test_every_quantifier_answers(quantifiers):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for key, quantifier in quantifiers.items():
            for name, sample in SAMPLES.items():
                result = quantifier.predict(sample)
                assert result.shape == (len(sample),), (key, name)
                assert ((result >= 0) & (result <= 1)).all(), (key, name)
                again = quantifier.predict(sample[:, ::-1])
                assert again == pytest.approx(result, abs=1e-9), (key, name)


def test_what_is_inside_a_method_is_finite(quantifiers):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sample in (EDGE, EDGE[:1], EDGE[-1:], np.full(5, 0.3)):
            for key, quantifier in quantifiers.items():
                if hasattr(quantifier, "objective"):
                    assert np.isfinite(quantifier.objective(sample).distances).all(), key
            assert np.isfinite(quantifiers["MS"].sweep(sample).estimates).all()
            assert np.isfinite(quantifiers["EMQ"].trajectory(sample).prevalences).all()
            posteriors = quantifiers["EMQ"].posteriors(sample)
            assert ((posteriors >= 0) & (posteriors <= 1)).all()


@pytest.mark.parametrize("key", QUANTIFIERS)
def test_three_classes(key):
    corners = np.repeat(np.eye(3), 4, axis=0)
    samples = [corners[:5], corners[:1], np.full((6, 3), 1 / 3), np.array([[0.5, 0.5, 0.0]] * 3), corners[[0, 4, 8]]]
    truth = np.repeat([0, 1, 2], [2, 3, 7])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for training in (np.eye(3)[truth], np.full((12, 3), 1 / 3), np.eye(3)[(truth + 1) % 3]):
            quantifier = make_for_all_classes(QUANTIFIERS[key]).fit(training, truth)
            for sample in samples:
                result = quantifier.predict(sample)
                assert (result >= 0).all()
                assert result.sum() == pytest.approx(1)


class TestDefinedAnswers:
    def test_emq_answers_a_border_where_the_slope_says_so(self):
        quantifier = EMQ().fit(np.array([0.9, 0.2, 0.3, 0.4]), np.array([1, 0, 0, 0]))
        assert quantifier.predict(np.full(5, 0.2)) == 0
        assert quantifier.predict(np.full(5, 0.3)) == 1
        assert quantifier.predict(np.full(5, 0.25)) == 0.25
        # A score of 1 rules out that there are no positives, and a score of 0 that there is nothing else.
        assert quantifier.predict(np.array([1.0, 0.0, 0.0, 0.0, 0.0])) == pytest.approx(0.2)

    @pytest.mark.parametrize("key", ["HDy", "SORD", "DyS-TS", "DyS-PS", "DyS-ORD", "DyS-HD", "DyS-JD"])
    def test_matching_answers_the_lowest_weight_where_nothing_tells(self, key):
        alike = make_quantifiers([key], np.array([0.2, 0.8, 0.2, 0.8]), np.array([1, 1, 0, 0]))[key]
        assert alike.predict(np.array([0.1, 0.9, 0.9])) == 0
        if key not in {"SORD", "DyS-ORD"}:
            apart = make_quantifiers([key], np.array([0.99, 0.01]), np.array([1, 0]))[key]
            # No bin that a class has anything in, for any number of bins above two: nothing tells.
            assert apart.predict(np.full(3, 0.45)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("bandwidth", [0.02, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("members", [[0.02, 0.05, 0.3], [1.0], [0.0, 1.0], np.random.default_rng(0).beta(2, 5, 400)], ids=len)
def test_a_density_is_that_of_its_kernels_where_it_is_tiny_too(members, bandwidth):
    scores, at = np.asarray(members, dtype=float), np.random.default_rng(1).random(300)
    density, distance = kernel_density(scores, bandwidth)(at), (at[:, np.newaxis] - scores) / bandwidth
    expected = np.exp(-0.5 * distance**2).mean(axis=1) / (bandwidth * np.sqrt(2.0 * np.pi))
    known = expected > 1e-100
    np.testing.assert_allclose(density[known], expected[known], rtol=1e-5)
