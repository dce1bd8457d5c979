"""Samples and the artificial-prevalence protocol: exact counts, no repeats, uniform draws, bounded blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from qcore import ArtificialPrevalence
from qcore._base.validation import InvalidInput
from qcore.protocols import PoolTooSmall
from qcore.protocols import samples as drawing
from qcore.protocols.samples import draw_without_replacement


def pool(n_positives: int, n_negatives: int) -> np.ndarray:
    return np.random.default_rng(5).permutation(np.repeat([1, 0], [n_positives, n_negatives]))


@given(
    grid=st.sampled_from([2, 3, 11, 21]),
    size=st.integers(1, 40),
    repeats=st.integers(1, 4),
    extra=st.integers(0, 400),
    seed=st.integers(0, 1000),
)
def test_every_sample_is_what_was_asked(grid, size, repeats, extra, seed):
    labels = pool(size + extra, size)
    samples = ArtificialPrevalence(grid, size, repeats).draw(labels, np.random.default_rng(seed))
    assert len(samples) == grid * repeats
    seen = 0
    for block, index in samples.blocks():
        assert index.shape == (block.stop - block.start, size)
        assert (np.diff(np.sort(index, axis=1), axis=1) > 0).all() or size == 1, "an instance twice in a sample"
        assert (labels[index].sum(axis=1) == samples.positives[block]).all()
        seen += len(index)
    assert seen == len(samples)
    assert samples.prevalences == pytest.approx(np.repeat(np.linspace(0, 1, grid), repeats), abs=0.5 / size + 1e-9)


@pytest.mark.parametrize(("n_drawn", "n_pool"), [(3, 7), (3, 60), (5, 5)])
def test_draws_are_uniform(n_drawn, n_pool):
    drawn = draw_without_replacement(np.full(60_000, n_drawn), n_pool, np.random.default_rng(0))
    for column in range(n_drawn):
        assert chisquare(np.bincount(drawn[:, column], minlength=n_pool)).pvalue > 1e-4
    first_two = drawn[:, 0] * n_pool + drawn[:, 1]
    pairs = np.bincount(first_two, minlength=n_pool**2).reshape(n_pool, n_pool)
    assert np.trace(pairs) == 0
    assert chisquare(pairs[~np.eye(n_pool, dtype=bool)]).pvalue > 1e-4


@pytest.mark.parametrize("n_drawn", [1, 30])
def test_rows_that_draw_too_many_repeats_are_drawn_again(n_drawn, monkeypatch):
    monkeypatch.setattr(drawing.np, "ceil", lambda value: 0)
    drawn = drawing._draw_by_rejection(4000, n_drawn, 240, np.random.default_rng(0))
    assert drawn.shape == (4000, n_drawn)
    assert (np.diff(np.sort(drawn, axis=1), axis=1) > 0).all()
    if n_drawn > 1:
        assert chisquare(np.bincount(drawn.ravel(), minlength=240)).pvalue > 1e-4


@pytest.mark.parametrize(("n_drawn", "n_pool"), [(1, 2), (40, 300), (150, 1000), (700, 5000), (59, 60)])
def test_draws_are_the_same_whether_all_keys_are_sorted_or_the_smallest_only(n_drawn, n_pool, monkeypatch):
    counts = np.full(500, n_drawn)
    drawn = drawing._draw_by_sorting(counts, n_pool, np.random.default_rng(0))
    monkeypatch.setattr(drawing, "_WORTH_FILTERING", 0.0)
    monkeypatch.setattr(drawing, "_KEYS_AT_ONCE", 10**9)
    np.testing.assert_array_equal(drawn, drawing._draw_by_sorting(counts, n_pool, np.random.default_rng(0)))


@pytest.mark.parametrize(("n_drawn", "n_pool"), [(40, 60), (150, 1000), (10, 1000)])
def test_a_draw_does_not_depend_on_how_long_it_is(n_drawn, n_pool):
    counts = np.append(np.arange(n_drawn), n_drawn).repeat(9)
    drawn = draw_without_replacement(counts, n_pool, np.random.default_rng(0))
    whole = draw_without_replacement(np.full(len(counts), n_drawn), n_pool, np.random.default_rng(0))
    is_drawn = np.arange(n_drawn) < counts[:, np.newaxis]
    np.testing.assert_array_equal(drawn[is_drawn], whole[is_drawn])


def test_rows_of_large_keys_only_are_sorted_whole():
    keys = np.full((3, 100), 2**64 - 2**20, dtype=np.uint64)
    assert drawing._smallest(keys, 5, np.uint64(127)).tolist() == [[0, 1, 2, 3, 4]] * 3


@pytest.mark.parametrize(("n_columns", "n_first"), [(300, 40), (900, 200), (60, 59), (5000, 100), (1, 1), (2, 2)])
def test_keys_with_the_same_top_bits_are_in_the_order_of_the_others(n_columns, n_first):
    """Only 2^12 different keys in their top 32 bits: many rows have equal ones, among the first and at their end."""
    rng, low_bits = np.random.default_rng(1), np.uint64(2 ** max(int(n_columns - 1).bit_length(), 1) - 1)
    keys = (rng.integers(2**12, size=(200, n_columns)).astype(np.uint64) << np.uint64(52)) | rng.integers(
        2**20, size=(200, n_columns)
    ).astype(np.uint64)
    whole = (keys & ~low_bits) | np.arange(n_columns, dtype=np.uint64)
    expected = np.argsort(whole, axis=1)[:, :n_first]
    np.testing.assert_array_equal(drawing._smallest(keys, n_first, low_bits), expected)


def test_a_large_share_of_a_large_pool_is_drawn_at_once():
    drawn = draw_without_replacement(np.array([200_000]), 1_600_000, np.random.default_rng(0))
    assert len(np.unique(drawn)) == 200_000
    assert draw_without_replacement(np.zeros(3, dtype=int), 0, np.random.default_rng(0)).shape == (3, 0)


def test_a_seed_gives_the_same_samples_and_another_gives_others():
    labels, protocol = pool(50, 50), ArtificialPrevalence(5, 20, 3)
    one, two, other = (protocol.draw(labels, np.random.default_rng(seed)) for seed in (1, 1, 2))
    first, second, third = (np.concatenate([index for _, index in s.blocks()]) for s in (one, two, other))
    assert (first == second).all()
    assert not (first == third).all()


def test_large_grids_are_drawn_block_by_block_and_again_alike(monkeypatch):
    monkeypatch.setattr("qcore.protocols.samples._INDICES_TO_KEEP", 0)
    monkeypatch.setattr("qcore.protocols.samples.SCORES_PER_BLOCK", 1000)
    samples = ArtificialPrevalence(11, 50, 10).draw(pool(200, 200), np.random.default_rng(0))
    first, again = ([index for _, index in samples.blocks()] for _ in range(2))
    assert len(first) == 6
    assert all(index.size <= 1000 for index in first)
    assert all((a == b).all() for a, b in zip(first, again, strict=True))


def test_true_prevalence_is_the_samples_own():
    samples = ArtificialPrevalence(21, 10, 1).draw(pool(30, 30), np.random.default_rng(0))
    assert samples.targets[1] == pytest.approx(0.05)
    assert set(samples.prevalences) <= {k / 10 for k in range(11)}


def test_prevalences_can_be_given():
    samples = ArtificialPrevalence([0.5, 0.1], 10, 2).draw(pool(30, 30), np.random.default_rng(0))
    assert samples.positives.tolist() == [1, 1, 5, 5]


class TestTooSmallAPool:
    def test_says_the_largest_size_that_works(self):
        with pytest.raises(PoolTooSmall, match=r"25 positives and 50 negatives.*got 100.*Choose 25") as rejected:
            ArtificialPrevalence(21, 100, 10).draw(pool(25, 50), np.random.default_rng(0))
        assert rejected.value.largest == 25
        ArtificialPrevalence(21, 25, 10).draw(pool(25, 50), np.random.default_rng(0))

    @given(
        n_positives=st.integers(0, 30),
        n_negatives=st.integers(0, 30),
        prevalences=st.lists(st.floats(0, 1), min_size=2, max_size=4),
    )
    def test_the_largest_size_works_and_the_next_does_not(self, n_positives, n_negatives, prevalences):
        protocol = ArtificialPrevalence(prevalences, 1, 1)
        largest = protocol.largest_sample_size(n_positives, n_negatives)

        def works(size: int) -> bool:
            counts = [int(np.rint(np.round(p * size, 9))) for p in prevalences]
            return all(k <= n_positives and size - k <= n_negatives for k in counts)

        assert all(works(size) for size in range(1, largest + 1))
        assert not works(largest + 1)

    def test_an_empty_class(self):
        with pytest.raises(PoolTooSmall, match="larger pool"):
            ArtificialPrevalence(11, 5, 1).check_pool(0, 50)


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"grid": 1}, "grid must be a whole number of at least 2, got 1. Choose for example 11, 21 or 101 points."),
        ({"grid": []}, "grid must have at least 1 prevalence"),
        ({"grid": [0.5, 1.5]}, "1.5"),
        ({"grid": 2.5}, "2.5"),
        ({"grid": None}, "None"),
        ({"sample_size": 0}, "sample_size must be a whole number of at least 1, got 0"),
        ({"sample_size": 2.5}, "2.5"),
        ({"repeats": 0}, "repeats"),
    ],
)
def test_bad_settings(bad, named):
    with pytest.raises(InvalidInput) as rejected:
        ArtificialPrevalence(**bad)
    assert named in str(rejected.value)
