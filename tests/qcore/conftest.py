"""Fixtures shared by the tests of qcore."""

import pytest

from qcore import Scores, ScoringSettings, load_dataset, score_dataset


@pytest.fixture(scope="session")
def scored() -> Scores:
    """Scores that overlap much; a module that needs others has a fixture of that name itself."""
    return score_dataset(load_dataset("tictactoe"), ScoringSettings("x does not win", "Gaussian naive Bayes"))
