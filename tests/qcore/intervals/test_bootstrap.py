"""The double bootstrap: what several fits learn alike is asked once."""

import numpy as np

from qcore.intervals import bootstrap
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
