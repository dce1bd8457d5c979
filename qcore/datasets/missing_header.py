"""A table without a header: its first row holds values, which must not be lost as names of columns."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from qcore.datasets.preparation import MAX_NOMINAL_VALUES, n_values

_FEWEST_NUMBERS: Final = 2


def lacks_header(names: Sequence[object], body: pd.DataFrame) -> bool:
    """Whether the first row of a table, `names`, holds values like those of the rows below it, `body`.

    So it is if each column of numbers has a number there, and each column of a few words one of its own words; names that are
    evenly spaced whole numbers, such as years, are a header.

    Examples
    --------
    >>> body = pd.DataFrame([[4.9, "setosa"], [6.1, "virginica"], [5.0, "setosa"]])
    >>> lacks_header(["5.1", "setosa"], body), lacks_header(["length", "kind"], body), lacks_header(["5.1", "kind"], body)
    (True, False, False)
    """
    if len(names) != body.shape[1] or len(body) < _FEWEST_NUMBERS:
        return False
    numeric = [pd.api.types.is_numeric_dtype(body.iloc[:, i]) for i in range(body.shape[1])]
    numbers = [_number(name) for name, is_number in zip(names, numeric, strict=True) if is_number]
    if not numbers or any(number is None for number in numbers):
        return False
    few = [i for i, is_number in enumerate(numeric) if not is_number and 0 < n_values(body.iloc[:, i]) <= MAX_NOMINAL_VALUES]
    known = [str(names[i]).strip() in {str(value).strip() for value in body.iloc[:, i].dropna().unique()} for i in few]
    if not all(known):
        return False
    return bool(known) or not _evenly_spaced([number for number in numbers if number is not None])


def numbered_columns(n_columns: int) -> list[str]:
    """Names for the columns of a table without a header."""
    return [f"column {i}" for i in range(1, n_columns + 1)]


def missing_header_sentence(frame: pd.DataFrame) -> str:
    """A sentence on the names that the columns of a table without a header have got; empty for a table with one."""
    names = numbered_columns(frame.shape[1])
    if list(frame.columns) != names:
        return ""
    called = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"No header: the first row holds values, so it is kept as a row, and the columns are called {called}."


def _number(name: object) -> float | None:
    try:
        return float(str(name))
    except ValueError:
        return None


def _evenly_spaced(numbers: Sequence[float]) -> bool:
    """Whether numbers are whole and one step apart from each other, as years and counts are; one whole number is."""
    whole = all(number.is_integer() for number in numbers)
    steps = np.diff(numbers)
    return whole and (len(steps) == 0 or bool(steps[0] != 0 and (steps == steps[0]).all()))
