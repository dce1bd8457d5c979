"""Columns that tell samples apart, such as dates, weeks and months: the order of their values in time."""

import re

import numpy as np
import pandas as pd

from qcore._base.validation import InvalidInput
from qcore.datasets.preparation import over_distinct

_DATES = (
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d/%m/%Y",
    "%d/%m/%y",
    "%d-%m-%Y",
    "%m/%d/%Y",
    "%m/%d/%y",
    "%m-%d-%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d %Y",
    "%B %d %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%b %Y",
    "%B %Y",
    "%b %d",
    "%B %d",
    "%b-%Y",
    "%d-%b-%Y",
    "%b",
    "%B",
)
"""Ways of writing a date beside ISO 8601."""
_MONTHS_IN_WORDS = (
    "jan january ene enero januar jän janv janvier",
    "feb february febrero februar fév févr février",
    "mar march marzo mär märz mars",
    "apr april abr abril avr avril",
    "may mayo mai",
    "jun june junio juni juin",
    "jul july julio juli juil juillet",
    "aug august ago agosto août",
    "sep sept september septiembre set setiembre septembre",
    "oct october octubre okt oktober octobre",
    "nov november noviembre novembre",
    "dec december dic diciembre dez dezember déc décembre",
)
"""The names of each month in English, Spanish, German and French; all are read as the first one."""
_READ_AS = {word: words.split()[0] for words in _MONTHS_IN_WORDS for word in words.split()}
_OFFSET = r"([T ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?)\s*(?:Z|[+-]\d{2}(?::?\d{2})?)$"
"""A time of day with its offset from UTC."""
_TIME = r"[ ,T]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?$"
"""A time of day after a date."""
_NO_YEAR = 1896
"""The year that a date without one is read with: a leap year, so that it may be the 29th of February."""
_DAYS, _WEEKS, _MONTHS, _QUARTERS = 366, 53, 12, 4
"""How many days, weeks, months and quarters a year has at most."""


def batch_order(values: pd.Series, column: str) -> tuple[pd.Series, bool]:
    """(values that sort by time, whether their order is known), (n,), of a column of batches without gaps.

    Dates become days such as 2024-03-10, in the local time in which they were written. Where the order is not known, a value
    sorts by its first row; so do dates, weeks and months without a year that run past its end, as week 52 before week 1.

    Raises
    ------
    InvalidInput
        Most values are dates of ISO 8601 and some are not; or their order depends on whether the day or the month is first.
    """
    if pd.api.types.is_numeric_dtype(values):
        if not _passes_new_year(values.drop_duplicates().to_numpy(dtype=float), _cycle(column)):
            return values, True
        return pd.Series(pd.Categorical(values, categories=values.unique(), ordered=True), values.index), False
    if (days := _iso_days(values, column)) is not None:
        return days, True
    words = over_distinct(values, lambda names: names.astype(str).str.strip())
    # A table of instances has few batches in many rows.
    distinct, readings = _readings(words)
    if not readings and distinct.str.contains(_TIME, regex=True).all():
        dates = words.str.replace(_TIME, "", regex=True)
        without_time, of_dates = _readings(dates)
        if of_dates:
            words, distinct, readings = dates, without_time, of_dates
    if readings and (days := _agreed(distinct, readings, column)) is not None:
        return words.map(dict(zip(distinct, days, strict=True))), True
    keys = readings[0] if readings else _numbers_in(distinct)
    if keys is not None and _passes_new_year(*_in_a_year(keys, f"{column} {distinct[0]}")):
        keys = None
    in_time = [word for _, word in sorted(zip(range(len(distinct)) if keys is None else keys, distinct, strict=True))]
    return pd.Series(pd.Categorical(words, categories=in_time, ordered=True), words.index), keys is not None


def _iso_days(values: pd.Series, column: str) -> pd.Series | None:
    days = over_distinct(values, _read_iso)
    wrong = days.isna()
    if wrong.mean() > 0.5:
        return None
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        got, hint = f"{values.iloc[row]} in row {row + 1}", "Correct it, or leave the row out."
        raise InvalidInput(f"the column {column}", "hold dates like 2024-03-10 in all rows", got, hint)
    return over_distinct(days, lambda dates: dates.dt.strftime("%Y-%m-%d"))


def _read_iso(values: pd.Series) -> pd.Series:
    if not pd.api.types.is_datetime64_any_dtype(values):
        # Summer and winter time have different offsets from UTC.
        values = values.astype(str).str.strip().str.replace(_OFFSET, r"\1", regex=True)
    return pd.to_datetime(values, errors="coerce", format="ISO8601")


def _readings(words: pd.Series) -> tuple[pd.Series, list[pd.Series]]:
    """The distinct words, and their days by each way of writing that fits all of them."""
    distinct = words.drop_duplicates().reset_index(drop=True)
    read = distinct.map(_with_short_months)
    return distinct, [days for way in _DATES if (days := _read(read, way)) is not None]


def _with_short_months(word: str) -> str:
    """A date with its month as English shortens it: "3 de marzo de 2024" is "3 mar 2024"."""
    parts = re.sub(r"(?<=\d)\.(?=\s)|\b(?:de|del)\b", " ", word.lower())
    return " ".join(re.sub(r"([^\W\d_]+)\.?", lambda found: _READ_AS.get(found[1], found[0]), parts).split())


def _read(words: pd.Series, way: str) -> pd.Series | None:
    if "%y" not in way.lower():
        words, way = words + f" {_NO_YEAR}", f"{way} %Y"
    days = pd.to_datetime(words, errors="coerce", format=way)
    return None if days.isna().any() else days


def _agreed(words: pd.Series, readings: list[pd.Series], column: str) -> pd.Series | None:
    """The days of the only reading; None where several give the same order, or where no year is known."""
    first = readings[0]
    other = next((days for days in readings if (days.rank() != first.rank()).any()), None)
    if other is not None:
        at = int((first != other).to_numpy().argmax())
        hint = f"Write {first.iloc[at]:%Y-%m-%d} or {other.iloc[at]:%Y-%m-%d}."
        raise InvalidInput(f"the column {column}", "hold dates that can be read in one way", f"{words.iloc[at]}", hint)
    is_known = first.dt.year.max() > _NO_YEAR and all(days.equals(first) for days in readings)
    return first.dt.strftime("%Y-%m-%d") if is_known else None


def _cycle(name: str) -> int:
    """How many weeks, months or quarters a year has, by which of these a name mentions; 0 if it mentions none of them."""
    if re.search(r"month|\bmes\b", name.lower()):
        return _MONTHS
    if re.search(r"quarter|trimestre|\bq\s*\d", name.lower()):
        return _QUARTERS
    return _WEEKS if re.search(r"week|semana|\bk?w\s*\d|\bk?w$", name.lower()) else 0


def _in_a_year(keys: pd.Series | list[tuple[int, ...]], name: str) -> tuple[np.ndarray, int]:
    """The place of each batch in a year, and how many places a year has; 0 if that is unknown, or the batches name the year."""
    if isinstance(keys, pd.Series):
        return keys.dt.day_of_year.to_numpy(dtype=float), _DAYS if keys.dt.year.max() == _NO_YEAR else 0
    return np.array([key[0] for key in keys], dtype=float), _cycle(name) if all(len(key) == 1 for key in keys) else 0


def _passes_new_year(places: np.ndarray, cycle: int) -> bool:
    """Whether places in a year rise in table order, except for one fall by over half a year, and end below the first."""
    falls = -np.diff(places)
    if not cycle or np.max(places) > cycle or int((falls > 0).sum()) != 1:
        return False
    # After a turn of the year all come before the first one; after a row that is merely late they do not.
    return bool(falls.max() > cycle / 2 and places[-1] < places[0])


def _numbers_in(words: pd.Series) -> list[tuple[int, ...]] | None:
    """The numbers in each word, such as 7 in "week 7" or 2024 and 7 in "2024-W07"; None unless they tell the order.

    They do if all words are equal except for their numbers, and there is one number, or the first one is a year, or the second
    of two is a year after its week, month or quarter.
    """
    if len(set(words.str.replace(r"\d+", "0", regex=True))) != 1:
        return None
    keys = [tuple(int(number) for number in re.findall(r"\d+", word)) for word in words]
    is_year_first = all(len(key) > 1 and 1000 <= key[0] <= 9999 for key in keys)
    if is_year_first or all(len(key) == 1 for key in keys):
        return keys
    is_year_last = all(len(key) == 2 and key[0] <= _WEEKS and 1900 <= key[1] <= 2100 for key in keys)
    return [(key[1], key[0]) for key in keys] if is_year_last else None


def groups_in_time(values: pd.Series, column: str) -> pd.Series:
    """The groups of a column so that they sort by time where their order is known, (n,); gaps stay gaps.

    They are called as they are written, such as 2026-05; where several are of one day, as times are, they are that day.
    """
    if isinstance(values.dtype, pd.CategoricalDtype) and values.cat.ordered:
        return values
    known = values[values.notna()]
    if pd.api.types.is_numeric_dtype(known) and not pd.api.types.is_bool_dtype(known):
        whole = known.astype(np.intp) if (known % 1 == 0).all() else known
        return whole.astype(object).reindex(values.index)
    try:
        ordered, is_known = batch_order(known, column)
    except InvalidInput:
        ordered, is_known = known, False
    if not is_known:
        return values
    if pd.api.types.is_datetime64_any_dtype(known):
        return ordered.reindex(values.index)
    written = over_distinct(known, lambda names: names.astype(str).str.strip())
    pairs = pd.DataFrame({"written": written, "ordered": ordered}).drop_duplicates().sort_values("ordered")
    if len(pairs) > pairs.ordered.nunique() or len(pairs) > pairs.written.nunique():
        return ordered.reindex(values.index)
    as_written = pd.Categorical(written, categories=pairs.written.to_list(), ordered=True)
    return pd.Series(as_written, known.index).reindex(values.index)


def are_in_time(values: pd.Series, groups: pd.Series) -> bool:
    """Whether groups, as `groups_in_time` gives them for these values, follow each other: numbers, or times in order."""
    return isinstance(groups.dtype, pd.CategoricalDtype) or pd.api.types.is_numeric_dtype(values)
