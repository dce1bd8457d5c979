"""Formats of files that pandas does not read as they are: ARFF, JSON and spreadsheets, each read into a table.

ARFF is Weka's attribute-relation file format; KEEL's is ARFF with a few extra lines. scipy's reader is not used: it does not
know text attributes or quoted names with blanks, and raises errors of several types. JSON is a list of objects, an object a
line, an object with one such list, or one with a list for each column. Of a spreadsheet, the first sheet with a table is read.
"""

import csv
import io
import itertools
import json
import re
import zipfile
from typing import Any

import pandas as pd

from qcore._base.validation import InvalidInput
from qcore.datasets.headers import lacks_header, n_titles, note, titles_sentence, without_header
from qcore.datasets.table_limits import LARGEST_PART, MAX_COLUMNS, MISSING, file_refused, limits, lines_of_file
from qcore.datasets.written_numbers import READ_WITH, as_numbers, is_of_words, numbers_in

_ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|[^\s{]+)\s*(.*)", re.IGNORECASE)
_DATA = re.compile(r"^[ \t]*@data[^\n]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_BLANK = re.compile(r"\A(?:[ \t\r]*\n)+")
_COMMENT = re.compile(r"^%", re.MULTILINE)
_WEIGHT = re.compile(r"[ \t]*[,\t][ \t]*\{[ \t]*[\d.eE+-]+[ \t]*\}[ \t\r]*$", re.MULTILINE)
"""An instance's weight, behind its values."""
_NUMERIC = ("numeric", "real", "integer")


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
    if n_rows * len(names) > limits().cells:
        result = f"about {n_rows:,} rows of {len(names):,} attributes"
        raise InvalidInput("ARFF file", f"have at most {limits().cells:,} values", result, "Use a part of it.")
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
            note(frame, f"{name[:40]}: {len(lost):,} values are not numbers and count as missing, such as {lost.iloc[0]!r}.")


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
            io.BytesIO(rows.encode("utf-8", "surrogatepass")),
            sep=separator,
            header=None,
            names=list(range(n_columns)),
            quotechar=quote,
            escapechar=escape,
            skipinitialspace=True,
            low_memory=False,
            index_col=False,
            **READ_WITH,
        )


JSON = (".json", ".jsonl", ".ndjson")
"""Endings of JSON files."""
_WAY_OUT = 'Write an object for each row, such as {"size": 1.5, "label": "yes"}, in a list or one a line, or save it as CSV.'
_BEGINS = re.compile(r'\s*(?:\[\s*[\[{]|\{\s*")')
"""How JSON begins that can hold a table: a list of lists or objects, or an object."""


def is_json(text: str) -> bool:
    """Whether a text begins as JSON does that can hold a table."""
    return _BEGINS.match(text) is not None


def read_json(text: str, name: str) -> pd.DataFrame:
    """The table in a JSON text. Raises InvalidInput for JSON that is not a table or too large, and for anything but JSON."""
    table = _rows(_parsed(text, name))
    if table is None:
        raise file_refused(name, "be JSON with a table", "JSON without rows of values", _WAY_OUT)
    if isinstance(table, dict):
        return pd.DataFrame(table)
    columns = dict.fromkeys(key for row in table for key in row)
    if len(columns) > MAX_COLUMNS or len(columns) * len(table) > limits().cells:
        result = f"{len(table):,} rows of {len(columns):,} columns"
        raise file_refused(
            name, f"have at most {MAX_COLUMNS:,} columns and {limits().cells:,} cells", result, "Use a part of it."
        )
    return pd.DataFrame(table, columns=list(columns))


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as whole:
        rows = []
        for number, line in enumerate(io.StringIO(text), start=1):
            if line.strip():
                try:
                    rows.append(json.loads(line))
                except json.JSONDecodeError as error:
                    # Of one document the error of the whole is the right one, and of lines that of the line.
                    at = f"{error.msg} in line {number}" if rows else f"{whole.msg} in line {whole.lineno}"
                    raise file_refused(name, "be JSON, or have an object in each line", at, _WAY_OUT) from error
        return rows


def _rows(value: Any) -> list[dict[str, Any]] | dict[str, list[Any]] | None:
    """The rows, or the columns, of parsed JSON; None if it has neither."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return value
    if not isinstance(value, dict):
        return None
    lists = [one for one in value.values() if isinstance(one, list)]
    rows = [one for one in lists if one and all(isinstance(row, dict) for row in one)]
    if len(rows) == 1:
        return _rows(rows[0])
    if lists and len(lists) == len(value) and len({len(one) for one in lists}) == 1:
        return value
    return [value] if value and not lists and not any(isinstance(one, dict) for one in value.values()) else None


SPREADSHEETS = (".xlsx", ".xlsm")
"""Endings of the files that can be read."""

_PARSED_WHOLE = ("xl/styles", "xl/workbook", "xl/theme/", "xl/_rels/", "_rels/", "[Content_Types]", "docProps/")
"""Parts that hold no cells and are read before the cells."""


def read_spreadsheet(content: bytes, name: str) -> pd.DataFrame:
    """The table in the first sheet that holds one. Raises InvalidInput over the limits, and what openpyxl and zipfile raise."""
    from openpyxl import load_workbook  # imported here, since only spreadsheets need it

    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        sizes = {part.filename: part.file_size for part in parts.infolist()}
    if sum(sizes.values()) > limits().file:
        rule = f"unpack to at most {limits().file // 2**20} MB"
        raise file_refused(name, rule, f"{sum(sizes.values()) / 2**20:,.0f} MB", "Use a part of it.")
    styles = sum(size for part, size in sizes.items() if part.startswith(_PARSED_WHOLE))
    if styles > LARGEST_PART:
        result = f"{styles / 2**20:,.0f} MB"
        raise file_refused(name, "hold at most 20 MB of styles and the like", result, "Save only the values, as CSV.")
    sheets = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets
    first = _sheet(sheets[0], name)
    frames = itertools.chain([first], (_sheet(sheet, name) for sheet in sheets[1:]))
    # Some files begin with a sheet of remarks.
    tables = ((sheet, frame) for sheet, frame in zip(sheets, frames, strict=True) if _holds_columns(frame))
    sheet, frame = next(tables, (sheets[0], first))
    if len(sheets) > 1:
        note(frame, f"Of {len(sheets)} sheets the first one with a table is read: {sheet.title}.")
    return frame


def _holds_columns(frame: pd.DataFrame) -> bool:
    return len(frame) > 0 and frame.shape[1] > 1


def _sheet(sheet: Any, name: str) -> pd.DataFrame:
    rows, n_rows, n_cells = [], 0, 0
    # Row by row: one distant cell can turn a sheet of a few kilobytes into a table of billions of cells.
    known = sheet.max_column
    for row in sheet.iter_rows(values_only=True, max_col=min(known, MAX_COLUMNS) + 1 if known else None):
        # A skipped row is empty, but still takes time.
        n_rows, n_cells = n_rows + 1, n_cells + len(row)
        if n_cells > limits().cells or n_rows > limits().rows + 1:
            raise file_refused(name, f"have at most {limits().cells:,} cells", "more", "Use a part of it, or save it as CSV.")
        if any(value is not None for value in row):
            rows.append(row)
    n_above = n_titles(rows)
    said = titles_sentence([title for row in rows[:n_above] for title in row])
    rows = rows[n_above:]
    header = rows[0] if rows else ()
    width = max((i + 1 for i, value in enumerate(header) if value is not None), default=0)
    # If a sheet does not state its width, each row ends with its last value.
    whole = [(*row, *[None] * width)[:width] for row in rows]
    frame = _with_missing(pd.DataFrame(whole[1:], columns=["" if value is None else value for value in header[:width]]))
    if lacks_header(header[:width], frame):
        frame = without_header(_with_missing(pd.DataFrame(whole)))
    note(frame, said)
    return frame


def _with_missing(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.replace(dict.fromkeys(MISSING)).infer_objects()
