"""Lines above the header of a table: its title, as people write it in spreadsheets, and the separator, as Excel reads it."""

import re
from collections.abc import Sequence
from typing import Any, Final

SEPARATORS: Final = (",", ";", "\t", "|")
"""What separates the values of a line."""
_NAMED_SEPARATOR: Final = re.compile(r"\ufeff?\"?sep=.\"?\r?\n", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\s*\"?-?[\d.,]+\"?\s*")
_MOST: Final = 5
"""A title has few lines."""


def n_titles(rows: Sequence[Sequence[Any]]) -> int:
    """How many of the first rows have one value alone, in the first cell, and stand above a row of several words: a header.

    Examples
    --------
    >>> n_titles([("Patients of ward 3", None), ("age", "label"), (51, "ill")])
    1
    >>> n_titles([("score", None), (0.5, "ill")]), n_titles([("score",), (0.5,)])
    (0, 0)
    """
    for number, row in enumerate(rows[: _MOST + 1]):
        values = [value for value in row if value is not None]
        if len(values) != 1 or row[0] is None:
            is_header = len(values) > 1 and all(isinstance(value, str) for value in values)
            return number if is_header else 0
    return 0


def without_titles(text: str) -> str:
    """A text of separated values without the lines above its header: `sep=;`, and lines of one field above one of words."""
    if named := _NAMED_SEPARATOR.match(text):
        text = text[named.end() :]
    start = 0
    for _ in range(_MOST):
        end = text.find("\n", start)
        line = text[start:end].strip()
        if end < 0 or line.startswith("#") or any(mark in line for mark in SEPARATORS) or '"' in line:
            break
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
