"""Can a test be trusted? Simulated studies of methods that are equal on average, or of which one is better.

Source: Barranquero 2013, 4.2.4.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import InvalidInput
from qcore.evaluation.significance import RANK_DIGITS, iman_davenport

ADVANTAGES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Advantages of one method that `trust_by_advantage` simulates, in standard deviations of a test case."""


class Trust(NamedTuple):
    """Share of simulated studies in which a test finds a difference: with N the data sets, and with N the test cases."""

    of_data_sets: float
    of_test_cases: float


def trust(
    n_methods: int,
    n_sets: int,
    n_cases: int,
    *,
    advantage: float = 0.0,
    spread: float = 1.0,
    alpha: float = 0.05,
    repetitions: int = 400,
    rng: np.random.Generator,
) -> Trust:
    """Simulate studies of methods that are equal on average, or of which the first is better by `advantage`.

    Each data set favours methods at random, with standard deviation `spread`; each of its `n_cases` test cases adds noise of
    standard deviation 1. The test of Iman and Davenport is run on the ranks of data sets, as in `compare`, and on all test
    cases as if they were independent: then a difference on a few data sets counts once for each of their cases. Source:
    Barranquero 2013, 4.2.4.

    Raises
    ------
    InvalidInput
        Fewer than two methods or data sets.

    Examples
    --------
    >>> result = trust(5, 20, 11, rng=np.random.default_rng(0))
    >>> result.of_data_sets < 0.1 < result.of_test_cases
    True
    """
    for name, count in (("methods", n_methods), ("data sets", n_sets)):
        if count < 2:
            raise InvalidInput(name, "be at least two for a test", str(count), "Compare more of them.")
    result: Mapping[str, list[float]] = {"sets": [], "cases": []}
    for _ in range(repetitions):
        favour = spread * rng.normal(size=(n_sets, 1, n_methods))
        losses = favour + rng.normal(size=(n_sets, n_cases, n_methods))
        losses[..., 0] -= advantage
        by_case = rankdata(losses, axis=-1)
        by_set = rankdata(by_case.mean(axis=1).round(RANK_DIGITS), axis=-1)
        result["sets"].append(iman_davenport(by_set).p_value)
        result["cases"].append(iman_davenport(by_case.reshape(-1, n_methods)).p_value)
    return Trust(*(float(np.mean(np.array(values) <= alpha)) for values in result.values()))


def trust_by_advantage(n_methods: int, n_sets: int, n_cases: int, spread: float, seed: int) -> list[Trust]:
    """`trust` for each of ADVANTAGES, with as many repetitions as take half a second. Raises InvalidInput as `trust`."""
    repetitions = int(np.clip(400_000 // (n_methods * n_sets * n_cases), 50, 300))
    return [
        trust(
            n_methods,
            n_sets,
            n_cases,
            advantage=advantage,
            spread=spread,
            repetitions=repetitions,
            rng=random_stream(seed, RandomStream.SIMULATED_STUDIES, number),
        )
        for number, advantage in enumerate(ADVANTAGES)
    ]
