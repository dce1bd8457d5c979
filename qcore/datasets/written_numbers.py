"""Numbers that a file writes as words, and words that stand for a missing value: one rule for all formats.

A column of words is one of numbers if each of its values is a number in one notation, or if 95% of them are, and they are more
than ten different numbers; the others are then missing, and one of them is named. A notation is a decimal mark and a mark
between thousands. Each value may have a sign, one currency, and a mark of a bound (<0.5 is read as 0.5); all or none of a
column have a percent sign (93.5% is 0.935, as in a spreadsheet). In a text file with decimal commas, columns tell each other
what their points mean.

Codes stay words: months such as 05.2026; numbers that begin with 0, or with + and seven digits; more than 15 digits; groups of
three of which all numbers have equally many; and, in a file that distinguishes words from numbers, whole numbers that all have
the same number of digits, four or more, such as postcodes and years.

"None" stands for a missing value in a column of numbers or truth values; in a column of words, such as illnesses, it is a word.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, IntArray
from qcore.datasets.headers import note
from qcore.datasets.table_limits import MISSING

NONE = "None"
_OF_PANDAS = (
    "",
    "#N/A",
    "#N/A N/A",
    "#NA",
    "-1.#IND",
    "-1.#QNAN",
    "-NaN",
    "-nan",
    "1.#IND",
    "1.#QNAN",
    "<NA>",
    "N/A",
    "NA",
    "NULL",
    "NaN",
    "n/a",
    "nan",
    "null",
)
READ_WITH: Final[dict[str, Any]] = {"keep_default_na": False, "na_values": [*_OF_PANDAS, "\\N", *MISSING]}
"""Arguments with which pandas keeps "None" as text; its other words for missing values, and MySQL's, are read as missing."""
_MISSING = frozenset((*READ_WITH["na_values"], NONE))
NO_LABEL = frozenset(("9", "99", "999", "-1", "-9", "-99", "-", ".", "?", "\\n", "unlabeled", "unlabelled", "not labelled"))
"""Words that mark a missing label, in lower case."""


def is_missing_word(word: str) -> bool:
    """Whether a word among numbers stands for a missing value."""
    return word.strip() in _MISSING


def is_code_for_no_label(label: str, classes: Collection[str]) -> bool:
    """Whether a label probably marks a missing label: 9 does so beside the classes 0 and 1, but not beside 0 to 8."""
    word = label.casefold()
    if word not in NO_LABEL or (word == "-" and "+" in classes):
        return False
    # A number next to one of the classes may be a class, as in -1, 0, 1 or in 0 to 9.
    return not (word.lstrip("-").isdigit() and {str(int(word) - 1), str(int(word) + 1)} & {*classes})


def with_missing_none(frame: pd.DataFrame) -> pd.DataFrame:
    """The table; columns of numbers or truth values that also hold "None" become numbers or truth values with gaps."""
    for column in frame.columns:
        values = frame[column]
        if pd.api.types.is_numeric_dtype(values) or not (is_none := values == NONE).any():
            continue
        others = values.mask(is_none)
        known = others.dropna().str.casefold()
        if len(known) and set(known) <= {"true", "false"}:
            frame[column] = known.eq("true").astype(object).reindex(others.index)
            continue
        numbers = pd.to_numeric(others, errors="coerce")
        if numbers.notna().sum() == others.notna().sum():
            frame[column] = numbers
    return frame


_NEARLY_ALL = 0.95
_MANY_NUMBERS = 10
_LOOKED_AT = 500
"""This many different values tell the notation of a column."""
_ALIKE = str.maketrans(
    dict.fromkeys("\u2212\ufe63\uff0d\u2013", "-")
    | dict.fromkeys("\u00a0\u2009\u202f\u2007\u200a", " ")
    | {"\u2019": "'", "\u00b4": "'"}
)
_CURRENCY = r"[$\u00a2-\u00a5\u20a0-\u20c0]|EUR|USD|GBP|CHF"
_CODE = re.compile(r"[-+]?0\d+|\+\d{7,}|[-+]?\d{16,}")
_MONTH = re.compile(r"(0?[1-9]|1[0-2])\.(?:19|20)\d\d")
_GROUPED = re.compile(r"\d{1,3}(?:[ .]\d{3})+")


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


_NOTATIONS = tuple(_Notation(decimal, mark) for decimal in ".," for mark in (",.".replace(decimal, ""), "'", " "))
_PATTERNS = {notation: notation.pattern() for notation in _NOTATIONS}
_SIGNED = {notation: re.compile(rf"[-+]?{notation.plain()}") for notation in _NOTATIONS}
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
    if any(_CODE.fullmatch(text) for text in texts) or (len(texts) == len(words.distinct) and are_months(texts)):
        return True
    if len(texts) < 2 or len(texts) < len(words.distinct) / 2:
        return False
    texts = _sampled(texts)
    digits = {sum(map(str.isdigit, text)) for text in texts}
    grouped = min(digits) > 6 and all(_GROUPED.fullmatch(text) for text in texts)
    same = typed and min(digits) > 3 and all(text.isdigit() for text in texts)
    return len(digits) == 1 and (grouped or same)


def are_months(texts: Collection[str]) -> bool:
    """Whether all texts are a month and a year, with a point between, and not one number with four decimals, as a rate may be.

    Examples
    --------
    >>> are_months(["05.2026", "12.2025"]), are_months(["11.2026", "12.2026"]), are_months(["1.2026", "1.1987"])
    (True, True, False)
    """
    found = [_MONTH.fullmatch(text.strip()) for text in texts]
    months = {one[1] for one in found if one}
    return len(found) > 0 and all(found) and (len(months) > 1 or min(months).startswith("0"))


def months_as_written(frame: pd.DataFrame, as_written: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """The table, with months such as 05.2026 as words, and not as the number 5.2026.

    `as_written` reads the whole table again as text, which is done only where a column may hold months.
    """
    columns = [name for name in frame.columns if pd.api.types.is_float_dtype(frame[name]) and _may_be_months(frame[name])]
    written = as_written() if columns else frame
    for name in columns:
        if are_months(written[name].dropna().unique()):
            frame[name] = written[name]
    return frame


def _may_be_months(numbers: pd.Series) -> bool:
    known = numbers.dropna().unique()
    years = np.round(known % 1.0 * 1e4, 6)
    return len(known) > 0 and bool(((known >= 1) & (known < 13) & (years >= 1900) & (years < 2100) & (years % 1 == 0)).all())


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


DECIMAL_COMMA = re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+),\d+")
_THOUSANDS = r"-?[1-9]\d{0,2}(?:\.\d{3}){1,2}"
_DECIMAL_POINT = r"-?\d+\.\d+"


def with_points(frame: pd.DataFrame, separator: str, as_written: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """The table of a file with this separator; columns of numbers that are written in these ways become numbers.

    `as_written` reads the whole table again as text, because in `frame` a value such as "1.234" is already a number.
    """
    if separator != ",":
        frame = _with_decimal_points(frame, as_written)
    return with_missing_none(frame)


def _with_decimal_points(frame: pd.DataFrame, as_written: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    turned = set()
    for column in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[column]):
            continue
        values = frame[column].dropna().astype(str)
        values = values[values != NONE]
        has_points = values.str.fullmatch(_DECIMAL_POINT) & ~values.str.fullmatch(_THOUSANDS)
        if len(values) and values.str.fullmatch(DECIMAL_COMMA).any() and not has_points.any():
            plain = frame[column].astype(str).str.replace(".", "", regex=False).str.replace(",", ".", regex=False)
            numbers = pd.to_numeric(plain, errors="coerce")
            if numbers.notna().sum() == len(values):
                frame[column] = numbers
                turned.add(column)
    left = [name for name in frame.columns if name not in turned and not pd.api.types.is_integer_dtype(frame[name])]
    return _without_points_between_thousands(frame, as_written()[left]) if turned and left else frame


def _without_points_between_thousands(frame: pd.DataFrame, written: pd.DataFrame) -> pd.DataFrame:
    """The table of a file with decimal commas, without the points between thousands in its other columns, `written`.

    A column's points are taken as thousands separators if it also holds whole numbers without a point, or numbers with two
    points; but in no column if one of them holds a number such as 0.5, whose point must be a decimal point.
    """
    written = written.apply(lambda column: column.str.strip().mask(column == NONE))
    thousands = written.apply(lambda column: column.str.fullmatch(_THOUSANDS, na=False))
    if (written.apply(lambda column: column.str.fullmatch(_DECIMAL_POINT, na=False)) & ~thousands).to_numpy().any():
        return frame
    for name in written.columns:
        words, pointed = written[name], thousands[name]
        whole = words.str.fullmatch(r"-?\d+", na=False)
        tells = whole.any() or (words[pointed].str.count(r"\.") > 1).any()
        if pointed.any() and (pointed | whole | words.isna()).all() and tells:
            frame[name] = pd.to_numeric(words.str.replace(".", "", regex=False))
    return frame


_MOST_HEADER_ROWS = 3
"""A header has few rows."""
_ROWS_LOOKED_AT = 200
_MOST_NAMED = 3
_OF_QUALTRICS = '{"ImportId"'


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
        note(frame, f"Text that holds only numbers is read as numbers: {', '.join(as_text[:_MOST_NAMED])}{rest}.")
    more = len(notes) - _MOST_NAMED
    if notes:
        note(frame, *notes[:_MOST_NAMED], f"{more} more such remarks on other columns." if more > 0 else "")
    return frame


def _unread(read: WrittenNumbers) -> list[str]:
    n = read.n_unread
    if not n:
        return []
    said = "value is not a number and counts" if n == 1 else "values are not numbers and count"
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
    head = frame.iloc[:_MOST_HEADER_ROWS]
    of_qualtrics = [i for i in range(len(head)) if str(next(iter(head.iloc[i]), "")).startswith(_OF_QUALTRICS)]
    if of_qualtrics:
        return of_qualtrics[-1] + 1
    body = frame.iloc[_MOST_HEADER_ROWS : _MOST_HEADER_ROWS + _ROWS_LOOKED_AT]
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
        elif (frame.iloc[_MOST_HEADER_ROWS : _MOST_HEADER_ROWS + _ROWS_LOOKED_AT, i] == value).any():
            return False
    return n_words > 0


def _is_given(value: Any) -> bool:
    return not pd.api.types.is_scalar(value) or not (pd.isna(value) or is_missing_word(str(value)))


def _is_numeric(column: pd.Series) -> bool:
    if is_of_words(column):
        return as_numbers(column, typed=False) is not None
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column) and bool(column.notna().any())
