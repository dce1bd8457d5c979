"""The weight that makes a mixture most likely, against an exact search, and where densities are 0 or the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import brentq

from qcore.quantifiers import likelihood_maximisation as likelihood
from qcore.quantifiers.likelihood_maximisation import likelihood_poles, most_likely_weights

DENSITIES = st.one_of(st.just(0.0), st.floats(1e-6, 1e6))


def slope(weight, positives, negatives):
    """Of the log likelihood; infinite where the likelihood is 0."""
    mixed = weight * positives + (1.0 - weight) * negatives
    with np.errstate(divide="ignore"):
        parts = np.divide(positives - negatives, mixed, out=np.zeros_like(mixed), where=positives != negatives)
    return parts.mean()


def slowly(positives, negatives, start):
    """The same weight, by a search for the zero of the slope."""
    if (positives == negatives).all():
        return start
    inner = (1e-14, 1.0 - 1e-14)
    at_ends = [slope(end, positives, negatives) for end in inner]
    if at_ends[0] <= 0.0:
        return 0.0
    return 1.0 if at_ends[1] >= 0.0 else brentq(slope, *inner, args=(positives, negatives), xtol=1e-13)


@given(arrays(float, (2, 7), elements=DENSITIES), st.floats(0.05, 0.95))
def test_the_weight_is_that_of_a_search(densities, start):
    positives, negatives = densities
    # An instance that neither class has tells nothing.
    weight = most_likely_weights(likelihood_poles(positives, negatives)[np.newaxis], start)[0]
    known = positives + negatives > 0.0
    expected = slowly(positives[known], negatives[known], start)
    assert weight == pytest.approx(expected, abs=1e-8)


def test_poles_are_outside_of_all_weights():
    poles = likelihood_poles(np.array([1.0, 0.0, 0.5, 0.0, 3.0, 1e-300]), np.array([0.0, 1.0, 0.5, 0.0, 1.0, 1.0]))
    assert poles[2:5].tolist() == [np.inf, np.inf, -0.5]
    assert -1e-99 < poles[0] < 0.0
    assert (poles[[1, 5]] > 1.0).all()


def test_a_sample_of_sure_scores_takes_few_steps(monkeypatch):
    """By Newton's method on the slope alone, these take six."""
    asked = []

    def counted(derivatives, start, **how):
        def count(weights, functions):
            asked.append(len(weights))
            return derivatives(weights, functions)

        return minimise(count, start, **how)

    minimise = likelihood.minimise_convex
    monkeypatch.setattr(likelihood, "minimise_convex", counted)
    scores = np.where(np.random.default_rng(0).random((200, 100)) < np.linspace(0.05, 0.95, 200)[:, np.newaxis], 0.99, 0.01)
    most_likely_weights(likelihood_poles(scores / 0.5, (1.0 - scores) / 0.5), 0.5)
    assert sum(asked) < 4.5 * len(scores)
