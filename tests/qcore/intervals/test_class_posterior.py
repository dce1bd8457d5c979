"""The posterior of several classes: the example of section 18, two classes as in section 7, coverage, counts that cannot be."""

import numpy as np
import pytest

from qcore import InvalidInput
from qcore.intervals import Counts, class_posterior, posterior

F = np.array([[42, 12, 6], [9, 42, 9], [6, 12, 42]])


def test_the_example_is_that_of_quapys_sampler():
    result = class_posterior(F, [240, 160, 100], rng=np.random.default_rng(1))
    assert result.mean == pytest.approx([0.629, 0.233, 0.138], abs=0.006)
    assert result.intervals() == pytest.approx(np.array([[0.478, 0.807], [0.054, 0.401], [0.023, 0.254]]), abs=0.012)
    assert result.worth > 400


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
    for _ in range(300):
        labelled = np.stack([rng.multinomial(60, row) for row in rates])
        ends = class_posterior(labelled, rng.multinomial(500, truth @ rates), rng=rng).intervals()
        held.append((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
    assert np.mean(held, axis=0) == pytest.approx(0.967, abs=0.032)


def test_classes_that_are_hardly_told_apart_still_have_an_answer_and_contradictions_do_not():
    alike = class_posterior([[20, 20, 5], [20, 20, 5], [2, 2, 40]], [50, 50, 20], rng=np.random.default_rng(0))
    assert (alike.intervals()[0, 1] - alike.intervals()[0, 0]) > 0.5
    with pytest.raises(InvalidInput, match="hardly any shares explain"):
        class_posterior([[900, 100, 0], [100, 900, 0], [500, 400, 100]], [0, 0, 5000], rng=np.random.default_rng(0))


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
