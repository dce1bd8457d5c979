"""What of a long list runs in every test, and what in `make thorough` alone."""

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_thorough(values: Iterable[Any], n_always: int = 3) -> list[Any]:
    """The values, all but the first ones for `make thorough`: where another test goes through all of them in less time.

    A value of several arguments is a tuple.
    """
    each = list(values)
    others = (value if isinstance(value, tuple) else (value,) for value in each[n_always:])
    return [*each[:n_always], *(pytest.param(*one, marks=pytest.mark.thorough) for one in others)]
