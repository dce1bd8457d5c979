"""Limits on the tables that are read, and what is said of a file that cannot be read."""

import argparse
import contextlib
import io
import re
import zipfile
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import PurePath

import pandas as pd

from qcore._base.validation import InvalidInput

LARGEST_FILE = 200 * 2**20
"""Largest size of a file in bytes, packed and unpacked."""

MAX_COLUMNS = 5000
MAX_ROWS = 2_000_000
MAX_CELLS = 50_000_000
"""Largest number of rows times columns, checked before a table is read: a few bytes can stand for many cells."""

LARGEST_PART = 20 * 2**20
"""Largest size in bytes of a part that only describes a table: the styles of a spreadsheet, the footer of a Parquet file."""


@dataclass(frozen=True)
class TableLimits:
    """What a file may take: by default what the app allows a visitor's file.

    Attributes
    ----------
    file : bytes, packed and unpacked.
    rows, cells : of the table.
    table : bytes of the table in memory: some kilobytes of a packed file can stand for thousands of times as many.
    seconds, memory : that reading may take, and bytes beyond the program itself.
    to_allow_more : a sentence on how to; empty where the user cannot.
    """

    file: int = LARGEST_FILE
    rows: int = MAX_ROWS
    cells: int = MAX_CELLS
    table: int = 300 * 2**20
    seconds: float = 20.0
    memory: int = 1200 * 2**20
    to_allow_more: str = ""

    @classmethod
    def of_file(cls, megabytes: int, rows: int, seconds: float) -> "TableLimits":
        """The limits of a command, whose user chooses the file and owns the machine: memory goes with the file's size."""
        size = megabytes * 2**20
        memory, options = max(8 * size, 1200 * 2**20), "--largest-file MB, --most-rows ROWS and --reading-seconds SECONDS"
        return cls(size, rows, max(25 * rows, MAX_CELLS), 3 * size, seconds, memory, f"{options} allow more.")


_OF_THE_APP = TableLimits()
_CURRENT: ContextVar[TableLimits] = ContextVar("limits of tables", default=_OF_THE_APP)


def limits() -> TableLimits:
    """The limits that hold now."""
    return _CURRENT.get()


@contextlib.contextmanager
def within(chosen: TableLimits) -> Iterator[None]:
    """Let these limits hold inside of a block.

    Examples
    --------
    >>> with within(TableLimits(rows=10)):
    ...     limits().rows
    10
    """
    token = _CURRENT.set(chosen)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the limits of files to the options of a command."""
    group = parser.add_argument_group("limits of each file")
    group.add_argument("--largest-file", type=int, default=2000, metavar="MB", help="(default: 2000)")
    group.add_argument("--most-rows", type=int, default=20_000_000, metavar="ROWS", help="(default: 20000000)")
    group.add_argument("--reading-seconds", type=float, default=300.0, metavar="SECONDS", help="(default: 300)")


def limits_of(chosen: argparse.Namespace) -> TableLimits:
    """The limits that a command's options say. Raises InvalidInput."""
    for name in ("largest_file", "most_rows", "reading_seconds"):
        if not getattr(chosen, name) > 0:
            got = f"{getattr(chosen, name):g}"
            raise InvalidInput(f"--{name.replace('_', '-')}", "be above 0", got, "Leave it out for the default.")
    return TableLimits.of_file(chosen.largest_file, chosen.most_rows, chosen.reading_seconds)


MISSING = ("?", "<null>")
"""Words for a missing value that pandas does not know: those of UCI and KEEL."""


def file_refused(name: str, rule: str, found: str, hint: str) -> InvalidInput:
    """The error for a file, with its name shortened for display; one that is too large says how to allow more."""
    if hint.startswith("Use a part"):
        hint = f"{hint} {limits().to_allow_more}".strip()
    return InvalidInput(f"file {PurePath(name).name[:60]!r}", rule, found, hint)


def failure_in_words(error: Exception, hint: str) -> tuple[str, str, str]:
    """(rule, what was found, way out) for the error of a reader of tables; `hint` is the one for unknown errors."""
    if match := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", str(error)):
        wanted, line, got = match.groups()
        correct = "Correct that line; put a value that holds a separator in quotes."
        return f"have as many values in each line as in the header, {wanted}", f"{got} in line {line}", correct
    if match := re.search(r"EOF inside string starting at row (\d+)", str(error)):
        return "close each quote", f"one that is open from line {match[1]} on", "Close it there, or remove it."
    if isinstance(error, UnicodeDecodeError):
        return "hold text in UTF-8", f"other bytes, such as {error.object[:8]!r}", hint
    if isinstance(error, RecursionError):
        return "hold values that are nested at most about a hundred times", "more", hint
    return _of_a_format(error, hint)


def _of_a_format(error: Exception, hint: str) -> tuple[str, str, str]:
    """As `failure_in_words`, for files that are not text."""
    if isinstance(error, ImportError):
        package = error.name or "of its kind"
        return f"be read with the package {package}", "an installation without it", f"Install it: pip install {package}."
    if isinstance(error, zipfile.BadZipFile):
        rename = "Give it the right ending, such as .csv, or save it again."
        return "be a spreadsheet that can be opened", "another kind of file, or a broken one", rename
    if isinstance(error, KeyError) and "[Content_Types].xml" in str(error):
        return "be a table", "an archive of files", "Unpack it first."
    if type(error).__name__ == "ArrowInvalid":
        return "be a Parquet file that can be opened", "a broken one, or another kind of file", "Save it again, or as CSV."
    return "hold a table", f"{type(error).__name__}: {str(error)[:80]}", hint


@contextlib.contextmanager
def lines_of_file(text: str, before: int = 0, quote: str = '"') -> Iterator[None]:
    """Make pandas' errors on a text name lines of the file, in which `before` lines stand above the text.

    pandas counts rows, and a row has several lines if a value in quotes has.
    """
    try:
        yield
    except pd.errors.ParserError as error:
        message = str(error)
        for mark, offset in (("in line ", 0), ("starting at row ", 1)):
            if found := re.search(rf"{mark}(\d+)", message):
                line = before + _line_of_row(text, int(found[1]) + offset, quote)
                message = message.replace(found[0], f"{mark}{line}")
        raise pd.errors.ParserError(message) from error


def _line_of_row(text: str, row: int, quote: str) -> int:
    """The line in which a row begins, both counted from 1, blank ones too."""
    n_rows, inside = 0, False
    for number, line in enumerate(io.StringIO(text), start=1):
        n_rows += not inside
        if not inside and n_rows == row:
            return number
        inside ^= line.count(quote) % 2 == 1
    return row
