"""What the readers of tables report when they fail -> words for those who have the file."""

import re
import zipfile
from pathlib import PurePath

from qcore._base.validation import InvalidInput


def file_refused(name: str, rule: str, found: str, way_out: str) -> InvalidInput:
    """The error for a file, with its name as it can be shown."""
    return InvalidInput(f"file {PurePath(name).name[:60]!r}", rule, found, way_out)


def failure_in_words(error: Exception, way_out: str) -> tuple[str, str, str]:
    """(rule, what was got, way out) of the error of a reader of tables; `way_out` is that of an unknown error."""
    if match := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", str(error)):
        wanted, line, got = match.groups()
        correct = "Correct that line; a value that holds a separator stands in quotes."
        return f"have as many values in each line as in the header, {wanted}", f"{got} in line {line}", correct
    if match := re.search(r"EOF inside string starting at row (\d+)", str(error)):
        return "close each quote", f"one that is open from row {match[1]} on", "Close it there, or remove it."
    return _of_a_format(error, way_out)


def _of_a_format(error: Exception, way_out: str) -> tuple[str, str, str]:
    """As `failure_in_words`, of a table that is no text."""
    if isinstance(error, ImportError):
        package = error.name or "of its kind"
        return f"be read with the package {package}", "an installation without it", f"Install it: pip install {package}."
    if isinstance(error, zipfile.BadZipFile):
        rename = "Give it the ending of its kind, such as .csv, or save it anew."
        return "be a spreadsheet that can be opened", "another kind of file, or a broken one", rename
    if isinstance(error, KeyError) and "[Content_Types].xml" in str(error):
        return "be a table", "an archive of files", "Unpack it first."
    if type(error).__name__ == "ArrowInvalid":
        return "be a Parquet file that can be opened", "a broken one, or another kind of file", "Save it anew, or as CSV."
    return "hold a table", f"{type(error).__name__}: {str(error)[:80]}", way_out
