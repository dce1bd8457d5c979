"""The posterior of several classes: the example of section 18, two classes as in section 7, coverage, counts that cannot be."""

import sys

import numpy as np
import pytest

from qcore import InvalidInput
from qcore.intervals import Counts, class_posterior, posterior

F = np.array([[42, 12, 6], [9, 42, 9], [6, 12, 42]])


def test_with_a_flat_prior_the_example_is_that_of_quapys_sampler():
    result = class_posterior(F, [240, 160, 100], rng=np.random.default_rng(1), concentration=1.0)
    assert result.mean == pytest.approx([0.629, 0.233, 0.138], abs=0.006)
    assert result.intervals() == pytest.approx(np.array([[0.478, 0.807], [0.054, 0.401], [0.023, 0.254]]), abs=0.012)


@pytest.mark.parametrize(
    ("concentration", "mean", "interval"),
    [(1.0, (0.183, 0.183, 0.635), (0.08, 0.954)), (None, (0.098, 0.098, 0.804), (0.021, 0.999))],
)
def test_a_few_counts_of_one_class_have_a_posterior(concentration, mean, interval):
    labelled = [[3, 2, 1], [2, 3, 1], [1, 1, 4]]
    result = class_posterior(labelled, [0, 0, 7], rng=np.random.default_rng(0), concentration=concentration)
    assert result.mean == pytest.approx(mean, abs=0.015)
    assert result.intervals()[2] == pytest.approx(interval, abs=0.02)


@pytest.mark.parametrize(("shares", "repetitions"), [((0.98, 0.01, 0.01), 15), ((0.97, 0.01, 0.01, 0.01), 3)])
def test_it_holds_the_share_of_a_class_that_dominates(shares, repetitions):
    rng, k, truth = np.random.default_rng(0), len(shares), np.array(shares)
    rates = np.full((k, k), 0.2 / (k - 1)) + (0.8 - 0.2 / (k - 1)) * np.eye(k)
    held = []
    for _ in range(repetitions):
        found = rng.multinomial(100, truth @ rates)
        low, high = class_posterior(rng.multinomial(20, rates), found, rng=rng).intervals()[0]
        held.append(low <= truth[0] <= high)
    assert np.mean(held) > 0.9


def test_chains_and_weighted_draws_agree(monkeypatch):
    weighted = class_posterior(F, [240, 160, 100], rng=np.random.default_rng(0))
    monkeypatch.setattr(sys.modules["qcore.intervals.class_posterior"], "_ENOUGH", np.inf)
    chains = class_posterior(F, [240, 160, 100], rng=np.random.default_rng(0))
    assert len(chains.draws) == 4000 != len(weighted.draws)
    assert chains.mean == pytest.approx(weighted.mean, abs=0.015)
    assert chains.intervals() == pytest.approx(weighted.intervals(), abs=0.025)


@pytest.mark.parametrize("counts", [(210, 1000, 85, 100, 12, 100), (60, 200, 40, 50, 10, 50)])
def test_of_two_classes_it_is_the_posterior_by_quadrature(counts):
    x, m, tp, n_pos, fp, n_neg = counts
    labelled = [[n_neg - fp, fp], [n_pos - tp, tp]]
    drawn = class_posterior(labelled, [m - x, x], rng=np.random.default_rng(0))
    exact = posterior(Counts(*counts))
    assert drawn.mean[1] == pytest.approx(exact.mean, abs=0.004)
    assert drawn.intervals()[1] == pytest.approx(exact.interval(), abs=0.012)


def test_it_covers_what_it_says():
    rng = np.random.default_rng(3)
    truth = np.array([0.5, 0.3, 0.2])
    rates = (F + 0.0) / F.sum(axis=1, keepdims=True)
    held = []
    for _ in range(60):
        labelled = np.stack([rng.multinomial(60, row) for row in rates])
        ends = class_posterior(labelled, rng.multinomial(500, truth @ rates), rng=rng).intervals()
        held.append((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
    assert np.min(np.mean(held, axis=0)) >= 0.87


def test_classes_that_are_hardly_told_apart_have_a_wide_interval():
    alike = class_posterior([[20, 20, 5], [20, 20, 5], [2, 2, 40]], [50, 50, 20], rng=np.random.default_rng(0))
    assert (alike.intervals()[0, 1] - alike.intervals()[0, 0]) > 0.5
    assert not alike.contradicts


def test_counts_that_contradict_the_rates_have_a_posterior_that_says_so():
    rates = [[900, 100, 0], [100, 900, 0], [500, 400, 100]]
    result = class_posterior(rates, [0, 0, 5000], rng=np.random.default_rng(0))
    assert result.contradicts
    assert result.mean[2] > 0.99
    assert not class_posterior(rates, [2500, 2300, 200], rng=np.random.default_rng(0)).contradicts
    assert not class_posterior(rates, [0, 0, 0], rng=np.random.default_rng(0)).contradicts


def test_many_classes_of_which_one_dominates_have_a_posterior():
    labelled = np.full((8, 8), 2) + 40 * np.eye(8, dtype=int)
    result = class_posterior(labelled, [400, *[20] * 7], rng=np.random.default_rng(0))
    assert result.mean.sum() == pytest.approx(1.0)
    assert result.intervals()[0] == pytest.approx((0.9, 0.998), abs=0.02)


@pytest.mark.parametrize(
    ("labelled", "sample", "message"),
    [
        ([[1, 2], [3, 4]], [1, 2, 3], "shapes"),
        ([[1, 2, 3], [3, 4, 5]], [1, 2, 3], "shapes"),
        ([[1, -2], [3, 4]], [1, 2], "at least 0"),
        ([[1, 2], [3, 4]], [1, -2], "at least 0"),
        ([[1, 0.5], [3, 4]], [1, 2], "whole"),
    ],
)
def test_counts_that_cannot_be_are_refused(labelled, sample, message):
    with pytest.raises(InvalidInput, match=message):
        class_posterior(labelled, sample, rng=np.random.default_rng(0))


def test_a_prior_without_a_positive_concentration_is_refused():
    with pytest.raises(InvalidInput, match="concentration"):
        class_posterior(F, [240, 160, 100], rng=np.random.default_rng(0), concentration=0.0)
