"""Samples of class scores that were drawn from a pool are answered as the same scores without one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.batch import ClassBatch, ClassPool
from qcore.quantifiers.likelihood_maximisation import most_likely_prevalences
from qcore.quantifiers.simplex_adjustment import minimise_on_simplex, solve_on_simplex


@pytest.mark.parametrize("key", QUANTIFIERS)
def test_samples_of_a_pool_are_answered_as_their_scores(key):
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(3), [30, 40, 20])
    scores = rng.dirichlet(np.ones(3), 90) + 0.5 * np.eye(3)[labels]
    scores /= scores.sum(axis=1, keepdims=True)
    # Rounded, so that scores tie: quarters for two of the classes.
    pool = np.array([[0.25, 0.25, 0.5], [0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [0.75, 0.25, 0.0], [0.25, 0.5, 0.25]])
    pool = np.concatenate([pool, rng.dirichlet(np.ones(3), 20)])
    index = rng.integers(len(pool), size=(12, 15)).astype(np.int32)
    quantifier = make_quantifiers([key], scores, labels)[key]
    from_pool = quantifier.predict(ClassBatch.of_pool(ClassPool(pool), index))
    assert from_pool == pytest.approx(quantifier.predict(pool[index]), abs=1e-12)


def test_what_a_batch_knows_is_the_same_with_and_without_a_pool():
    rng = np.random.default_rng(0)
    pool = rng.dirichlet(np.ones(4), 30)
    index = rng.integers(30, size=(5, 40))
    drawn, plain = ClassBatch.of_pool(ClassPool(pool), index), ClassBatch(pool[index])
    for batch in (drawn, plain):
        assert batch.scores.tolist() == pool[index].tolist()
        assert batch.by_class.tolist() == pool[index].swapaxes(1, 2).tolist()
        assert batch.mean == pytest.approx(pool[index].mean(axis=1))
        assert batch.predicted_share == pytest.approx(
            (pool[index].argmax(axis=2)[..., np.newaxis] == np.arange(4)).mean(axis=1)
        )
        assert batch.of_class(2).increasing.tolist() == np.sort(pool[index][:, :, 2], axis=1).tolist()


@given(st.integers(0, 10**6), st.integers(2, 8))
def test_programmes_with_one_curvature_are_those_with_as_many_copies_of_it(seed, k):
    rng = np.random.default_rng(seed)
    root, linear = rng.normal(size=(k, k)), 5.0 * rng.normal(size=(30, k))
    curvature = root.T @ root + 0.01 * np.eye(k)
    copies = np.broadcast_to(curvature, (30, k, k))
    assert minimise_on_simplex(curvature, linear) == pytest.approx(minimise_on_simplex(copies, linear), abs=1e-9)


def test_each_sample_is_answered_alone():
    """Samples that have arrived early wait for the others: that must change none of them."""
    rng = np.random.default_rng(3)
    prevalences = rng.dirichlet(np.full(3, 0.5), 60)
    labels = np.array([rng.choice(3, 50, p=p) for p in prevalences])
    scores = rng.dirichlet(np.ones(3), (60, 50)) + rng.choice([0.1, 1.0, 10.0], (60, 1, 1)) * np.eye(3)[labels]
    ratios = np.ascontiguousarray((scores / scores.sum(axis=2, keepdims=True)).swapaxes(1, 2))
    start = np.full((60, 3), 1 / 3)
    alone = [most_likely_prevalences(ratios[[row]], start[[row]])[0] for row in range(60)]
    assert most_likely_prevalences(ratios, start) == pytest.approx(np.array(alone), abs=1e-12)
    rates, observed = rng.dirichlet(np.ones(3), 3).T, prevalences
    alone = [solve_on_simplex(rates, observed[[row]])[0] for row in range(60)]
    assert solve_on_simplex(rates, observed) == pytest.approx(np.array(alone), abs=1e-12)
