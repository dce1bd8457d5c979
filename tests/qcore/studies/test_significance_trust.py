"""Simulated studies: a test that keeps its promise, and the mistake that breaks it."""

import numpy as np
import pytest

from qcore import InvalidInput
from qcore.studies.significance_trust import ADVANTAGES, trust, trust_by_advantage


def test_the_test_keeps_its_promise_on_data_sets_and_not_on_test_cases():
    equal = trust(6, 24, 11, rng=np.random.default_rng(1))
    assert 0.02 <= equal.of_data_sets <= 0.08
    assert equal.of_test_cases > 0.5
    better = trust(6, 24, 11, advantage=1.5, rng=np.random.default_rng(1))
    assert better.of_data_sets > 0.8
    independent = trust(6, 24, 11, spread=0.0, rng=np.random.default_rng(1))
    assert 0.02 <= independent.of_test_cases <= 0.08


def test_the_advantages_are_simulated_in_their_order():
    result = trust_by_advantage(4, 20, 5, 1.0, seed=0)
    assert len(result) == len(ADVANTAGES)
    assert result[0].of_data_sets < 0.2 < result[-1].of_data_sets


def test_one_method_is_no_comparison():
    with pytest.raises(InvalidInput, match="methods must be at least two"):
        trust_by_advantage(1, 20, 5, 1.0, seed=0)


def test_it_is_the_test_of_the_headline_whose_p_value_is_exact_with_few_data_sets():
    few = trust(3, 3, 5, repetitions=800, rng=np.random.default_rng(0))
    assert 0.01 < few.of_data_sets < 0.05, "2.8% by enumeration; F alone rejects 19%"
