"""EDy and KDEy-ML of several classes: other libraries' numbers, the definitions in plain Python, what is computed once."""

from math import dist, exp

import numpy as np
import pytest
from hypothesis import given, settings

from qcore import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.batch import ClassBatch, ClassPool
from qcore.quantifiers.distribution_matching import ClassPoints, distinct_rows
from qcore.quantifiers.fitting import OneVsAll
from qcore.quantifiers.kernel_density import KDEyML
from tests.qcore.quantifiers.test_all_classes import problems, slow_least

REFERENCES = {
    (0, (30, 20, 10), 40): {
        "EDy": [0.0, 0.24145845, 0.75854155],
        "KDEy-ML": [0.22458, 0.09897, 0.67645],
    },
    (2, (40, 30, 20, 25), 80): {
        "EDy": [0.22274259, 0.11841516, 0.53282145, 0.1260208],
        "KDEy-ML": [0.26126, 0.07218, 0.57029, 0.09627],
    },
}
"""(seed, training instances of each class, sample size) -> estimates of quantificationlib 0.1.2 (EDy with Euclidean distances)
and of QuaPy 0.2.3 (KDEyML with bandwidth 0.1), computed from the same scores."""


def classes_apart(rng, labels, k):
    scores = rng.dirichlet(np.ones(k), len(labels)) + np.eye(k)[labels] * rng.random((len(labels), 1))
    rounded = (scores / scores.sum(axis=1, keepdims=True)).round(4)
    return rounded / rounded.sum(axis=1, keepdims=True)


def reference_problem(seed, of_class, size):
    rng, k = np.random.default_rng(seed), len(of_class)
    labels = np.repeat(np.arange(k), of_class)
    scores = classes_apart(rng, labels, k)
    return scores, labels, classes_apart(rng, rng.choice(k, size, p=rng.dirichlet(np.ones(k))), k)


@pytest.mark.parametrize("problem", REFERENCES, ids=str)
def test_reference_numbers(problem):
    scores, labels, sample = reference_problem(*problem)
    result = {
        key: quantifier.predict(sample) for key, quantifier in make_quantifiers(["EDy", "KDEy-ML"], scores, labels).items()
    }
    assert result["EDy"] == pytest.approx(REFERENCES[problem]["EDy"], abs=1e-8)
    # QuaPy stops its search of the largest likelihood at five digits.
    assert result["KDEy-ML"] == pytest.approx(REFERENCES[problem]["KDEy-ML"], abs=5e-5)


@pytest.mark.parametrize("key", ["EDy", "KDEy-ML"])
def test_all_classes_at_once_are_not_each_against_the_rest(key):
    scores, labels, sample = reference_problem(0, (30, 20, 10), 40)
    at_once = make_quantifiers([key], scores, labels)[key].predict(sample)
    assert np.abs(at_once - OneVsAll(QUANTIFIERS[key].make).fit(scores, labels).predict(sample)).max() > 0.03


@settings(max_examples=25)
@given(problem=problems(n_samples=2, size=8))
def test_no_prevalences_have_a_smaller_energy_distance(problem):
    scores, labels, samples = problem
    k, quantifier = scores.shape[1], make_quantifiers(["EDy"], *problem[:2])["EDy"]
    members = [scores[labels == label].tolist() for label in range(k)]

    def mean_distance(first, second):
        return sum(dist(a, b) for a in first for b in second) / (len(first) * len(second))

    between = np.array([[mean_distance(a, b) for b in members] for a in members])
    for sample, result in zip(samples, quantifier.predict(samples), strict=True):
        to_sample = np.array([mean_distance(a, sample.tolist()) for a in members])

        def energy(p, to_sample=to_sample):
            return 2 * p @ to_sample - p @ between @ p

        assert energy(result) <= slow_least(energy, k) + 1e-8


@settings(max_examples=25)
@given(problem=problems(n_samples=2, size=8))
def test_no_prevalences_make_a_sample_more_likely(problem):
    scores, labels, samples = problem
    k, quantifier = scores.shape[1], make_quantifiers(["KDEy-ML"], *problem[:2])["KDEy-ML"]
    bandwidth = 0.1 * (2**0.5 if k == 2 else 1)
    members = [scores[labels == label].tolist() for label in range(k)]
    for sample, result in zip(samples, quantifier.predict(samples), strict=True):
        densities = np.array(
            [
                [sum(exp(-((dist(s, one) / bandwidth) ** 2) / 2) for one in of_class) / len(of_class) for of_class in members]
                for s in sample.tolist()
            ]
        )
        # No vector can be more likely by more than the largest slope along an edge (Jensen).
        assert (densities / (densities @ result)[:, np.newaxis]).mean(axis=0).max() <= 1 + 1e-7


def test_an_instance_that_is_far_from_all_others_counts():
    """At the least bandwidth, each kernel of such an instance is below the smallest number; which one is largest is known."""
    scores = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    result = KDEyML(0.02).fit(scores, np.array([0, 0, 1, 1, 2, 2])).predict(np.array([[0.4, 0.35, 0.25]] * 5))
    assert result == pytest.approx([1, 0, 0], abs=1e-6)


def test_a_pool_is_looked_at_once_however_many_blocks_of_samples_there_are():
    rng = np.random.default_rng(0)
    pool, calls = ClassPool(rng.dirichlet(np.ones(3), 30)), []

    def doubled(scores):
        calls.append(len(scores))
        return 2.0 * scores

    for _ in range(3):
        index = rng.integers(30, size=(4, 7))
        values = ClassBatch.of_pool(pool, index).at_instances(doubled)
        assert values.tolist() == (2.0 * pool.scores[index]).tolist()
    assert calls == [30]


def test_equal_instances_are_looked_at_once():
    rng = np.random.default_rng(0)
    rows, labels = rng.dirichlet(np.ones(3), 9), np.repeat([0, 1, 2], [5, 10, 25])
    scores = rows[rng.integers(9, size=40)]
    points = ClassPoints(scores, labels)
    assert len(points.points) == 9
    sizes = []

    def counted(distances):
        sizes.append(distances.shape)
        return distances

    means = points.means(scores, counted)
    assert sizes == [(9, 9)]
    for label in range(3):
        slow = np.linalg.norm(scores[:, np.newaxis] - scores[labels == label], axis=2).mean(axis=1)
        assert means[:, label] == pytest.approx(slow, abs=1e-12)


def test_rows_that_only_look_alike_are_kept_apart(monkeypatch):
    rows = np.array([[0.2, 0.8], [0.5, 0.5], [0.2, 0.8]])
    monkeypatch.setattr("qcore.quantifiers.distribution_matching.np.sqrt", np.zeros_like)
    points, places = distinct_rows(rows)
    assert points[places].tolist() == rows.tolist()
