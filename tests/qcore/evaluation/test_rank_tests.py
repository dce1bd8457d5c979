"""The exact p-value of ranks: every way counted one by one, published tables, and how often it rejects equal methods."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, rankdata

from qcore.evaluation.significance import MOST_SETS, exact_p_value, friedman_statistic, iman_davenport

few = st.sampled_from([(2, 2), (2, 5), (3, 2), (3, 4), (4, 2), (4, 3)]).flatmap(
    lambda shape: st.lists(st.lists(st.integers(0, 3), min_size=shape[0], max_size=shape[0]), min_size=2, max_size=shape[1])
)


@given(few)
def test_it_is_the_share_of_all_ways_counted_one_by_one(losses):
    ranks = rankdata(np.array(losses), axis=1)
    ways = np.array(list(product(*(list(permutations(row)) for row in ranks))))
    squares = (ways.sum(axis=1) ** 2).sum(axis=1)
    expected = np.mean(squares > (ranks.sum(axis=0) ** 2).sum() - 1e-9)
    assert exact_p_value(ranks) == pytest.approx(expected)


def of_sums(n_methods, n_sets, sums):
    """Ranks without ties of data sets that add up to these sums."""
    rows = list(permutations(range(1, n_methods + 1)))
    return next(np.array(rank, dtype=float) for rank in product(rows, repeat=n_sets) if tuple(np.sum(rank, axis=0)) == sums)


def test_it_is_that_of_published_tables():
    """Values that tables of this distribution have held since Friedman 1937."""
    for n_methods, n_sets, sums, statistic, p in (
        (3, 3, (3, 6, 9), 6.0, 0.028), (3, 3, (4, 5, 9), 4.667, 0.194), (3, 4, (4, 9, 11), 6.5, 0.042),
        (4, 2, (2, 4, 6, 8), 6.0, 0.042), (4, 3, (3, 6, 10, 11), 8.2, 0.017),
    ):  # fmt: skip
        ranks = of_sums(n_methods, n_sets, sums)
        assert friedman_statistic(ranks) == pytest.approx(statistic, abs=5e-4)
        assert exact_p_value(ranks) == pytest.approx(p, abs=5e-4)
        assert iman_davenport(ranks).p_value == pytest.approx(exact_p_value(ranks))


@pytest.mark.parametrize(("n_methods", "n_sets"), [(3, 3), (3, 15), (4, 10), (5, 5), (6, 3)])
def test_equal_methods_are_told_apart_no_more_often_than_allowed(n_methods, n_sets):
    rng = np.random.default_rng(0)
    studies = rng.permuted(np.tile(np.arange(1.0, n_methods + 1), (4000, n_sets, 1)), axis=-1)
    rejected = np.mean([iman_davenport(ranks).p_value <= 0.05 for ranks in studies])
    assert rejected <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_too_many_ways_are_left_to_f():
    for n_methods, n_sets in MOST_SETS.items():
        rows = np.tile(np.arange(1.0, n_methods + 1), (n_sets, 1))
        assert exact_p_value(rows) == pytest.approx(iman_davenport(rows).p_value)
        assert exact_p_value(np.vstack([rows, rows[:1]])) is None
    assert exact_p_value(np.tile(np.arange(1.0, 10.0), (2, 1))) is None


def test_of_two_methods_it_is_known_for_any_number_of_data_sets():
    ranks = np.array([[1.0, 2.0]] * 70 + [[2.0, 1.0]] * 50 + [[1.5, 1.5]] * 9)
    assert iman_davenport(ranks).p_value == pytest.approx(2 * binom.cdf(50, 120, 0.5))
