"""Protocols beside the binary grid: counts, budgets, distributions, any number of classes, what a pool can't give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from qcore import (
    ArtificialPrevalence,
    BetaPrevalence,
    NaturalPrevalence,
    SimplexPrevalence,
    UniformPrevalence,
    evaluation_report,
)
from qcore._base.validation import InvalidInput
from qcore.protocols import PoolTooSmall, PrevalencePath, largest_grid, n_prevalences
from qcore.protocols.artificial_prevalence import simplex_prevalences
from qcore.protocols.pool import counts_of_prevalences

PROTOCOLS = {
    "APP": SimplexPrevalence(5, 12, 2),
    "UPP": UniformPrevalence(60, 12),
    "NPP": NaturalPrevalence(60, 12),
    "Beta": BetaPrevalence(1.0, 3.0, 60, 12),
}


def pool(*sizes: int) -> np.ndarray:
    return np.random.default_rng(5).permutation(np.repeat(np.arange(len(sizes)), sizes))


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_every_sample_has_its_counts_and_no_instance_twice(protocol, n_classes):
    labels = pool(*(12 + 7 * c for c in range(n_classes)))
    if n_classes > 2 and isinstance(protocol, BetaPrevalence):
        with pytest.raises(InvalidInput, match="2 classes"):
            protocol.draw(labels, rng())
        return
    samples = protocol.draw(labels, rng())
    assert samples.n_classes == n_classes
    assert (samples.counts.sum(axis=1) == 12).all()
    index = np.concatenate([block for _, block in samples.blocks()])
    assert index.shape == (len(samples), 12)
    assert (np.diff(np.sort(index, axis=1), axis=1) > 0).all()
    for c in range(n_classes):
        assert ((labels[index] == c).sum(axis=1) == samples.counts[:, c]).all()
    again = np.concatenate([block for _, block in protocol.draw(labels, rng()).blocks()])
    assert (again == index).all()
    expected = samples.counts[:, 1] / 12 if n_classes == 2 else samples.counts / 12
    assert (samples.prevalences == expected).all()
    assert samples.targets.shape == samples.prevalences.shape


def test_members_are_drawn_alike():
    labels = pool(4, 6, 9)
    index = np.concatenate([block for _, block in UniformPrevalence(40_000, 4).draw(labels, rng()).blocks()])
    for c in range(3):
        counts = np.bincount(index.ravel(), minlength=19)[labels == c]
        assert counts.std() / counts.mean() < 0.02


class TestSimplex:
    def test_counts_and_budgets_of_the_evaluation_page(self):
        assert n_prevalences(21, 4) == 1771
        assert largest_grid(5000, 4) == 30
        assert n_prevalences(30, 4) == 4960
        assert n_prevalences(21, 2) == 21

    @given(grid=st.integers(2, 9), n_classes=st.integers(2, 5))
    def test_all_compositions_once(self, grid, n_classes):
        result = simplex_prevalences(grid, n_classes)
        assert result.shape == (n_prevalences(grid, n_classes), n_classes)
        assert result.sum(axis=1) == pytest.approx(1)
        assert np.round(result * (grid - 1), 9) == pytest.approx(np.rint(result * (grid - 1)))
        assert len({tuple(row) for row in result.tolist()}) == len(result)

    @given(budget=st.integers(10, 4000), n_classes=st.integers(2, 5), repeats=st.integers(1, 2))
    def test_the_largest_grid_within_a_budget(self, budget, n_classes, repeats):
        grid = largest_grid(budget, n_classes, repeats)
        assert n_prevalences(grid, n_classes) * repeats <= budget < n_prevalences(grid + 1, n_classes) * repeats

    def test_two_classes_are_the_binary_grid(self):
        labels = pool(30, 30)
        for grid, size in ((21, 20), (21, 10), (11, 5), (21, 30)):
            simplex = SimplexPrevalence(grid, size, 3).draw(labels, rng())
            binary = ArtificialPrevalence(grid, size, 3).draw(labels, rng())
            assert (np.sort(simplex.positives) == binary.positives).all()


@given(st.lists(st.integers(0, 30), min_size=2, max_size=6).filter(any), st.integers(1, 50))
def test_counts_are_the_nearest_whole_numbers(weights, size):
    prevalences = np.array([weights]) / sum(weights)
    counts = counts_of_prevalences(prevalences, size)[0]
    assert counts.sum() == size
    assert (abs(counts - prevalences[0] * size) < 1).all()


def test_ties_go_to_the_first_class():
    assert counts_of_prevalences(np.array([[0.25, 0.25, 0.5]]), 10).tolist() == [[3, 2, 5]]


def test_upp_is_uniform_and_npp_stays_at_the_pools_prevalence():
    labels = pool(400, 300, 300)
    uniform = UniformPrevalence(4000, 200).draw(labels, rng())
    # A part of a uniform point of the simplex of 3 is Beta(1, 2).
    for c in range(3):
        assert kstest(uniform.targets[:, c], "beta", args=(1, 2)).pvalue > 1e-3
    natural = NaturalPrevalence(4000, 200).draw(labels, rng())
    assert natural.prevalences.mean(axis=0) == pytest.approx([0.4, 0.3, 0.3], abs=0.005)
    # Without replacement: less spread than the binomial's by the share of the pool that is left.
    expected = np.sqrt(0.4 * 0.6 / 200 * 800 / 999)
    assert natural.prevalences[:, 0].std() == pytest.approx(expected, rel=0.05)
    assert kstest(UniformPrevalence(4000, 300).draw(pool(300, 300), rng()).targets, "uniform").pvalue > 1e-3


def test_the_beta_density_is_the_one_asked_for():
    samples = BetaPrevalence(2.0, 8.0, 4000, 300).draw(pool(300, 300), rng())
    assert kstest(samples.targets, "beta", args=(2, 8)).pvalue > 1e-3
    assert samples.prevalences == pytest.approx(samples.targets, abs=0.5 / 300 + 1e-9)


def test_a_report_takes_any_protocol(wdbc_scores):
    for protocol in (UniformPrevalence(50, 30), NaturalPrevalence(50, 30), BetaPrevalence(1, 9, 50, 30)):
        report = evaluation_report(wdbc_scores, ["CC", "EMQ"], protocol)
        assert len(report) == 100
        assert report.AE.between(0, 1).all()


class TestErrors:
    @pytest.mark.parametrize("protocol", [SimplexPrevalence(5, 40), UniformPrevalence(5, 40), BetaPrevalence(1, 1, 5, 40)])
    def test_the_smallest_class_is_named(self, protocol):
        with pytest.raises(PoolTooSmall, match=r"at most 30.*got 40.*Choose 30") as rejected:
            protocol.draw(pool(30, 50), rng())
        assert rejected.value.largest == 30

    def test_npp_needs_the_pool_alone(self):
        assert len(NaturalPrevalence(5, 80).draw(pool(30, 50), rng())) == 5
        with pytest.raises(PoolTooSmall, match="at most 80, the size of the pool"):
            NaturalPrevalence(5, 81).draw(pool(30, 50), rng())

    def test_values(self):
        with pytest.raises(InvalidInput, match="grid"):
            SimplexPrevalence(grid=1)
        with pytest.raises(InvalidInput, match="a must be a number above 0, got 0"):
            BetaPrevalence(a=0)
        with pytest.raises(InvalidInput, match="n_samples"):
            UniformPrevalence(n_samples=0)
        with pytest.raises(InvalidInput, match="budget must be a whole number of at least 8, got 7"):
            largest_grid(7, 4, 2)
        with pytest.raises(InvalidInput, match=r"at most 1,428,571 samples, got .* Choose 11 or less for 14 classes"):
            SimplexPrevalence(31, 10).draw(pool(*[20] * 14), rng())

    def test_what_is_too_much(self):
        with pytest.raises(InvalidInput, match="repeats must"):
            SimplexPrevalence(2, 1, 4_000_000).draw(pool(3, 3, 3), rng())

    def test_the_binary_grid_refuses_more_classes(self):
        with pytest.raises(InvalidInput, match=r"other labels \[2\].*SimplexPrevalence"):
            ArtificialPrevalence(5, 2, 1).draw(pool(5, 5, 5), rng())
        samples = ArtificialPrevalence(5, 2, 1).draw([0, 0, 1, 1], rng())
        assert [len(index) for _, index in samples.blocks()] == [5]
        with pytest.raises(InvalidInput, match="be of 2 classes, got 3"):
            _ = UniformPrevalence(3, 2).draw(pool(5, 5, 5), rng()).positives

    def test_labels(self):
        for labels in (np.array([1, 2, 2]), np.zeros(4, int), np.array([[0, 1]])):
            with pytest.raises(InvalidInput, match="pool_labels must be whole numbers from 0"):
                UniformPrevalence(5, 1).draw(labels, rng())


@pytest.mark.parametrize("labels", [[0, 1, 2, 1, 0, 2], ["a", "b", "a", "b"]])
def test_a_path_of_prevalences_is_of_two_classes(labels):
    with pytest.raises(InvalidInput, match="pool_labels must be 0 and 1"):
        PrevalencePath((0.5,), 2).draw(labels, np.random.default_rng(0))


@pytest.mark.parametrize("protocol", [PrevalencePath((0.5,), 2), ArtificialPrevalence(5, 2, 1)])
def test_labels_on_two_axes_are_refused(protocol):
    with pytest.raises(InvalidInput, match=r"on one axis, got shape \(2, 2\).*ravel"):
        protocol.draw([[0, 1], [1, 0]], np.random.default_rng(0))


@pytest.mark.parametrize(("share", "size"), [(0.07, 150), (0.35, 90), (0.34, 325), (0.5, 3), (0.0, 7), (1.0, 7)])
def test_the_drawn_prevalence_is_known_before_a_sample_is_drawn(share, size):
    path = PrevalencePath((share,), size)
    drawn = path.draw(np.repeat([0, 1], 400), np.random.default_rng(0))
    assert path.drawn_prevalences.tolist() == drawn.prevalences.tolist()
