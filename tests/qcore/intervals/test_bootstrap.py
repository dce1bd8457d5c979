"""The double bootstrap: what several fits learn alike is asked once."""

import numpy as np
import pytest

from qcore.intervals import bootstrap
from qcore.intervals.bootstrap import percentiles
from qcore.quantifiers.expectation_maximisation import EMQ


def test_what_is_learnt_alike_is_asked_once_with_the_same_answers(monkeypatch):
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [40, 60])
    scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.2), 0.0, 1.0)
    asked: list[int] = []

    class Counting(EMQ):
        def predict(self, scores):
            asked.append(len(scores))
            return super().predict(scores)

    methods = {"EMQ": Counting(), "CC": "CC", "PACC": "PACC"}
    together = bootstrap.double_bootstrap(methods, scores[:30], scores, labels, rng=np.random.default_rng(1))
    assert asked == [1000]
    monkeypatch.setattr(bootstrap, "_ESTIMATED_AT_ONCE", 1)
    one_by_one = bootstrap.double_bootstrap(methods, scores[:30], scores, labels, rng=np.random.default_rng(1))
    assert asked[1:] == [10] * 100
    for name in methods:
        np.testing.assert_array_equal(together[name], one_by_one[name])


@pytest.mark.parametrize("estimate", [0.0, 1e-7, 0.004])
def test_estimates_below_half_an_instance_do_not_prove_that_a_class_is_absent(estimate):
    low, high = percentiles(np.full(1000, estimate), 0.95, 100)
    assert (low, high) == pytest.approx((estimate, 1.0 - 0.025 ** (1 / 100)))
    low, high = percentiles(np.full(1000, 1.0 - estimate), 0.95, 100)
    assert (low, high) == pytest.approx((0.025 ** (1 / 100), 1.0 - estimate))


def test_an_end_of_an_instance_or_more_is_kept():
    assert percentiles(np.full(1000, 0.01), 0.95, 100).tolist() == [0.01, 0.01]
