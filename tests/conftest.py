"""Fixtures shared by all tests."""

import pytest
from hypothesis import settings

from qcore import Scores, load_dataset, score_dataset

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=150)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def wdbc_scores() -> Scores:
    return score_dataset(load_dataset("wdbc"))
