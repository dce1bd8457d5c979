"""Lines above the header of a table: its title, or those of groups of columns, and the separator, as Excel reads it."""

import csv
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
    """How many of the first rows are titles above a header: one value alone, in the first cell, or those of groups of columns.

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
    """A sentence on what stands above the header; empty for nothing."""
    words = ", ".join(str(title) for title in titles if not _is_empty(title))
    return f"Above the header, and passed over: {words[:80]}." if words else ""


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
