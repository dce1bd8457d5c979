"""The double bootstrap: what is fitted at once has the answers of single fits."""

import numpy as np
import pytest

from qcore.intervals import bootstrap
from qcore.intervals.bootstrap import percentiles
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.fitting import make_for_all_classes


@pytest.mark.parametrize("n_classes", [2, 3])
def test_what_is_fitted_at_once_has_the_answers_of_single_fits(n_classes, monkeypatch):
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(n_classes), [40, 60, 30][:n_classes])
    scores = rng.dirichlet(np.ones(n_classes), len(labels)) * 0.5 + 0.5 * np.eye(n_classes)[labels]
    if n_classes == 2:
        scores = scores[:, 1]
    methods = [key for key, entry in QUANTIFIERS.items() if entry.learns_from_labels_alone or entry.adjusts is not None]
    assert {"CC", "AC", "PACC", "EMQ"} <= set(methods)
    own = {key: (entry.make() if n_classes == 2 else make_for_all_classes(entry)) for key, entry in QUANTIFIERS.items()}
    own = {key: own[key] for key in methods}
    sample = scores[20:80]
    together = bootstrap.double_bootstrap(methods, sample, scores, labels, rng=np.random.default_rng(1), replicates=150)
    singly = bootstrap.double_bootstrap(own, sample, scores, labels, rng=np.random.default_rng(1), replicates=150)
    monkeypatch.setattr(bootstrap, "_ESTIMATED_AT_ONCE", 1)
    in_blocks = bootstrap.double_bootstrap(methods, sample, scores, labels, rng=np.random.default_rng(1), replicates=150)
    for name in methods:
        entry = QUANTIFIERS[name]
        if n_classes == 2 and entry.needs_probabilities and entry.corrects:
            # EMQ of one's own keeps its posteriors; those of the registered one are moved with each draw.
            assert together[name].std() > singly[name].std()
        else:
            np.testing.assert_allclose(together[name], singly[name], rtol=0, atol=1e-12)
        np.testing.assert_allclose(together[name], in_blocks[name], rtol=0, atol=1e-12)


@pytest.mark.parametrize("key", QUANTIFIERS)
def test_whatever_is_the_same_after_other_scores_of_the_same_labels_is_said_to_be(key):
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [40, 60])
    one, other = (QUANTIFIERS[key].make().fit(rng.beta(1 + 2 * labels, 3 - 2 * labels), labels) for _ in range(2))
    sample = rng.random((5, 50))
    assert np.array_equal(one.predict(sample), other.predict(sample)) == QUANTIFIERS[key].learns_from_labels_alone


@pytest.mark.parametrize("estimate", [0.0, 1e-7, 0.004])
def test_estimates_below_half_an_instance_do_not_prove_that_a_class_is_absent(estimate):
    low, high = percentiles(np.full(1000, estimate), 0.95, 100)
    assert (low, high) == pytest.approx((estimate, 1.0 - 0.025 ** (1 / 100)))
    low, high = percentiles(np.full(1000, 1.0 - estimate), 0.95, 100)
    assert (low, high) == pytest.approx((0.025 ** (1 / 100), 1.0 - estimate))


def test_an_end_of_an_instance_or_more_is_kept():
    assert percentiles(np.full(1000, 0.01), 0.95, 100).tolist() == [0.01, 0.01]
