"""Which words of a text file stand for a missing value, and which labels for a missing label.

"None" stands for a missing value in a column of numbers or truth values; in a column of words, such as illnesses, it is a word.
"""

from collections.abc import Collection
from typing import Any, Final

import pandas as pd

from qcore.datasets.table_limits import MISSING

NONE: Final = "None"
_OF_PANDAS: Final = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
    "NaN", "n/a", "nan", "null",
)  # fmt: skip
READ_WITH: Final[dict[str, Any]] = {"keep_default_na": False, "na_values": [*_OF_PANDAS, "\\N", *MISSING]}
"""Arguments with which pandas keeps "None" as text; its other words for missing values, and MySQL's, are read as missing."""
_MISSING: Final = frozenset((*READ_WITH["na_values"], NONE))
NO_LABEL: Final = frozenset(
    ("9", "99", "999", "-1", "-9", "-99", "-", ".", "?", "\\n", "unlabeled", "unlabelled", "not labelled")
)
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
