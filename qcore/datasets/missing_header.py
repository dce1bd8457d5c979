"""A table without a header: its first row holds values, which must not be lost as names of columns."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from qcore.datasets.table_limits import MISSING

_FEWEST_ROWS: Final = 2
_MOSTLY_DISTINCT: Final = 0.9
_MOST_FORMS: Final = 3
_MARK: Final = "missing header"


def lacks_header(names: Sequence[object], body: pd.DataFrame) -> bool:
    """Whether the first row of a table, `names`, holds values like those of the rows below it, `body`.

    It does if it has a number, or nothing, in each column of numbers, and in each column of words one of the words below it or
    a key of the same form as those below it, such as A-17. Increasing numbers alone are a header, such as years or wavelengths;
    a table of words alone is taken to have a header.

    Examples
    --------
    >>> body = pd.DataFrame([[4.9, "setosa"], [6.1, "virginica"], [5.0, "setosa"]])
    >>> lacks_header(["5.1", "setosa"], body), lacks_header(["length", "kind"], body), lacks_header(["5.1", "kind"], body)
    (True, False, False)
    """
    if len(names) != body.shape[1] or len(body) < _FEWEST_ROWS:
        return False
    numbers: list[float] = []
    n_words = 0
    for i, name in enumerate(names):
        text, column = _text(name), body.iloc[:, i]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            number = _number(text)
            if number is None:
                return False
            numbers += [] if np.isnan(number) else [number]
        elif text and text not in MISSING:
            is_value = _is_value_of(text, column)
            if is_value is False:
                return False
            n_words += bool(is_value)
    return bool(numbers) and (n_words > 0 or not _name_columns(numbers))


def without_header(frame: pd.DataFrame) -> pd.DataFrame:
    """A table that was read without a header, its columns numbered, and marked as such a table."""
    numbered = frame.set_axis([f"column {i}" for i in range(1, frame.shape[1] + 1)], axis=1)
    numbered.attrs[_MARK] = True
    return numbered


def is_numbered(name: str) -> bool:
    """Whether a column has a name such as `without_header` gives."""
    return re.fullmatch(r"column \d+", name) is not None


def missing_header_sentence(frame: pd.DataFrame) -> str:
    """A sentence on the names given to the columns of a table without a header; empty for a table with a header."""
    if not frame.attrs.get(_MARK):
        return ""
    called = "column 1" if frame.shape[1] == 1 else f"column 1 to column {frame.shape[1]}"
    return f"No header: the first row holds values, so it is kept as a row, and the columns are called {called}."


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()


def _number(text: str) -> float | None:
    """The number that a text is, NaN for a mark of something missing, None for anything else."""
    if not text or text in MISSING:
        return float("nan")
    try:
        return float(text)
    except ValueError:
        return None


def _is_value_of(text: str, column: pd.Series) -> bool | None:
    """Whether a text is a value of a column of words, or of the form of its keys; None for a column of free text."""
    values = column.dropna().astype(str).str.strip()
    known = set(values)
    if text in known:
        return True
    if len(known) < _MOSTLY_DISTINCT * len(values):
        return False
    forms = {_form(value) for value in known}
    are_keys = len(forms) <= _MOST_FORMS and all("0" in form for form in forms)
    return _form(text) in forms if are_keys else None


def _form(text: str) -> str:
    """A text with all digits and all letters alike: A-17 is x-00."""
    return re.sub(r"[^\W\d_]", "x", re.sub(r"\d", "0", text))


def _name_columns(numbers: Sequence[float]) -> bool:
    """Whether numbers may be names of columns: several numbers must increase, a single number must be whole."""
    if len(numbers) == 1:
        return float(numbers[0]).is_integer()
    return bool((np.diff(numbers) > 0).all())
