"""What of a long list runs in every test, and what in `make thorough` alone."""

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_thorough(values: Iterable[Any], n_always: int = 3) -> list[Any]:
    """The values, all but the first ones for `make thorough`: where another test goes through all of them in less time."""
    each = list(values)
    return [*each[:n_always], *(pytest.param(value, marks=pytest.mark.thorough) for value in each[n_always:])]
