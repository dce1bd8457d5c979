"""ARFF, Weka's attribute-relation file format, and KEEL's format, which is ARFF with a few extra lines.

scipy's reader is not used: it does not know text attributes or quoted names with blanks, and raises errors of several types.
"""

import io
import re
from typing import Final

import pandas as pd

from qcore._base.validation import InvalidInput
from qcore.datasets.missing_words import READ_WITH
from qcore.datasets.table_limits import MAX_CELLS, MAX_COLUMNS

_ATTRIBUTE: Final = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|[^\s{]+)\s*(.*)", re.IGNORECASE)
_DATA: Final = re.compile(r"^[ \t]*@data[^\n]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_BLANK: Final = re.compile(r"\A(?:[ \t\r]*\n)+")
_COMMENT: Final = re.compile(r"^%", re.MULTILINE)
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
            names.append(attribute[1].strip("'\""))
            if len(names) > MAX_COLUMNS:
                raise InvalidInput("ARFF file", f"have at most {MAX_COLUMNS:,} attributes", "more", "Use a part of it.")
            numeric.append(attribute[2].strip().lower().startswith(_NUMERIC))
    rows = text[start.end() :]
    if _COMMENT.search(rows):
        rows = "".join(line for line in io.StringIO(rows) if not line.startswith("%"))
    rows = _BLANK.sub("", rows, count=1)
    if not names or rows.startswith("{"):
        result = "sparse rows" if names else "none"
        raise InvalidInput("ARFF file", "declare attributes and have one value for each", result, "Save the table as CSV.")
    n_rows = rows.count("\n")
    if n_rows * len(names) > MAX_CELLS:
        result = f"about {n_rows:,} rows of {len(names):,} attributes"
        raise InvalidInput("ARFF file", f"have at most {MAX_CELLS:,} values", result, "Use a part of it.")
    quote = '"' if re.search(r'(^|[,\t])[ \t]{0,20}"', rows[:100_000], re.MULTILINE) else "'"
    first = rows.partition("\n")[0]
    separator = "\t" if "\t" in first and "," not in first else ","
    frame = pd.read_csv(
        io.BytesIO(rows.encode("utf-8", "surrogatepass")), sep=separator, header=None, names=list(range(len(names))),
        quotechar=quote, skipinitialspace=True, low_memory=False, index_col=False, **READ_WITH,
    )  # fmt: skip
    for i, is_numeric in enumerate(numeric):
        if is_numeric:
            frame[i] = pd.to_numeric(frame[i], errors="coerce")
    frame.columns = names
    return frame
