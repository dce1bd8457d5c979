"""ARFF, Weka's attribute-relation file format, and KEEL's format, which is ARFF with a few extra lines.

scipy's reader is not used: it does not know text attributes or quoted names with blanks, and raises errors of several types.
"""

import csv
import io
import re
from typing import Any, Final

import pandas as pd

from qcore._base.validation import InvalidInput
from qcore.datasets.missing_words import READ_WITH
from qcore.datasets.reading_failures import lines_of_file
from qcore.datasets.reading_notes import note
from qcore.datasets.table_limits import MAX_CELLS, MAX_COLUMNS
from qcore.datasets.written_numbers import as_numbers, is_of_words, numbers_in

_ATTRIBUTE: Final = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|[^\s{]+)\s*(.*)", re.IGNORECASE)
_DATA: Final = re.compile(r"^[ \t]*@data[^\n]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_BLANK: Final = re.compile(r"\A(?:[ \t\r]*\n)+")
_COMMENT: Final = re.compile(r"^%", re.MULTILINE)
_WEIGHT: Final = re.compile(r"[ \t]*[,\t][ \t]*\{[ \t]*[\d.eE+-]+[ \t]*\}[ \t\r]*$", re.MULTILINE)
"""An instance's weight, behind its values."""
_NUMERIC: Final = ("numeric", "real", "integer")


def is_attribute_relation(text: str) -> bool:
    """Whether a text is in this format: its first line that is not a comment is a declaration."""
    for line in io.StringIO(text[:100_000]):
        if line.strip() and not line.lstrip().startswith("%"):
            return bool(re.match(r"\s*@(relation|attribute)\b", line, re.IGNORECASE))
    return False


def read_attribute_relation(text: str) -> pd.DataFrame:
    """The table in a text of this format. Raises InvalidInput for a file without attributes or data, or with sparse rows."""
    start = _DATA.search(text)
    if start is None:
        raise InvalidInput("ARFF file", "have a line @data", "none", "Complete the file, or save the table as CSV.")
    names, numeric = [], []
    for line in io.StringIO(text[: start.start()]):
        if attribute := _ATTRIBUTE.match(line.strip()):
            names.append(re.sub(r"\\(.)", r"\1", _unquoted(attribute[1])))
            if len(names) > MAX_COLUMNS:
                raise InvalidInput("ARFF file", f"have at most {MAX_COLUMNS:,} attributes", "more", "Use a part of it.")
            numeric.append(attribute[2].strip().lower().startswith(_NUMERIC))
    rows = text[start.end() :]
    if _COMMENT.search(rows):
        # A blank line in the place of each comment: errors name the lines of the file.
        rows = "".join("\n" if line.startswith("%") else line for line in io.StringIO(rows))
    if not names or rows.lstrip().startswith("{"):
        result = "sparse rows" if names else "none"
        raise InvalidInput("ARFF file", "declare attributes and have one value for each", result, "Save the table as CSV.")
    rows, n_weights = _WEIGHT.subn("", rows) if "{" in rows else (rows, 0)
    n_rows = rows.count("\n")
    if n_rows * len(names) > MAX_CELLS:
        result = f"about {n_rows:,} rows of {len(names):,} attributes"
        raise InvalidInput("ARFF file", f"have at most {MAX_CELLS:,} values", result, "Use a part of it.")
    frame = _read_rows(rows, len(names), text.count("\n", 0, start.end()))
    for i in (i for i, is_numeric in enumerate(numeric) if is_numeric and is_of_words(frame[i])):
        _take_for_numbers(frame, i, names[i])
    frame.columns = names
    if n_weights:
        note(frame, f"{n_weights:,} rows have weights, which are not used: each row counts once.")
    return frame


def _unquoted(name: str) -> str:
    return name[1:-1] if name[0] in "'\"" and name[-1] == name[0] and len(name) > 1 else name


def _take_for_numbers(frame: pd.DataFrame, i: int, name: str) -> None:
    """Make a column of words one of numbers, which it is by its attribute, even if a rule for any table would not."""
    if as_numbers(frame[i], typed=False) is None:
        numbers = numbers_in(frame[i])
        lost = frame[i][numbers.isna() & frame[i].notna()]
        frame[i] = numbers
        if len(lost):
            note(frame, f"{name[:40]}: {len(lost):,} values are no numbers and count as missing, such as {lost.iloc[0]!r}.")


def _read_rows(rows: str, n_columns: int, n_before: int) -> pd.DataFrame:
    """The table of the lines below @data, above which `n_before` lines stand, its columns numbered."""
    blank = _BLANK.match(rows)
    if blank is not None:
        rows, n_before = rows[blank.end() :], n_before + blank[0].count("\n")
    quote = '"' if re.search(r'(^|[,\t])[ \t]{0,20}"', rows[:100_000], re.MULTILINE) else "'"
    first = rows.partition("\n")[0]
    separator = "\t" if "\t" in first and "," not in first else ","
    escape = "\\" if f"\\{quote}" in rows else None
    fields: dict[str, Any] = {"delimiter": separator, "quotechar": quote, "skipinitialspace": True}
    # pandas takes the first row for the measure of the others, and drops what it has too many.
    values = next(csv.reader([first], escapechar=escape, **fields), [])
    n_first = max((i + 1 for i, value in enumerate(values) if value.strip()), default=0)
    if n_first > n_columns:
        raise pd.errors.ParserError(f"Expected {n_columns} fields in line {n_before + 1}, saw {n_first}")
    with lines_of_file(rows, n_before, quote):
        return pd.read_csv(
            io.BytesIO(rows.encode("utf-8", "surrogatepass")), sep=separator, header=None, names=list(range(n_columns)),
            quotechar=quote, escapechar=escape, skipinitialspace=True, low_memory=False, index_col=False, **READ_WITH,
        )  # fmt: skip
