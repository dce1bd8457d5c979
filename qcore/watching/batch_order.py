"""The order of batches in time: by their numbers, by dates in the usual ways of writing, or else as they stand in the table."""

import re
from typing import Final

import pandas as pd

from qcore._base.validation import InvalidInput

_DATES: Final = (
    "%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%d/%m/%y", "%d-%m-%Y", "%m/%d/%Y", "%m/%d/%y", "%m-%d-%Y",
    "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%b %d, %Y", "%B %d, %Y", "%b %Y", "%B %Y", "%b %d", "%B %d",
)  # fmt: skip
"""Ways of writing a date beside ISO 8601."""


def batch_order(values: pd.Series, column: str) -> tuple[pd.Series, bool]:
    """(values that sort by time, whether their order is known), (n,), of a column of batches without gaps.

    Dates become days, written as 2024-03-10. Where the order is not known, a value sorts by its first row.

    Raises
    ------
    InvalidInput
        Most values are dates of ISO 8601 and some are not; or their order depends on whether the day or the month is first.
    """
    if pd.api.types.is_numeric_dtype(values):
        return values, True
    if (days := _iso_days(values, column)) is not None:
        return days, True
    words = values.astype(str).str.strip()
    # A table of instances has few batches in many rows.
    distinct = words.drop_duplicates().reset_index(drop=True)
    readings = [days for way in _DATES if (days := _read(distinct, way)) is not None]
    if readings and (days := _agreed(distinct, readings, column)) is not None:
        return words.map(dict(zip(distinct, days, strict=True))), True
    keys = readings[0] if readings else _numbers_in(distinct)
    in_time = [word for _, word in sorted(zip(range(len(distinct)) if keys is None else keys, distinct, strict=True))]
    return pd.Series(pd.Categorical(words, categories=in_time, ordered=True), words.index), keys is not None


def _iso_days(values: pd.Series, column: str) -> pd.Series | None:
    days = pd.to_datetime(values, errors="coerce", format="ISO8601")
    wrong = days.isna()
    if wrong.mean() > 0.5:
        return None
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        got, way_out = f"{values.iloc[row]} in row {row + 1}", "Correct it, or leave the row out."
        raise InvalidInput(f"the column {column}", "hold dates like 2024-03-10 in all rows", got, way_out)
    return days.dt.strftime("%Y-%m-%d")


def _read(words: pd.Series, way: str) -> pd.Series | None:
    days = pd.to_datetime(words, errors="coerce", format=way)
    return None if days.isna().any() else days


def _agreed(words: pd.Series, readings: list[pd.Series], column: str) -> pd.Series | None:
    """The days of the only reading; None where several give the same order, or where no year is known."""
    first = readings[0]
    if any((days.rank() != first.rank()).any() for days in readings):
        way_out = f"Write {first.iloc[0]:%Y-%m-%d} or {readings[-1].iloc[0]:%Y-%m-%d}."
        raise InvalidInput(f"the column {column}", "hold dates that can be read in one way", f"{words.iloc[0]}", way_out)
    # A date without a year is read as one of 1900.
    is_known = first.dt.year.max() > 1900 and all(days.equals(first) for days in readings)
    return first.dt.strftime("%Y-%m-%d") if is_known else None


def _numbers_in(words: pd.Series) -> list[tuple[int, ...]] | None:
    """The numbers in each word, such as 7 in "week 7" or 2024 and 7 in "2024-W07"; None unless they tell the order.

    They do if all words are alike but for their numbers, and there is one number, or the first one is a year.
    """
    if len(set(words.str.replace(r"\d+", "0", regex=True))) != 1:
        return None
    keys = [tuple(int(number) for number in re.findall(r"\d+", word)) for word in words]
    is_year_first = all(len(key) > 1 and 1000 <= key[0] <= 9999 for key in keys)
    return keys if is_year_first or all(len(key) == 1 for key in keys) else None
