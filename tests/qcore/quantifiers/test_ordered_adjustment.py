"""o-ACC: the minimum that a general solver finds, AC at its limits, and where it is nearer than AC."""

import numpy as np
import pytest
from scipy.optimize import minimize

from qcore import InvalidInput
from qcore.losses import ORDERED_LOSSES
from qcore.quantifiers.adjustment import AdjustedCount, OrderedAdjustedCount, second_differences
from qcore.quantifiers.batch import predicted
from tests.qcore import slow_definitions
from tests.qcore.quantifiers.definition import Definition

K = 5

DEFINITIONS = {
    "o-ACC": Definition(
        estimate=lambda scores, labels, sample: slow_definitions.adjusted_count(
            *slow_definitions.rates(scores, labels)[:2], sample
        ),
        constant=lambda value: float(value >= 0.5),
    )
}
"""Of two classes it is AC."""


def drawn(rng, prevalences, size, spread=1.2):
    """Class scores and labels of normals one apart, with standard deviation `spread`."""
    labels = np.sort(rng.choice(K, size, p=prevalences))
    places = rng.normal(labels, spread)
    likelihood = np.exp(-0.5 * ((places[:, np.newaxis] - np.arange(K)) / spread) ** 2)
    return likelihood / likelihood.sum(axis=1, keepdims=True), labels


@pytest.fixture(scope="module")
def training():
    return drawn(np.random.default_rng(3), np.full(K, 0.2), 600)


@pytest.fixture(scope="module")
def smooth():
    """Samples whose shares change evenly from class to class, and those shares."""
    rng = np.random.default_rng(4)
    shares, samples = [], []
    for centre in rng.uniform(0.0, K - 1.0, 100):
        weights = np.exp(-0.5 * ((np.arange(K) - centre) / 1.2) ** 2)
        scores, labels = drawn(rng, weights / weights.sum(), 100)
        shares.append(np.bincount(labels, minlength=K) / 100)
        samples.append(scores)
    return np.array(shares), np.array(samples)


@pytest.mark.parametrize("tau", [0.01, 1.0])
def test_it_is_the_minimum_that_a_general_solver_finds(training, smooth, tau):
    fitted = OrderedAdjustedCount(tau).fit(*training)
    rates, penalties = fitted.count_.rates_, second_differences(K)
    for sample in smooth[1][:5]:
        count = np.bincount(predicted(sample), minlength=K) / len(sample)

        def objective(p, count=count):
            return ((count - rates @ p) ** 2).sum() + tau / 2.0 * ((penalties @ p) ** 2).sum()

        one = {"type": "eq", "fun": lambda p: p.sum() - 1.0}
        found = minimize(
            objective, np.full(K, 0.2), bounds=[(0, 1)] * K, constraints=one, options={"ftol": 1e-14, "maxiter": 500}
        )
        assert fitted.predict(sample) == pytest.approx(found.x, abs=1e-5)


def test_without_a_weight_and_with_two_classes_it_is_ac(training, smooth):
    ac = AdjustedCount().fit(*training)
    assert OrderedAdjustedCount(0.0).fit(*training).predict(smooth[1]) == pytest.approx(ac.predict(smooth[1]))
    scores, labels = training[0][:, 4], (training[1] == 4).astype(int)
    sample = smooth[1][:, :, 4]
    assert OrderedAdjustedCount().fit(scores, labels).predict(sample) == pytest.approx(
        AdjustedCount().fit(scores, labels).predict(sample)
    )
    pair = np.stack([1.0 - scores, scores], axis=1)
    pairs = np.stack([1.0 - sample, sample], axis=-1)
    assert OrderedAdjustedCount().fit(pair, labels).predict(pairs) == pytest.approx(
        AdjustedCount().fit(pair, labels).predict(pairs)
    )


def test_it_is_nearer_where_shares_change_evenly(training, smooth):
    true, samples = smooth
    nmd = ORDERED_LOSSES["NMD"]
    ordered, plain = (
        float(nmd(true, method.fit(*training).predict(samples)).mean()) for method in (OrderedAdjustedCount(), AdjustedCount())
    )
    assert ordered < 0.75 * plain


def test_a_large_weight_makes_shares_a_straight_line(training, smooth):
    estimate = OrderedAdjustedCount(1000.0).fit(*training).predict(smooth[1][0])
    inner = estimate[1:-1] - (estimate[:-2] + estimate[2:]) / 2.0
    assert np.abs(inner).max() < 0.01


def test_a_weight_below_zero_is_said(training):
    with pytest.raises(InvalidInput, match="tau"):
        OrderedAdjustedCount(-1.0).fit(*training)
