"""Numbers that are written as words: one rule for text files, spreadsheets, Parquet and JSON.

A column of words is one of numbers if each of its values is a number in one notation, or if 95% of them are, and they are more
than ten different numbers; the others are then missing, and one of them is named. A notation is a decimal mark and a mark
between thousands. Each value may have a sign, one currency, and a mark of a bound (<0.5 is read as 0.5); all or none of a
column have a percent sign (93.5% is 0.935, as in a spreadsheet).

Codes stay words: numbers that begin with 0, or with + and seven digits; more than 15 digits; groups of three of which all
numbers have equally many; and, in a file that distinguishes words from numbers, whole numbers that all have the same number of
digits, four or more, such as postcodes and years.
"""

import re
from collections import Counter
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, IntArray
from qcore.datasets.missing_words import is_missing_word

_NEARLY_ALL: Final = 0.95
_MANY_NUMBERS: Final = 10
_LOOKED_AT: Final = 500
"""So many different values tell the notation of a column."""
_ALIKE: Final = str.maketrans(
    dict.fromkeys("\u2212\ufe63\uff0d\u2013", "-")
    | dict.fromkeys("\u00a0\u2009\u202f\u2007\u200a", " ")
    | {"\u2019": "'", "\u00b4": "'"}
)
_CURRENCY: Final = r"[$\u00a2-\u00a5\u20a0-\u20c0]|EUR|USD|GBP|CHF"
_CODE: Final = re.compile(r"[-+]?0\d+|\+\d{7,}|[-+]?\d{16,}")
_GROUPED: Final = re.compile(r"\d{1,3}(?:[ .]\d{3})+")


class _Notation(NamedTuple):
    decimal: str
    thousands: str

    def plain(self) -> str:
        """The pattern of numbers of this notation without signs."""
        decimal, whole = re.escape(self.decimal), rf"(?:\d+|[1-9]\d{{0,2}}(?:{re.escape(self.thousands)}\d{{3}})+)"
        return rf"(?:{whole}(?:{decimal}\d*)?|{decimal}\d+)(?:[eE][-+]?\d+)?"

    def pattern(self) -> re.Pattern[str]:
        """The numbers of this notation, with all that may stand around them."""
        return re.compile(
            rf"(?P<bound>[<>≤≥]=?)? ?(?P<sign>[-+]?) ?(?P<before>{_CURRENCY})? ?(?P<inner>[-+]?)(?P<number>{self.plain()})"
            rf" ?(?P<after>{_CURRENCY})? ?(?P<percent>%?)"
        )


_NOTATIONS: Final = tuple(_Notation(decimal, mark) for decimal in ".," for mark in (",.".replace(decimal, ""), "'", " "))
_PATTERNS: Final = {notation: notation.pattern() for notation in _NOTATIONS}
_SIGNED: Final = {notation: re.compile(rf"[-+]?{notation.plain()}") for notation in _NOTATIONS}
_POINT, _COMMA = _NOTATIONS[0], _NOTATIONS[3]


class WrittenNumbers(NamedTuple):
    """A column's numbers, (n,); how many values are none, the first of these and its row; and sentences on how it was read."""

    numbers: pd.Series
    n_unread: int
    unread: str
    row: int
    notes: tuple[str, ...]


class _Words(NamedTuple):
    """The different values of a column: which one each row has (-1 for none), the values, and how many rows have each."""

    codes: IntArray
    distinct: list[Any]
    counts: IntArray


def is_of_words(column: pd.Series) -> bool:
    """Whether a column holds words, perhaps among other things."""
    return column.dtype == object or pd.api.types.is_string_dtype(column)


def as_numbers(column: pd.Series, *, typed: bool, decimal_comma: bool = False) -> WrittenNumbers | None:
    """The numbers of a column of words, by the rule of this module; None if it is not one of numbers.

    `typed`: whether the file distinguishes words from numbers. `decimal_comma`: what 1,234 means where nothing else tells it.

    Examples
    --------
    >>> read = as_numbers(pd.Series(["1\u2019204.50", "\u22123", "€ 12"]), typed=True)
    >>> read.numbers.tolist(), as_numbers(pd.Series(["007", "012"]), typed=True)
    ([1204.5, -3.0, 12.0], None)
    """
    words = _words_of(column)
    if words is None or not _hopeful(words) or _are_codes(words, typed):
        return None
    return _decided(column, words, decimal_comma)


def numbers_in(column: pd.Series) -> pd.Series:
    """What can be read as a number in a column of words, whatever the others are, which are missing, (n,)."""
    words = _words_of(column)
    if words is None or not words.distinct:
        return pd.to_numeric(column, errors="coerce")
    numbers = _read(words, decimal_comma=False)[0]
    return pd.Series(np.append(numbers, np.nan)[words.codes], index=column.index, name=column.name)


def _words_of(column: pd.Series) -> _Words | None:
    """The different values of a column; None for one that holds truth values, dates, lists and the like."""
    try:
        codes, values = pd.factorize(column.astype(object))
    except TypeError:
        return None
    if any(not isinstance(value, str | int | float) or isinstance(value, bool) for value in values):
        return None
    plain = [_spelt_alike(value) if isinstance(value, str) else value for value in values]
    given = np.array([not (isinstance(value, str) and is_missing_word(value)) for value in plain], dtype=bool)
    place = np.where(given, np.cumsum(given) - 1, -1)
    codes = np.where(codes < 0, -1, np.append(place, -1)[codes])
    kept = [value for value, is_given in zip(plain, given, strict=True) if is_given]
    return _Words(codes, kept, np.bincount(codes[codes >= 0], minlength=len(kept)))


def _spelt_alike(text: str) -> str:
    return (text if text.isascii() else text.translate(_ALIKE)).strip()


def _sampled(values: list[Any]) -> list[Any]:
    return values[:: max(1, len(values) // _LOOKED_AT)]


def _hopeful(words: _Words) -> bool:
    """Whether most of the values could be numbers: free text of a large file is not read in six notations."""
    some = _sampled(words.distinct)
    n_numbers = sum(not isinstance(value, str) or any(p.fullmatch(value) for p in _PATTERNS.values()) for value in some)
    return len(some) > 0 and 2 * n_numbers > len(some)


def _are_codes(words: _Words, typed: bool) -> bool:
    texts = [value for value in words.distinct if isinstance(value, str)]
    if any(_CODE.fullmatch(text) for text in texts):
        return True
    if len(texts) < 2 or len(texts) < len(words.distinct) / 2:
        return False
    texts = _sampled(texts)
    digits = {sum(map(str.isdigit, text)) for text in texts}
    grouped = min(digits) > 6 and all(_GROUPED.fullmatch(text) for text in texts)
    same = typed and min(digits) > 3 and all(text.isdigit() for text in texts)
    return len(digits) == 1 and (grouped or same)


def _decided(column: pd.Series, words: _Words, decimal_comma: bool) -> WrittenNumbers | None:
    numbers, notes, is_bound = _read(words, decimal_comma)
    unread = np.isnan(numbers)
    n_known, n_unread = int(words.counts.sum()), int(words.counts[unread].sum())
    known = set(numbers[~unread].tolist())
    if not known or 2 * is_bound.sum() > (~unread).sum():
        # Less than a bound and more than it are groups, and no measured values.
        return None
    if n_unread and (n_unread > (1.0 - _NEARLY_ALL) * n_known or len(known) <= _MANY_NUMBERS):
        return None
    values = np.append(numbers, np.nan)[words.codes]
    series = pd.Series(values, index=column.index, name=column.name)
    if not np.isnan(values).any() and all(_is_whole(value) for value in words.distinct):
        series = series.astype(np.int64)  # 64 bits: numbers of a file, not indices
    row = int(np.isin(words.codes, np.flatnonzero(unread)).argmax()) if n_unread else -1
    example = str(column.iloc[row]) if n_unread else ""
    return WrittenNumbers(series, n_unread, example, row, notes)


def _is_whole(value: Any) -> bool:
    return re.fullmatch(r"[-+]?\d{1,15}", str(value)) is not None


def _read(words: _Words, decimal_comma: bool) -> tuple[FloatArray, tuple[str, ...], np.ndarray]:
    """(the number of each value, NaN for none; sentences on what is not obvious; which values are bounds)."""
    texts = [value if isinstance(value, str) else "" for value in words.distinct]
    numbers = np.array([np.nan if isinstance(value, str) else float(value) for value in words.distinct])
    none = np.zeros(len(texts), dtype=bool)
    plain = pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce").to_numpy(dtype=np.float64)
    if not any(texts[i] for i in np.flatnonzero(np.isnan(plain))):
        return np.where(np.isnan(numbers), plain, numbers), (), none
    notation = _notation(list(filter(None, texts)), decimal_comma)
    signed = _SIGNED[notation]
    if all(signed.fullmatch(text) for text in texts if text):
        # Nothing stands around the numbers: no need to take a large column apart.
        spelt = (text.replace(notation.thousands, "").replace(notation.decimal, ".") for text in texts)
        numbers = np.array([float(text) if text else number for text, number in zip(spelt, numbers, strict=True)])
        return numbers, tuple(_on_commas(texts, numbers, notation)), none
    found = [_PATTERNS[notation].fullmatch(text) if text else None for text in texts]
    currencies = {one["before"] or one["after"] for one in found if one} - {None}
    shares = Counter(one["percent"] for i, one in enumerate(found) if one for _ in range(words.counts[i]))
    percent = shares["%"] > 0 and shares["%"] >= shares[""]
    bounds = none.copy()
    for i, one in enumerate(found):
        if one and len(currencies) < 2 and ((one["percent"] == "%") == percent or not one["number"].strip("0.,")):
            numbers[i] = _number(one, notation)
            bounds[i] = one["bound"] is not None
    n_bounds = int(words.counts[bounds].sum())
    notes = _on_bounds_and_percentages(texts, numbers, bounds, n_bounds) if percent or n_bounds else []
    return numbers, (*notes, *_on_commas(texts, numbers, notation)), bounds


def _number(one: re.Match[str], notation: _Notation) -> float:
    text = one["number"].replace(notation.thousands, "").replace(notation.decimal, ".")
    # As text, so that 46.1% is the same number as 0.461.
    value = float(f"{text}e-2") if one["percent"] and "e" not in text.lower() else float(text) / (100 if one["percent"] else 1)
    return -value if "-" in one["sign"] + one["inner"] else value


def _notation(texts: list[str], decimal_comma: bool) -> _Notation:
    """The notation in which most values are numbers; of several, the one that fits the file."""
    some = _sampled(texts)
    with_comma = decimal_comma and any("," in text for text in some)
    order = sorted(_NOTATIONS, key=lambda one: (one.decimal == ",") != with_comma)
    return max(order, key=lambda one: sum(_PATTERNS[one].fullmatch(text) is not None for text in some))


def _on_bounds_and_percentages(texts: list[str], numbers: FloatArray, bounds: np.ndarray, n_bounds: int) -> list[str]:
    """Sentences on how values with a percent sign and those that are less or more than a bound are read."""
    notes = []
    shares = (i for i, text in enumerate(texts) if text.endswith("%") and numbers[i])
    if (i := next(shares, None)) is not None:
        notes.append(f"percentages are shares: {texts[i]!r} is {numbers[i]:g}.")
    if n_bounds:
        i = int(bounds.argmax())
        said = "value is" if n_bounds == 1 else "values are"
        notes.append(f"{n_bounds:,} {said} read as the bound: {texts[i]!r} is {numbers[i]:g}.")
    return notes


def _on_commas(texts: list[str], numbers: FloatArray, notation: _Notation) -> list[str]:
    """A sentence on how 1,234 is read, where all numbers with a comma have three digits behind it."""
    marked = [i for i, text in enumerate(texts) if "," in text and not np.isnan(numbers[i])]
    other = {_POINT: _COMMA, _COMMA: _POINT}.get(notation)
    if not marked or other is None or not all(_PATTERNS[other].fullmatch(texts[i]) for i in marked):
        return []
    return [f"{texts[marked[0]]!r} is read as {numbers[marked[0]]:.15g}."]
