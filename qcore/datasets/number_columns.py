"""The columns of a table that are numbers written as words become numbers, and rows of units or questions join the header."""

from typing import Any, Final

import pandas as pd

from qcore.datasets.missing_words import is_missing_word
from qcore.datasets.reading_notes import note
from qcore.datasets.written_numbers import WrittenNumbers, as_numbers, is_of_words

_MOST_ROWS: Final = 3
"""A header has few rows."""
_LOOKED_AT: Final = 200
_MOST_NAMED: Final = 3
_OF_QUALTRICS: Final = '{"ImportId"'


def with_numbers(frame: pd.DataFrame, *, typed: bool, decimal_comma: bool = False) -> pd.DataFrame:
    """A table without the further rows of its header, and with numbers where words are numbers by `as_numbers`.

    Sentences on both are kept with it. `typed` and `decimal_comma` are those of `as_numbers`.
    """
    frame = _without_further_headers(frame)
    notes: list[str] = []
    as_text: list[str] = []
    for i, name in enumerate(frame.columns):
        if not is_of_words(frame.iloc[:, i]):
            continue
        read = as_numbers(frame.iloc[:, i], typed=typed, decimal_comma=decimal_comma)
        if read is not None:
            frame.isetitem(i, read.numbers.array)
            notes += [f"{str(name)[:40]}: {sentence}" for sentence in (*read.notes, *_unread(read))]
            as_text += [str(name)[:40]] if typed and not _unread(read) else []
    if as_text:
        rest = f" and {len(as_text) - _MOST_NAMED} more" if len(as_text) > _MOST_NAMED else ""
        note(frame, f"Text that holds numbers alone is read as numbers: {', '.join(as_text[:_MOST_NAMED])}{rest}.")
    more = len(notes) - _MOST_NAMED
    if notes:
        note(frame, *notes[:_MOST_NAMED], f"{more} such remarks more on other columns." if more > 0 else "")
    return frame


def _unread(read: WrittenNumbers) -> list[str]:
    n = read.n_unread
    if not n:
        return []
    said = "value is no number and counts" if n == 1 else "values are no numbers and count"
    return [f"{n:,} {said} as missing, such as {read.unread[:20]!r} in row {read.row + 1:,}."]


def _without_further_headers(frame: pd.DataFrame) -> pd.DataFrame:
    n_rows = n_further_headers(frame)
    if not n_rows:
        return frame
    words = [str(value) for value in frame.iloc[0] if _is_given(value)]
    rest = frame.iloc[n_rows:].reset_index(drop=True)
    rows = "row belongs" if n_rows == 1 else f"{n_rows} rows belong"
    note(rest, f"The first {rows} to the header, and {'is' if n_rows == 1 else 'are'} left out: {', '.join(words)[:60]}.")
    return rest


def n_further_headers(frame: pd.DataFrame) -> int:
    """How many of the first rows belong to the header, such as one of units, or the questions of a survey.

    They have words, or nothing, in each column that holds numbers below them, and in columns of words none of the words below.

    Examples
    --------
    >>> table = pd.DataFrame({"length": ["cm", "1.5", "2", "3.25", "4"], "y": [None, "no", "no", "yes", "no"]})
    >>> n_further_headers(table), n_further_headers(table[1:])
    (1, 0)
    """
    head = frame.iloc[:_MOST_ROWS]
    of_qualtrics = [i for i in range(len(head)) if str(next(iter(head.iloc[i]), "")).startswith(_OF_QUALTRICS)]
    if of_qualtrics:
        return of_qualtrics[-1] + 1
    body = frame.iloc[_MOST_ROWS : _MOST_ROWS + _LOOKED_AT]
    if len(body) < 1 or not any(is_of_words(frame.iloc[:, i]) for i in range(frame.shape[1])):
        return 0
    numeric = [_is_numeric(body.iloc[:, i]) for i in range(frame.shape[1])]
    return next((row for row in range(len(head)) if not _is_header(frame, row, numeric)), len(head))


def _is_header(frame: pd.DataFrame, row: int, numeric: list[bool]) -> bool:
    n_words = 0
    for i, is_numeric in enumerate(numeric):
        value = frame.iloc[row, i]
        if not _is_given(value):
            continue
        if is_numeric:
            if not isinstance(value, str) or _is_numeric(pd.Series([value])):
                return False
            n_words += 1
        elif (frame.iloc[_MOST_ROWS : _MOST_ROWS + _LOOKED_AT, i] == value).any():
            return False
    return n_words > 0


def _is_given(value: Any) -> bool:
    return not pd.api.types.is_scalar(value) or not (pd.isna(value) or is_missing_word(str(value)))


def _is_numeric(column: pd.Series) -> bool:
    if is_of_words(column):
        return as_numbers(column, typed=False) is not None
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column) and bool(column.notna().any())
