"""What protocols are given: a grid of another kind, a set in place of a path, and more samples than memory holds."""

import numpy as np
import pandas as pd
import pytest

from qcore import (
    ArtificialPrevalence,
    BetaPrevalence,
    InvalidInput,
    NaturalPrevalence,
    PrevalencePath,
    SizeGrid,
    UniformPrevalence,
)
from qcore.protocols import PoolTooSmall, largest_grid

MANY, TOO_LARGE = 10**9, 10**30


@pytest.mark.parametrize("make", [lambda grid: ArtificialPrevalence(grid, 10, 2), lambda grid: SizeGrid((10,), grid, 2)])
@pytest.mark.parametrize(
    "grid", ["21", "", "0.1 0.5", b"ab", iter([0.1, 0.5]), {0.1, 0.5}, {0.1: 1, 0.5: 2}, pd.Series([0.1, 0.5])]
)
def test_a_grid_is_a_number_or_a_list(make, grid):
    with pytest.raises(InvalidInput, match=r"^grid must be a whole number of points or a list of prevalences, got "):
        make(grid)


def test_a_grid_is_no_array_without_an_axis():
    with pytest.raises(InvalidInput, match=r"^grid must be a whole number of at least 2, got array\(5\)"):
        ArtificialPrevalence(np.array(5))


@pytest.mark.parametrize("path", [{0.3}, {0.3: 1}, {"a": 0.3}.values(), b"a", "0.3"])
def test_a_path_has_an_order(path):
    with pytest.raises(InvalidInput, match=r"^prevalences must be a list of prevalences"):
        PrevalencePath(path)


@pytest.mark.parametrize("many", [MANY, TOO_LARGE])
@pytest.mark.parametrize(("make", "message"), [
    (lambda n: ArtificialPrevalence(3, 10, n), r"repeats must give at most 10,000,000 samples.*each of 3 prevalences. "
     "Choose 3,333,333 repeats or less"),
    (lambda n: ArtificialPrevalence(n, 10, 1), "repeats must give at most .* Choose fewer prevalences"),
    (lambda n: PrevalencePath((0.3, 0.5), 10, n), "repeats must give at most .*each of 2 steps. Choose 5,000,000"),
    (lambda n: SizeGrid((10, 20), 3, n), "repeats must give at most 10,000,000 samples"),
    (lambda n: UniformPrevalence(n), "n_samples must be at most 10,000,000 for 2 classes"),
    (lambda n: NaturalPrevalence(n), "n_samples must be at most 10,000,000 for 2 classes"),
    (lambda n: BetaPrevalence(1, 1, n), "n_samples must be at most 10,000,000 for 2 classes"),
])  # fmt: skip
def test_more_samples_than_memory_holds_are_refused(make, message, many):
    with pytest.raises(InvalidInput, match=f"^{message}"):
        make(many)


def test_all_sizes_of_a_grid_count():
    SizeGrid((10,), 100, 100_000)
    with pytest.raises(InvalidInput, match=r"100,000 at each of 200 sizes and prevalences. Choose 50,000 repeats or less"):
        SizeGrid((10, 20), 100, 100_000)


@pytest.mark.parametrize("kind", [UniformPrevalence, NaturalPrevalence])
def test_more_classes_leave_room_for_fewer_samples(kind):
    protocol = kind(300_000, 1)
    with pytest.raises(InvalidInput, match=r"n_samples must be at most 200,000 for 100 classes.* Choose 200,000 or less"):
        protocol.draw(np.arange(100).repeat(2), np.random.default_rng(0))


@pytest.mark.parametrize("protocol", [ArtificialPrevalence(3, TOO_LARGE, 2), PrevalencePath((0.3,), TOO_LARGE)])
def test_no_sample_is_larger_than_its_pool_however_large(protocol):
    with pytest.raises(PoolTooSmall, match="fit into a pool of 30 positives and 50 negatives"):
        protocol.draw(np.repeat([0, 1], [50, 30]), np.random.default_rng(0))


def test_the_largest_grid_of_a_large_budget_is_found_at_once():
    assert largest_grid(TOO_LARGE, 2) == TOO_LARGE
    assert largest_grid(5000, 4) == 30
    assert largest_grid(8, 4, 2) == 2
