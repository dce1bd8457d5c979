"""Orders of keys are kept between draws, and change none of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore.protocols import ArtificialPrevalence, SimplexPrevalence
from qcore.protocols import samples as drawing
from qcore.protocols.samples import KeptOrders, draw_without_replacement


class NothingKept:
    def get(self, rng, shape, n_first, ordered):
        return ordered(n_first)


@pytest.fixture(autouse=True)
def kept(monkeypatch):
    orders = KeptOrders(2**20)
    monkeypatch.setattr(drawing, "KEPT_ORDERS", orders)
    return orders


def drawn_afresh(n_drawn, n_pool, rng):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "KEPT_ORDERS", NothingKept())
        return draw_without_replacement(n_drawn, n_pool, rng)


def of_draws(draws, n_drawn):
    """The numbers that are drawn: what follows them in a row is none."""
    return [row[:n].tolist() for row, n in zip(draws, n_drawn, strict=True)]


@given(st.data())
def test_draws_of_any_sizes_one_after_the_other_are_those_of_fresh_keys(data):
    n_pool = data.draw(st.sampled_from([3, 40, 300]))
    sizes = data.draw(st.lists(st.integers(n_pool // 8 + 1, n_pool), min_size=1, max_size=5))
    numbers_before = data.draw(st.integers(0, 3))
    for size in sizes:
        n_drawn = np.linspace(0, size, 30).astype(int)
        ours, fresh = np.random.default_rng(1), np.random.default_rng(1)
        # An odd number of 32-bit numbers leaves half of a 64-bit number over, which the next 32-bit number takes.
        for rng in (ours, fresh):
            rng.integers(10, size=numbers_before, dtype=np.uint32)
        expected = of_draws(drawn_afresh(n_drawn, n_pool, fresh), n_drawn)
        assert of_draws(draw_without_replacement(n_drawn, n_pool, ours), n_drawn) == expected
        for kind in (np.uint32, np.uint64):
            assert np.array_equal(*(rng.integers(1000, size=3, dtype=kind) for rng in (ours, fresh)))


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_every_generator_draws_as_it_would(bits):
    for size in (60, 100, 80):
        n_drawn = np.full(20, size)
        ours = draw_without_replacement(n_drawn, 120, np.random.Generator(bits(3)))
        assert np.array_equal(ours, drawn_afresh(n_drawn, 120, np.random.Generator(bits(3))))


def test_a_larger_sample_begins_with_the_keys_that_are_kept_and_they_are_drawn_no_more(monkeypatch):
    labels = np.repeat([0, 1, 2], [300, 200, 100])
    calls = []
    ordered = drawing._smallest
    monkeypatch.setattr(drawing, "_smallest", lambda *given: calls.append(given) or ordered(*given))
    draws = {}
    for size in (40, 50, 60, 80, 45):
        calls.clear()
        draws[size] = [
            [index for _, index in protocol.draw(of, np.random.default_rng(0)).blocks()]
            for protocol, of in (
                (ArtificialPrevalence(sample_size=size, repeats=5), labels[labels < 2]),
                (SimplexPrevalence(sample_size=size), labels),
            )
        ]
        assert bool(calls) == (size in (40, 50))
    monkeypatch.setattr(drawing, "KEPT_ORDERS", NothingKept())
    again = [
        index
        for _, index in ArtificialPrevalence(sample_size=80, repeats=5)
        .draw(labels[labels < 2], np.random.default_rng(0))
        .blocks()
    ]
    assert np.array_equal(again, draws[80][0])


def test_the_orders_used_last_are_kept_up_to_a_limit(kept):
    for seed in range(40):
        draw_without_replacement(np.full(200, 150), 200, np.random.default_rng(seed))
    assert 0 < kept.n_bytes <= 2**20
    assert kept.n_bytes == sum(order.nbytes for order in kept._orders.values())


def test_of_many_small_draws_a_limited_number_is_kept(kept, monkeypatch):
    monkeypatch.setattr(drawing, "_MOST_ORDERS", 10)
    for seed in range(30):
        draw_without_replacement(np.array([2]), 5, np.random.default_rng(seed))
    assert len(kept._orders) == 10
    assert kept.n_bytes == 20
