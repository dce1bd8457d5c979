"""Algorithm 1 of Maletzke et al. (2020): what every grid of sizes and prevalences must hold, whatever the pool."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.settings.number_text import typed_sizes
from qcore import ArtificialPrevalence, InvalidInput, SizeGrid
from qcore.protocols import PoolTooSmall
from qcore.protocols.artificial_prevalence import MAX_SIZES
from qcore.studies.sample_size import GRID_OF_MALETZKE_2020


def pool(n_positives: int, n_negatives: int) -> np.ndarray:
    return np.random.default_rng(7).permutation(np.repeat([1, 0], [n_positives, n_negatives]))


def indices(samples) -> np.ndarray:
    return np.concatenate([index for _, index in samples.blocks()])


@settings(max_examples=40)
@given(
    sizes=st.lists(st.integers(2, 30), min_size=1, max_size=4),
    grid=st.one_of(st.integers(2, 12), st.lists(st.floats(0, 1), min_size=2, max_size=4, unique=True).map(tuple)),
    repeats=st.integers(1, 4),
    counts=st.tuples(st.integers(30, 60), st.integers(30, 60)),
    seed=st.integers(0, 2**32),
)
def test_the_invariants_of_algorithm_1(sizes, grid, repeats, counts, seed):
    requested = SizeGrid(tuple(sizes), grid, repeats)
    labels = pool(*counts)
    drawn = requested.draw(labels, np.random.default_rng(seed))
    assert [samples.sample_size for samples in drawn] == sorted(set(sizes)), "every size, each once"
    assert sum(map(len, drawn)) == len(requested)
    for samples in drawn:
        size = samples.sample_size
        index = indices(samples)
        assert index.shape == (len(requested.prevalences) * repeats, size)
        assert (np.diff(np.sort(index, axis=1), axis=1) > 0).all(), "no instance twice inside a sample"
        cells = list(zip(samples.targets.tolist(), samples.repeats.tolist(), strict=True))
        assert cells == [(p, r) for p in requested.prevalences.tolist() for r in range(repeats)], "every prevalence and repeat"
        exact = np.rint(np.round(samples.targets * size, 9))
        assert (labels[index].sum(axis=1) == exact).all(), "exact positives per cell"


@given(n_positives=st.integers(1, 60), n_negatives=st.integers(1, 60), grid=st.integers(2, 9))
def test_what_fits_can_be_drawn_and_nothing_more(n_positives, n_negatives, grid):
    requested = SizeGrid(tuple(range(2, 32)), grid, 1)
    if min(n_positives, n_negatives) < 2:
        with pytest.raises(PoolTooSmall):
            requested.fitting_sizes(n_positives, n_negatives)
        return
    kept, left_out, largest = requested.fitting_sizes(n_positives, n_negatives)
    assert sorted(kept + left_out) == list(requested.sizes)
    assert largest == min(n_positives, n_negatives), "the grid has the prevalences 0 and 1 (Maletzke et al. 2020, algorithm 1)"
    assert all(size <= largest for size in kept)
    assert all(size > largest for size in left_out)
    labels = pool(n_positives, n_negatives)
    requested.of(kept).draw(labels, np.random.default_rng(0))
    if left_out:
        with pytest.raises(PoolTooSmall, match=str(largest)):
            requested.only(left_out[0]).draw(labels, np.random.default_rng(0))


def test_a_size_does_not_depend_on_the_others():
    labels = pool(80, 90)
    many = SizeGrid((5, 20, 60), 11, 3)
    for samples in many.draw(labels, np.random.default_rng(4)):
        size = samples.sample_size
        (alone,) = many.only(size).draw(labels, np.random.default_rng(4))
        assert (indices(alone) == indices(samples)).all()
        assert (indices(many.draw_at(size, labels, np.random.default_rng(4))) == indices(samples)).all()
    other = many.draw(labels, np.random.default_rng(5))[0]
    assert (indices(other) != indices(many.draw(labels, np.random.default_rng(4))[0])).any()


def test_sizes_are_drawn_independently():
    """Else an instance that is rare at one size would be rare at all."""
    labels = pool(100, 100)
    small, large = SizeGrid((50, 51), (0.4, 0.5), 200).draw(labels, np.random.default_rng(0))
    assert (np.sort(indices(small), axis=1) != np.sort(indices(large), axis=1)[:, :50]).any(axis=1).mean() > 0.99


def test_the_papers_grid():
    assert len(GRID_OF_MALETZKE_2020) == 14_140
    assert GRID_OF_MALETZKE_2020.sizes == (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500)
    assert GRID_OF_MALETZKE_2020.prevalences == pytest.approx(np.arange(101) / 100)
    assert GRID_OF_MALETZKE_2020.at(70) == ArtificialPrevalence(101, 70, 10)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((), "sizes must be 1 to 30 sample sizes, got 0"),
        ((1, 5), "a sample size must be a whole number of at least 2, got 1"),
        ((5.5,), r"got 5\.5"),
        ("10 20", "sizes must be a list of sample sizes, got '10 20'"),
        (10, "sizes must be a list"),
        (tuple(range(2, 40)), "got 38"),
    ],
)
def test_bad_sizes(sizes, message):
    with pytest.raises(InvalidInput, match=message):
        SizeGrid(sizes)


def test_bad_grids():
    with pytest.raises(InvalidInput, match="grid must be a whole number of at least 2, got 1"):
        SizeGrid((5,), 1)
    with pytest.raises(InvalidInput, match="repeats must be"):
        SizeGrid((5,), 11, 0)
    with pytest.raises(PoolTooSmall, match=r"fit into a pool of 4 positives and 9 negatives .* Add one of 4 or less"):
        SizeGrid((5, 10), 11).fitting_sizes(4, 9)
    with pytest.raises(PoolTooSmall, match="Use a larger pool"):
        SizeGrid((2, 10), 11).fitting_sizes(1, 50)


def test_a_grid_may_be_an_array_and_has_each_prevalence_once():
    one = SizeGrid((5,), np.array([0.5, 0.1, 0.5]))
    assert one.grid == (0.1, 0.5)
    assert one == SizeGrid((5,), (0.1, 0.5))
    assert len(one) == 40


@given(st.lists(st.integers(2, 1000), min_size=1, max_size=MAX_SIZES), st.sampled_from([" ", ",", "; ", "\n", "  ,"]))
def test_typed_sizes_are_read_back(sizes, between):
    assert typed_sizes(between.join(map(str, sizes)), 1000) == tuple(sorted(set(sizes)))


@settings(max_examples=50)
@given(st.text(max_size=30))
def test_any_text_gives_sizes_or_a_sentence(text):
    with contextlib.suppress(InvalidInput):
        assert all(2 <= size <= 1000 for size in typed_sizes(text, 1000))


@pytest.mark.parametrize("text", ["", "1", "1001", "10 x", "1e2", "10.5", "-5", "٣٠", "10 " * 31])
def test_what_is_no_size(text):
    with pytest.raises(InvalidInput, match=r"sample size.*Write for example: 10 20 50 100"):
        typed_sizes(text, 1000)
