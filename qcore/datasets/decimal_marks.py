"""Numbers of a text file as many countries write them: with a decimal comma, points between thousands, or a percent sign."""

import re
from collections.abc import Callable
from typing import Final

import pandas as pd

from qcore.datasets.missing_words import NONE, with_missing_none

DECIMAL_COMMA: Final = re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+),\d+")
_THOUSANDS: Final = r"-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d{1,3})"


def with_points(frame: pd.DataFrame, separator: str, as_written: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """The table of a file with this separator, with columns of such numbers turned into numbers.

    `as_written` reads the table once more, all of it as text: "1.234" has become a number by then.
    """
    frame = with_missing_none(frame if separator == "," else _with_decimal_points(frame, as_written))
    return _without_percent_signs(frame, "." if separator == "," else ".,")


def _with_decimal_points(frame: pd.DataFrame, as_written: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    has_commas = False
    for column in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[column]):
            continue
        values = frame[column].dropna().astype(str)
        values = values[values != NONE]
        if len(values) and values.str.fullmatch(DECIMAL_COMMA).any() and not values.str.fullmatch(r"-?\d+\.\d+").any():
            plain = frame[column].astype(str).str.replace(".", "", regex=False).str.replace(",", ".", regex=False)
            numbers = pd.to_numeric(plain, errors="coerce")
            if numbers.notna().sum() == len(values):
                frame[column] = numbers
                has_commas = True
    return _without_points_between_thousands(frame, as_written()) if has_commas and _may_have_points(frame) else frame


def _may_have_points(frame: pd.DataFrame) -> bool:
    return not all(pd.api.types.is_integer_dtype(kind) for kind in frame.dtypes)


def _without_points_between_thousands(frame: pd.DataFrame, written: pd.DataFrame) -> pd.DataFrame:
    """The table of a file with decimal commas: its points are between thousands, as long as all of a column may be."""
    for column in frame.columns:
        words = written[column].str.strip()
        known = words.dropna()
        if known.str.contains(".", regex=False).any() and known.str.fullmatch(_THOUSANDS).all():
            frame[column] = pd.to_numeric(words.str.replace(".", "", regex=False))
    return frame


def _without_percent_signs(frame: pd.DataFrame, decimal_marks: str) -> pd.DataFrame:
    """The table, with columns of percentages turned into numbers: "93.5 %" is 93.5. A column has one decimal mark."""
    for column in frame.columns:
        values = frame[column].dropna()
        if len(values) and str(values.iloc[0]).endswith("%"):
            words = values.astype(str)
            if any(words.str.fullmatch(rf"-?\d+(?:[{mark}]\d+)?\s?%").all() for mark in decimal_marks):
                numbers = words.str.rstrip("% \u00a0").str.replace(",", ".", regex=False)
                frame[column] = pd.to_numeric(numbers).reindex(frame.index)
    return frame
