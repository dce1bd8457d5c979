"""The header of a table: titles above it, a table without one, and notes on how a table was read."""

import csv
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from qcore.datasets.table_limits import MISSING

SEPARATORS = (",", ";", "\t", "|")
"""What separates the values of a line."""
_NAMED_SEPARATOR = re.compile(r"\ufeff?\"?sep=.\"?\r?\n", re.IGNORECASE)
_NUMBER = re.compile(r"\s*\"?-?[\d.,]+\"?\s*")
_MOST = 5
"""A title has few lines."""


def n_titles(rows: Sequence[Sequence[Any]]) -> int:
    """How many of the first rows are titles above a header: a single value, in the first cell, or those of groups of columns.

    Below titles of groups, which have gaps between them, there are a row of words without gaps and one with a number.

    Examples
    --------
    >>> n_titles([("Patients of ward 3", None), ("age", "label"), (51, "ill")])
    1
    >>> n_titles([("score", None), (0.5, "ill")]), n_titles([("score",), (0.5,)])
    (0, 0)
    >>> n_titles([("sizes", None, "other"), ("length", "width", "colour"), (0.5, 0.25, "red")])
    1
    """
    for number, row in enumerate(rows[: _MOST + 1]):
        values = [value for value in row if value is not None]
        if len(values) != 1 or row[0] is None:
            is_header = len(values) > 1 and all(isinstance(value, str) for value in values)
            return number + _names_groups(*rows[number : number + 3]) if is_header else 0
    return 0


def titles_sentence(titles: Sequence[object]) -> str:
    """A sentence on what stands above the header; empty if nothing does."""
    words = ", ".join(str(title) for title in titles if not _is_empty(title))
    return f"Skipped above the header: {words[:80]}." if words else ""


def _names_groups(titles: Sequence[Any], names: Sequence[Any] = (), below: Sequence[Any] = ()) -> bool:
    """Whether a row has titles of groups of columns: it has gaps where the row below it has names, and then follow values."""
    width = max((i + 1 for i, name in enumerate(names) if not _is_empty(name)), default=0)
    filled = [not _is_empty(title) for title in titles]
    are_names = width > 2 and not any(_is_empty(name) or not _is_word(name) for name in names[:width])
    has_gaps = 0 < sum(filled) < width and not any(filled[width:])
    return has_gaps and are_names and any(not _is_empty(value) and not _is_word(value) for value in below)


def _is_empty(value: object) -> bool:
    return value is None or not str(value).strip()


def _is_word(value: object) -> bool:
    return isinstance(value, str) and not _NUMBER.fullmatch(value)


def without_titles(text: str) -> str:
    """A text of separated values without the lines above its header: `sep=;`, and lines of one field above one of words."""
    if named := _NAMED_SEPARATOR.match(text):
        text = text[named.end() :]
    start = 0
    for _ in range(_MOST):
        end = text.find("\n", start)
        line = text[start:end].strip()
        if end < 0 or line.startswith("#"):
            break
        if any(mark in line for mark in SEPARATORS) or '"' in line:
            first = text[start : start + 20_000].splitlines()[:3]
            names_groups = any(_names_groups(*csv.reader(first, delimiter=mark)) for mark in SEPARATORS)
            return text[end + 1 :] if names_groups else text
        start = end + 1
        following = [one for one in text[start : start + 20_000].splitlines()[:4] if one.strip()][:2]
        if line and len(following) == 2 and _is_header(*following):
            return text[start:]
    return text


def _is_header(line: str, below: str) -> bool:
    """Whether a line has several words, and the one below it as many fields, of which one is a number."""
    for mark in SEPARATORS:
        words, fields = line.split(mark), below.split(mark)
        if len(words) > 1 and len(words) == len(fields):
            return not any(_NUMBER.fullmatch(word) for word in words) and any(_NUMBER.fullmatch(field) for field in fields)
    return False


_FEWEST_ROWS = 2
_MOSTLY_DISTINCT = 0.9
_MOST_FORMS = 3
_MARK = "missing header"


def lacks_header(names: Sequence[object], body: pd.DataFrame) -> bool:
    """Whether the first row of a table, `names`, holds values like those of the rows below it, `body`.

    It does if it has a number, or nothing, in each column of numbers, and in each column of words one of the words below it or
    a key of the same form as those below it, such as A-17. Increasing numbers by themselves are a header, such as years or
    wavelengths; a table of only words is taken to have a header.

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


_NOTES = "notes on reading"


def note(frame: pd.DataFrame, *sentences: str) -> None:
    """Keep sentences on how a table was read with it, each in one line; empty ones do not count."""
    in_lines = (" ".join(sentence.split()) for sentence in sentences)
    frame.attrs[_NOTES] = [*frame.attrs.get(_NOTES, ()), *filter(None, in_lines)]


def sentences_on_reading(frame: pd.DataFrame) -> list[str]:
    """Which sheet was read, that a header is missing, which rows are part of the header, and what was read as which number."""
    return [*frame.attrs.get(_NOTES, ()), *filter(None, [missing_header_sentence(frame)])]
