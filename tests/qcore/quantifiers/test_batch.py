"""A block of samples: what is derived from it is the same with and without the pool, and what the definitions say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from qcore import QUANTIFIERS, make_quantifiers
from qcore._base.validation import InvalidInput
from qcore.protocols.samples import samples_per_block
from qcore.quantifiers.base import blockwise
from qcore.quantifiers.batch import Batch, RankedPool
from tests.qcore.slow_matching import histogram


@st.composite
def drawn(draw):
    """A pool with ties, and samples of it as indices."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    cells = draw(st.sampled_from([3, 10, 60, 110, 10**9]))
    pool = np.round(rng.random(draw(st.integers(1, 60))) * cells) / cells
    index = rng.integers(len(pool), size=(draw(st.integers(1, 5)), draw(st.integers(1, 40))))
    return pool, index.astype(np.int32)


@given(drawn(), st.sampled_from([1, 2, 8, 10, 13, 14, 20, 60, 110]))
def test_the_pool_changes_nothing(problem, n_bins):
    pool, index = problem
    plain, ranked = Batch(pool[index]), Batch(pool[index], RankedPool(pool), index)
    edges = np.unique(np.round(pool, 1))
    assert (plain.increasing == ranked.increasing).all()
    assert (plain.locate(edges) == ranked.locate(edges)).all()
    assert (plain.histogram(n_bins) == ranked.histogram(n_bins)).all()
    assert (plain.mean == ranked.mean).all()


@given(drawn(), st.sampled_from([1, 2, 4, 6, 7, 8, 10, 18, 20, 30, 110]))
def test_histograms_are_those_of_the_definition(problem, n_bins):
    pool, index = problem
    counts = Batch(pool[index]).histogram(n_bins)
    assert counts.tolist() == [(np.array(histogram(row, n_bins)) * len(row)).round().tolist() for row in pool[index]]


def test_scores_on_an_edge_belong_to_the_bin_above():
    for n_bins in range(1, 111):
        edges = np.arange(n_bins) / n_bins
        assert (Batch(edges[np.newaxis]).histogram(n_bins) == 1).all()
        assert Batch(np.array([[1.0]])).histogram(n_bins)[0, -1] == 1


def test_a_large_pool_is_not_ranked_for_a_small_sample():
    pool = RankedPool(np.linspace(0, 1, 1000))
    small, large = (np.arange(n, dtype=np.int32)[np.newaxis] for n in (10, 900))
    Batch.of_pool(pool, small).histogram(10)
    assert "ranks" not in vars(pool)
    Batch.of_pool(pool, large).histogram(10)
    assert "ranks" in vars(pool)


@pytest.mark.parametrize("key", QUANTIFIERS)
def test_samples_of_a_pool_are_answered_as_their_scores(key):
    rng = np.random.default_rng(1)
    labels = np.repeat([1, 0], [60, 90])
    scores, pool = np.round(rng.beta(1 + labels, 2 - labels), 2), np.round(rng.random(50), 2)
    index = rng.integers(50, size=(40, 30)).astype(np.int32)
    quantifier = make_quantifiers([key], scores, labels)[key]
    from_pool = quantifier.predict(Batch(pool[index], RankedPool(pool), index))
    assert from_pool == pytest.approx(quantifier.predict(pool[index]), abs=1e-12)


def test_blocks_are_bounded_and_put_together_again(monkeypatch):
    seen = []

    def mean(batch: Batch) -> np.ndarray:
        seen.append(len(batch))
        return batch.mean

    scores = np.random.default_rng(0).random((3, 4, 5))
    monkeypatch.setattr("qcore.protocols.samples.SCORES_PER_BLOCK", 25)
    assert blockwise(scores, mean) == pytest.approx(scores.mean(axis=-1))
    assert seen == [5, 5, 2]
    assert samples_per_block(1000) == 1


def test_a_block_keeps_to_one_thread():
    def threads() -> int:
        return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")

    before, seen = threads(), []

    def mean(batch: Batch) -> np.ndarray:
        seen.append(threads())
        return batch.mean

    blockwise(Batch(np.ones((2, 3))), mean)
    blockwise(np.ones((2, 3)), mean)
    assert seen == [1, 1]
    assert threads() == before


def test_a_pool_of_bad_scores_is_refused():
    with pytest.raises(InvalidInput, match="pool_scores must lie"):
        RankedPool([0.2, 1.5])
