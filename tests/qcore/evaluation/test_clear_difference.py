"""When a difference of mean losses is clear."""

import numpy as np
import pytest

from qcore.evaluation.significance import is_clear, level_with_best, standard_error, strata_of
from qcore.protocols import ArtificialPrevalence, NaturalPrevalence, SimplexPrevalence, UniformPrevalence

LABELS = np.repeat([0, 1], 200)
LABELS_OF_THREE = np.repeat([0, 1, 2], 100)


def test_a_difference_is_clear_from_two_standard_errors_on_either_way():
    assert is_clear([0.0, 1.9, 2.1, -1.9, -2.1], 1.0).tolist() == [False, False, True, False, True]
    assert not is_clear(0.0, 0.0), "two that are the same differ clearly"
    assert not is_clear(1e-13, 0.0), "a difference in the last digits is clear"


@pytest.mark.parametrize("strata", [None, np.repeat(np.arange(5), [2, 4, 4, 10, 20])])
def test_the_standard_error_is_how_far_means_scatter_when_all_is_drawn_anew(strata):
    rng = np.random.default_rng(3)
    centre = np.zeros(40) if strata is None else np.array([0.0, 3.0, -1.0, 8.0, 2.0])[strata]
    drawn = centre + rng.normal(size=(20_000, 40)) * (1.0 if strata is None else 1.0 + strata)
    assert np.sqrt((standard_error(drawn, strata) ** 2).mean()) == pytest.approx(drawn.mean(axis=1).std(), rel=0.02)


def test_strata_in_any_order_count_the_same():
    rng = np.random.default_rng(4)
    values, strata = rng.normal(size=(3, 30)), np.repeat(np.arange(6), 5)
    order = rng.permutation(30)
    np.testing.assert_allclose(standard_error(values[:, order], strata[order]), standard_error(values, strata))


def test_of_one_value_the_standard_error_is_0():
    assert standard_error(np.array([[1.0], [2.0]])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("protocol", "labels", "n_strata"),
    [
        (ArtificialPrevalence(11, 20, 3), LABELS, 11),
        (ArtificialPrevalence(11, 20, 1), LABELS, None),
        (UniformPrevalence(30, 20), LABELS, None),
        (NaturalPrevalence(30, 20), LABELS, 1),
        (SimplexPrevalence(3, 20, 2), LABELS_OF_THREE, 6),
        (UniformPrevalence(30, 20), LABELS_OF_THREE, None),
    ],
)
def test_strata_are_prevalences_that_were_requested_several_times(protocol, labels, n_strata):
    samples = protocol.draw(labels, np.random.default_rng(0))
    strata = strata_of(samples)
    assert (None if strata is None else len(set(strata.tolist()))) == n_strata
    if strata is not None:
        for stratum in set(strata.tolist()):
            assert len(np.unique(samples.targets[strata == stratum], axis=0)) == 1


def test_what_differs_between_prevalences_in_the_same_way_each_time_hides_no_difference():
    strata = np.repeat(np.arange(10), 4)
    noise = 0.01 * np.random.default_rng(5).normal(size=40)
    losses = np.stack([np.ones(40), 1.02 + np.linspace(-1.0, 1.0, 10)[strata] + noise])
    assert level_with_best(losses, strata).tolist() == [True, False]
    assert level_with_best(losses, None).tolist() == [True, True]
