"""Numbers of a text file as many countries write them: with a decimal comma, and points between thousands.

Here columns tell each other what their points mean; what a column of words says by itself `written_numbers` reads.
"""

import re
from collections.abc import Callable
from typing import Final

import pandas as pd

from qcore.datasets.missing_words import NONE, with_missing_none

DECIMAL_COMMA: Final = re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+),\d+")
_THOUSANDS: Final = r"-?[1-9]\d{0,2}(?:\.\d{3}){1,2}"
_POINT: Final = r"-?\d+\.\d+"


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
        has_points = values.str.fullmatch(_POINT) & ~values.str.fullmatch(_THOUSANDS)
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
    if (written.apply(lambda column: column.str.fullmatch(_POINT, na=False)) & ~thousands).to_numpy().any():
        return frame
    for name in written.columns:
        words, pointed = written[name], thousands[name]
        whole = words.str.fullmatch(r"-?\d+", na=False)
        tells = whole.any() or (words[pointed].str.count(r"\.") > 1).any()
        if pointed.any() and (pointed | whole | words.isna()).all() and tells:
            frame[name] = pd.to_numeric(words.str.replace(".", "", regex=False))
    return frame
