"""Which words of a text file stand for a missing value, and which labels for none.

"None" stands for a missing value among numbers, and not among words, as of no illness.
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
"""How pandas reads a text file so that it keeps "None"; the other words are missing values as by default, and MySQL's, too."""
NO_LABEL: Final = frozenset(
    ("9", "99", "999", "-1", "-9", "-99", "-", ".", "?", "\\n", "unlabeled", "unlabelled", "not labelled")
)
"""What stands in columns of labels where there is none, in small letters."""


def is_code_for_no_label(label: str, classes: Collection[str]) -> bool:
    """Whether a label beside these classes is probably a code for none, as 9 is beside 0 and 1, and is not beside 0 to 8."""
    word = label.casefold()
    if word not in NO_LABEL or (word == "-" and "+" in classes):
        return False
    # Of -1, 0, 1 and of 0 to 9 each may be a class.
    return not (word.lstrip("-").isdigit() and {str(int(word) - 1), str(int(word) + 1)} & {*classes})


def with_missing_none(frame: pd.DataFrame) -> pd.DataFrame:
    """The table, with columns of numbers or truth values and "None" turned into these, of which some are missing."""
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
