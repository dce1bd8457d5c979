"""The precise quantifier: a long Gibbs chain of the same model, coverage and width beside other intervals, its edges."""

import numpy as np
import pytest

from qcore import InvalidInput
from qcore.intervals import INTERVALS, POSTERIORS, Counts, precise_posterior
from qcore.intervals.posteriors import marginal_likelihoods


def scored(rng, n_pos, n_neg, gap=2.0):
    labels = np.repeat([1, 0], [n_pos, n_neg])
    return 1.0 / (1.0 + np.exp(-gap * rng.normal(gap * (labels - 0.5)))), labels


def gibbs(sample, scores, labels, rng):
    """Draws of the prevalence and of the own share, by chains that draw labels, shares of bins and prevalence in turn."""
    edges = np.unique(np.quantile(scores, np.arange(1, 5) / 5))
    positives, negatives, found = (
        np.bincount(np.searchsorted(edges, values, side="right"), minlength=5)
        for values in (scores[labels == 1], scores[labels == 0], sample)
    )
    prevalence, draws = np.full(300, 0.3), []
    first, second = (np.tile((one + 1) / (one + 1).sum(), (300, 1)) for one in (positives, negatives))
    for step in range(800):
        odds = prevalence[:, np.newaxis] * first
        given = rng.binomial(found, odds / (odds + (1 - prevalence[:, np.newaxis]) * second))
        own = given.sum(axis=1)
        prevalence = rng.beta(own + 1, len(sample) - own + 1)
        drawn = [rng.gamma(one) for one in (positives + 1 + given, negatives + 1 + found - given)]
        first, second = (one / one.sum(axis=1, keepdims=True) for one in drawn)
        if step >= 150:
            draws.append((prevalence, own / len(sample)))
    return np.stack(draws, axis=1).reshape(2, -1)


@pytest.mark.parametrize(("n_labels", "gap", "n_positive"), [(100, 2.0, 100), (100, 2.0, 25), (50, 3.0, 25)])
def test_it_is_where_a_long_chain_goes(n_labels, gap, n_positive):
    rng = np.random.default_rng(1)
    scores, labels = scored(rng, n_labels, n_labels, gap)
    sample, _ = scored(rng, n_positive, 500 - n_positive, gap)
    result = precise_posterior(sample, scores, labels, rng=rng)
    population, own = gibbs(sample, scores, labels, rng)
    assert result.interval() == pytest.approx(np.quantile(population, [0.025, 0.975]), abs=0.003)
    assert result.own_interval() == pytest.approx(np.quantile(own, [0.025, 0.975]), abs=0.005)
    assert result.mean == pytest.approx(population.mean(), abs=0.002)


def test_it_covers_and_is_shorter():
    rng = np.random.default_rng(2)
    covered, widths, others = [], [], []
    for _ in range(150):
        scores, labels = scored(rng, 100, 100)
        n_positive = rng.binomial(500, 0.2)
        sample, _ = scored(rng, n_positive, 500 - n_positive)
        low, high = precise_posterior(sample, scores, labels, rng=rng).interval()
        covered.append(low <= 0.2 <= high)
        widths.append(high - low)
        low, high = INTERVALS["Lang-Reiczigel"].interval(Counts.from_scores(sample, scores, labels), 0.95)
        others.append(float(high) - float(low))
    assert np.mean(covered) > 0.9
    assert np.mean(widths) == pytest.approx(0.171, abs=0.006)
    assert np.mean(widths) < 0.87 * np.mean(others)


def test_the_second_derivatives_are_those_of_the_density():
    """By differences: the log density of the weights is smooth, and its curvature positive definite."""
    counts = np.array([5, 10, 20]), np.array([30, 8, 2]), np.array([60, 30, 40])
    result = marginal_likelihoods(np.linspace(0.05, 0.95, 19), *counts)
    assert np.linalg.eigvalsh(result.curvature).min() > 0.0
    assert np.abs(np.diff(result.log_density, n=3)).max() < 2.0
    from qcore.intervals.posteriors import _Problem, _softmax

    problem = _Problem(result.weights, np.stack(counts[:2]) + 1.0, counts[2])
    step = 1e-5
    for axis in range(4):
        nearby = []
        for sign in (1.0, -1.0):
            logits = result.logits.copy()
            logits[:, axis // 2, axis % 2] += sign * step
            nearby.append(problem.derivatives(_softmax(logits))[0])
        assert (nearby[1] - nearby[0]) / (2.0 * step) == pytest.approx(result.curvature[:, axis], rel=1e-4, abs=1e-4)


class TestEdges:
    @pytest.mark.parametrize("sample", [[0.5], [0.9] * 40, [0.1] * 40])
    def test_samples_that_say_little_or_all_the_same(self, sample):
        scores, labels = scored(np.random.default_rng(3), 60, 60)
        result = precise_posterior(sample, scores, labels, rng=np.random.default_rng(0))
        low, high = result.interval()
        assert 0.0 <= low < high <= 1.0
        assert result.weights.sum() == pytest.approx(1.0)
        assert (high - low > 0.9) == (len(sample) == 1)

    def test_scores_of_two_values_make_two_bins(self):
        labels = np.repeat([1, 0], 50)
        scores = np.where(np.arange(100) % 5 == 0, 1.0 - labels, labels).astype(float)
        sample = np.repeat([1.0, 0.0], [120, 280])
        low, high = precise_posterior(sample, scores, labels, rng=np.random.default_rng(0)).interval()
        assert low < (0.3 - 0.2) / 0.6 < high

    def test_constant_scores_tell_nothing(self):
        result = precise_posterior([0.4] * 30, [0.4] * 20, [0, 1] * 10, rng=np.random.default_rng(0))
        assert result.interval() == pytest.approx((0.025, 0.975), abs=0.01)

    def test_the_same_seed_gives_the_same(self):
        scores, labels = scored(np.random.default_rng(3), 60, 60)
        one, other = (precise_posterior(scores[:50], scores, labels, rng=np.random.default_rng(5)) for _ in range(2))
        assert (one.own == other.own).all()

    def test_bad_input_is_one_sentence(self):
        with pytest.raises(InvalidInput, match="n_bins must"):
            precise_posterior([0.4], [0.2, 0.8], [0, 1], n_bins=1, rng=np.random.default_rng(0))
        result = precise_posterior([0.4], [0.2, 0.8], [0, 1], rng=np.random.default_rng(0))
        with pytest.raises(InvalidInput, match="level must"):
            result.interval(1.0)


def test_every_posterior_says_what_it_needs_and_when_it_fails():
    for entry in POSTERIORS.values():
        assert len(entry.weakness.split()) >= 6
        assert entry.needs
        assert entry.cost
        assert callable(entry.make)
