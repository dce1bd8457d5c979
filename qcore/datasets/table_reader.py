"""A file with a table -> a DataFrame: CSV with any separator or blanks, ARFF, JSON, Parquet, Excel, gzipped or not.

Whatever the file holds, the only exception is InvalidInput, and the unpacked size is limited before the file is read.
"""

import contextlib
import csv
import gzip
import io
import re
import warnings
import zlib
from pathlib import PurePath
from typing import Any

import pandas as pd

from qcore._base.validation import InvalidInput
from qcore.datasets.file_formats import (
    JSON,
    SPREADSHEETS,
    is_attribute_relation,
    is_json,
    read_attribute_relation,
    read_json,
    read_spreadsheet,
)
from qcore.datasets.headers import SEPARATORS, lacks_header, note, titles_sentence, without_header, without_titles
from qcore.datasets.table_limits import LARGEST_PART, MAX_COLUMNS, failure_in_words, file_refused, limits, lines_of_file
from qcore.datasets.written_numbers import (
    DECIMAL_COMMA,
    READ_WITH,
    months_as_written,
    with_missing_none,
    with_numbers,
    with_points,
)

_OF_TEXT = (".csv", ".tsv", ".tab", ".txt", ".data", ".dat", ".arff", *JSON)
ENDINGS = (*_OF_TEXT, *(f"{ending}.gz" for ending in _OF_TEXT), ".parquet", *SPREADSHEETS)
"""The endings of files that hold tables; what a file holds is told from its content."""
FORMATS = "CSV with any separator, TSV, text in columns, ARFF, JSON, Parquet or Excel (.xlsx), gzipped or not"
_OTHERS = (".xls", ".xlsb", ".ods", ".numbers", ".sav", ".dta", ".sas7bdat", ".rds", ".rdata", ".docx")
"""Endings of files that hold tables, too, but are not read."""
_KINDS = (
    (b"%pdf", "a PDF"),
    (b"\x89png", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"gif8", "a picture"),
    (b"\xd0\xcf\x11\xe0", "a file of an old Office program, such as .xls"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"sqlite format 3", "a database"),
    (b"{\\rtf", "a text document"),
)
"""First bytes, in lower case -> what a file is."""
_BLANKS = r"\s+"
"""The separator of a file with columns of text."""
_GZIP = b"\x1f\x8b"
_LIGHT = 3 * 2**20
_WIDE = 500
"""Columns from which on even some megabytes of text take seconds to read."""
_ATTRIBUTE = re.compile(rb"(?im)^[ \t]*@attribute")
_NAME_IN_JSON = re.compile(rb'"([^"]*)"\s*:')
_OUR_COMMENT = "# Quantification Lab"
_WAY_OUT = "Save it as CSV in UTF-8, with a header row, and try again."


def read_table(content: bytes, name: str, *, labelled: bool = True) -> pd.DataFrame:
    """The table in a file called `name`; columns are named as in the header, with repeated names made distinct.

    `labelled`: whether the table needs a column of labels besides a feature.

    Raises InvalidInput for a file that is not a table, exceeds the limits, or cannot be read.
    """
    if len(content) > limits().file:
        rule = f"have at most {limits().file // 2**20} MB"
        raise file_refused(name, rule, f"{len(content) / 2**20:.0f} MB", "Use a part of it.")
    if content[:2] == _GZIP:
        content, name = _unpacked(content, name), name.removesuffix(".gz")
    try:
        with warnings.catch_warnings():
            # They are for those who call a reader, and not for those who have a file.
            warnings.simplefilter("ignore")
            frame = _read(content, name)
    except InvalidInput:
        raise
    except MemoryError as error:
        raise too_much(name) from error
    # The readers of a dozen formats raise their own errors; the user must never see one of these.
    except Exception as error:
        if "out of memory" in str(error):
            raise too_much(name) from error
        raise file_refused(name, *failure_in_words(error, _WAY_OUT)) from error
    if frame.shape[1] > MAX_COLUMNS or len(frame) > limits().rows:
        result = f"{len(frame):,} rows and {frame.shape[1]:,} columns"
        raise file_refused(
            name, f"have at most {limits().rows:,} rows and {MAX_COLUMNS:,} columns", result, "Use a part of it."
        )
    if frame.shape[1] < 1 + labelled or not len(frame):
        result = f"{len(frame):,} rows and {frame.shape[1]} column{'s' if frame.shape[1] != 1 else ''}"
        needed = "a column of labels, one feature at least, and rows" if labelled else "a column and rows"
        raise file_refused(name, f"have {needed}", result, _WAY_OUT if len(frame) else "Add rows below the header.")
    frame.columns = _distinct([str(column).strip() for column in frame.columns])
    return frame


def too_much(name: str) -> InvalidInput:
    """The error for a file that takes too much memory or time to read."""
    rule = f"take at most {limits().memory / 2**30:.1f} GB and {limits().seconds:.0f} s to read"
    return file_refused(name, rule, "more", "Use a part of it, or save it with fewer columns.")


def check_size(frame: pd.DataFrame, name: str) -> None:
    """Raise InvalidInput for a table that takes more memory than the limits allow."""
    n_bytes = int(frame.memory_usage(deep=True).sum())
    if n_bytes > limits().table:
        rule, got = f"take at most {limits().table / 2**20:.0f} MB in memory", f"{n_bytes / 2**20:,.0f} MB"
        raise file_refused(name, rule, got, "Use a part of its rows, or leave out columns.")


def is_light(content: bytes, name: str) -> bool:
    """Whether a file is text of a few megabytes at most, with some hundred columns: reading it takes a moment.

    A spreadsheet or a Parquet file of some kilobytes can unpack to a thousand times as much.
    """
    if content[:2] == _GZIP:
        try:
            with gzip.open(io.BytesIO(content)) as packed:
                content, name = packed.read(_LIGHT + 1), name.removesuffix(".gz")
        except (OSError, EOFError, zlib.error):
            return True
    binary = content[:4] == b"PAR1" or content[:2] == b"PK" or PurePath(name).suffix.lower() in (*SPREADSHEETS, ".parquet")
    return not binary and len(content) <= _LIGHT and _most_columns(content, name) <= _WIDE


def _most_columns(content: bytes, name: str) -> int:
    """The most columns that a text of some megabytes can have."""
    if PurePath(name).suffix.lower() in JSON or content.lstrip()[:1] in (b"[", b"{"):
        values = max(row.count(b",") + 1 for row in content.split(b"]"))
        names = len(set(_NAME_IN_JSON.findall(content)))
        return names if b"{" in content else values
    if _ATTRIBUTE.search(content):
        return len(_ATTRIBUTE.findall(content))
    marks = (*(separator.encode() for separator in SEPARATORS), b" ")
    return 1 + max((line.count(mark) for line in io.BytesIO(content) for mark in marks), default=0)


def read_records(content: bytes) -> pd.DataFrame:
    """The table of comma-separated values without a header: columns are named x1, x2 ... and the last one class."""
    options: dict[str, Any] = {**READ_WITH, "skipinitialspace": True, "low_memory": False}
    frame = with_missing_none(pd.read_csv(io.BytesIO(content), header=None, **options))
    frame.columns = [*(f"x{i}" for i in range(1, frame.shape[1])), "class"]
    return frame


def _read(content: bytes, name: str) -> pd.DataFrame:
    suffix = PurePath(name).suffix.lower()
    _check_is_no_other(content, name)
    if suffix in _OTHERS and (b"\x00" in content or content.startswith(b"PK")):
        raise file_refused(
            name, f"be {FORMATS}", f"a file {suffix}", "Open it in its own program, and save it as .xlsx or .csv."
        )
    if content[:4] == b"PAR1" or suffix == ".parquet":
        return with_numbers(_read_parquet(content, name), typed=True)
    if content[:2] == b"PK" or suffix in SPREADSHEETS:
        return with_numbers(read_spreadsheet(content, name), typed=True)
    text = _decoded(content, name)
    if is_attribute_relation(text):
        return with_numbers(read_attribute_relation(text), typed=False)
    if suffix in JSON or is_json(text):
        return with_numbers(read_json(text, name), typed=True)
    return _read_separated(text, name)


def _check_is_no_other(content: bytes, name: str) -> None:
    """Raise InvalidInput for a file whose first bytes show that it is not a table, whatever its name."""
    called = PurePath(name).name[:60]
    if not content.strip():
        raise InvalidInput.sentence(f"{called} is empty. Save the table again, with a header row.")
    start = content[:200].lstrip().lower()
    for mark, kind in _KINDS:
        if start.startswith(mark):
            hint = "Open it in its own program, and save its table as .xlsx or .csv."
            raise InvalidInput.sentence(f"{called} is {kind}, not a table. {hint}")


def _read_parquet(content: bytes, name: str) -> pd.DataFrame:
    from pyarrow.parquet import ParquetFile

    footer = int.from_bytes(content[-8:-4], "little")
    if LARGEST_PART < footer < len(content):
        result = f"{footer / 2**20:,.0f} MB of it"
        raise file_refused(name, "describe its columns in at most 20 MB", result, "Save fewer columns or row groups.")
    known = ParquetFile(io.BytesIO(content)).metadata
    if known.num_columns > MAX_COLUMNS:
        raise file_refused(name, f"have at most {MAX_COLUMNS:,} columns", f"{known.num_columns:,}", "Use a part of it.")
    if known.num_rows * known.num_columns > limits().cells or known.num_rows > limits().rows:
        result = f"{known.num_rows:,} rows and {known.num_columns:,} columns"
        rule = f"have at most {limits().rows:,} rows and {limits().cells:,} cells"
        raise file_refused(name, rule, result, "Use a part of it.")
    frame = pd.read_parquet(io.BytesIO(content))
    # A file may bring attributes; those of a table that is read are ours.
    frame.attrs.clear()
    return _with_text(frame)


def _with_text(frame: pd.DataFrame) -> pd.DataFrame:
    """A table with its columns of bytes as text. Raises InvalidInput for bytes that are not UTF-8."""
    for i, column in enumerate(frame.columns):
        values = frame.iloc[:, i]
        if isinstance(values.dtype, pd.CategoricalDtype):
            values = values.astype(object)
        if pd.api.types.infer_dtype(values, skipna=True) != "bytes":
            continue
        try:
            frame.isetitem(i, values.str.decode("utf-8").array)
        except UnicodeDecodeError as error:
            found = f"bytes that are neither, such as {error.object[:8]!r}"
            hint = "Write the file without this column, or with its values as text."
            raise InvalidInput(f"column {str(column)[:40]!r}", "hold numbers, or text in UTF-8", found, hint) from error
    return frame


def _read_separated(text: str, name: str) -> pd.DataFrame:
    whole = text
    text = without_titles(whole)
    above = whole[: len(whole) - len(text)]
    lines = [line for line in text[:200_000].splitlines()[:50] if line.strip() and not line.startswith(_OUR_COMMENT)]
    if not lines:
        raise file_refused(name, "hold a table", "no line of text", _WAY_OUT)
    # Checked before parsing: a header of 400,000 names would take a reader half a minute.
    most = max(lines[0].count(separator) for separator in (*SEPARATORS, " "))
    if most >= MAX_COLUMNS:
        raise file_refused(name, f"have at most {MAX_COLUMNS:,} columns", f"{most + 1:,}", "Use a part of it.")
    separator = _separator(lines)
    # Not StringIO, which takes four bytes for each character.
    content = text.encode("utf-8", "surrogatepass")
    mark = b" " if separator == _BLANKS else separator.encode()
    if max(len(line.split()) if separator == _BLANKS else line.count(mark) for line in io.BytesIO(content)) >= 2 * MAX_COLUMNS:
        raise file_refused(name, f"have at most {MAX_COLUMNS:,} columns", "a longer row", "Use a part of it.")
    _check_cells(name, rows_of(text), len(re.split(separator if separator == _BLANKS else re.escape(separator), lines[0])))
    with lines_of_file(text, above.count("\n")):
        frame = _parsed(content, lines, separator)
    note(frame, "" if above.lower().lstrip('\ufeff"').startswith("sep=") else titles_sentence(re.split(r"[\n,;\t|]", above)))
    return with_numbers(frame, typed=False, decimal_comma=separator != ",")


def _separator(lines: list[str]) -> str:
    """What separates the values of a file's first lines."""
    separator = max(SEPARATORS, key=lambda mark: _width(lines, mark))
    if separator == "," and _is_one_column(lines):
        return ";"
    n_fields = [len(next(csv.reader([re.sub(r"\s+", " ", line.strip())], delimiter=" "))) for line in lines]
    has_number = any(re.fullmatch(r"[-+]?\d*\.?\d+", field) for field in lines[-1].split())
    in_columns = n_fields[-1] > 1 and len({*n_fields[1:]}) <= 1 and n_fields[0] - n_fields[-1] in (0, -1) and has_number
    return _BLANKS if in_columns and len(lines) > 1 and _width(lines, separator) == (0, 0) else separator


def _parsed(content: bytes, lines: list[str], separator: str) -> pd.DataFrame:
    """The table of a text whose first lines are `lines`."""
    options: dict[str, Any] = {
        **READ_WITH,
        "sep": separator,
        "skipinitialspace": True,
        "low_memory": False,
        "nrows": limits().rows + 1,
        "skiprows": int(content.startswith(_OUR_COMMENT.encode())),
        # A row longer than the header begins with its name, unless it only ends with a separator.
        "index_col": False if all(line.rstrip("\r\n").endswith(separator) for line in lines[1:]) else None,
    }

    def read(**more: Any) -> pd.DataFrame:
        return pd.read_csv(io.BytesIO(content), **options, **more).reset_index(drop=True)

    def converted(**more: Any) -> pd.DataFrame:
        def as_written() -> pd.DataFrame:
            return read(dtype=str, **more)

        return with_points(months_as_written(read(**more), as_written), separator, as_written)

    frame = converted()
    if lacks_header(_first_row(lines[0], separator), frame):
        # A first line with one field fewer than the others, as R writes it, is a header whatever it holds.
        with contextlib.suppress(pd.errors.ParserError):
            return without_header(converted(header=None))
    nameless = [column for column in frame.columns if str(column).startswith("Unnamed: ") and frame[column].isna().all()]
    return frame.drop(columns=nameless)


def _is_one_column(lines: list[str]) -> bool:
    """Whether lines are one column, a name and numbers with a decimal comma, and not rows that begin with a row number."""
    rows = [line.strip() for line in lines[1:]]
    if "," in lines[0] or not rows or not all(re.fullmatch(r"-?\d+(,\d+)?", row) for row in rows):
        return False
    return any("," not in row or row.lstrip("-").startswith("0,") for row in rows)


def _first_row(line: str, separator: str) -> list[str]:
    """The fields of the first line, numbers with a decimal point."""
    if separator == _BLANKS:
        line, separator = re.sub(_BLANKS, " ", line.strip()), " "
    fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
    if separator == ",":
        return fields
    return [field.replace(".", "").replace(",", ".") if DECIMAL_COMMA.fullmatch(field.strip()) else field for field in fields]


def rows_of(text: str) -> int:
    """Number of lines of a text, without those that end within quotes."""
    n_rows, inside = 0, 0
    for start in range(0, len(text), 2**20):
        parts = text[start : start + 2**20].split('"')
        n_rows += sum(part.count("\n") for part in parts[inside::2])
        inside = (inside + len(parts) - 1) % 2
    return n_rows


def _check_cells(name: str, n_rows: int, n_columns: int) -> None:
    """Raise InvalidInput for a table with too many cells."""
    if n_rows * n_columns > limits().cells:
        result = f"about {n_rows:,} rows and {n_columns:,} columns"
        raise file_refused(name, f"have at most {limits().cells:,} cells", result, "Use a part of it.")


def _width(lines: list[str], separator: str) -> tuple[int, int]:
    """How well a separator fits: (number of lines with as many fields as the first line, that number of fields)."""
    widths = [len(row) for row in csv.reader(lines, delimiter=separator)]
    return (sum(width == widths[0] for width in widths), widths[0]) if widths and widths[0] > 1 else (0, 0)


def _decoded(content: bytes, name: str) -> str:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            return content.decode(encoding)
    if b"\x00" in content:
        raise file_refused(name, "hold text or a known table format", "bytes that are neither", _WAY_OUT)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _unpacked(content: bytes, name: str) -> bytes:
    try:
        with gzip.open(io.BytesIO(content)) as packed:
            result = packed.read(limits().file + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise file_refused(name, "be a whole gzip file", str(error)[:80], "Download or pack it again.") from error
    if len(result) > limits().file:
        raise file_refused(name, f"unpack to at most {limits().file // 2**20} MB", "more", "Use a part of it.")
    return result


def _distinct(names: list[str]) -> list[str]:
    """The names, with a number appended to empty and repeated ones."""
    distinct: dict[str, None] = {}
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        wanted = candidate = name or f"column {i + 1}"
        while candidate in distinct:
            seen[wanted] = seen.get(wanted, 1) + 1
            candidate = f"{wanted} ({seen[wanted]})"
        distinct[candidate] = None
    return list(distinct)
