"""A folder of files with tables: each file is a data set; its classes are in the column "class" or the like, else in the last.

The environment variable QUANTIFICATION_LAB_DATA names the folder.
"""

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from qcore._base.validation import InvalidInput, is_one_of
from qcore.datasets.dataset import Dataset, DatasetReference
from qcore.datasets.limited_reading import read_table_within_limits
from qcore.datasets.table_columns import chosen_columns, left_out_sentences, likely_label, likely_left_out
from qcore.datasets.table_limits import TableLimits, within
from qcore.datasets.table_limits import limits as current_limits
from qcore.datasets.table_reader import ENDINGS

VARIABLE = "QUANTIFICATION_LAB_DATA"


def names() -> list[str]:
    """Names of the files in the folder, sorted; none if there is no folder."""
    folder = data_folder()
    if folder is None or not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.name.lower().endswith(ENDINGS) and path.is_file())


def written(name: str) -> str:
    """A text that changes when the file of that name in the folder is replaced; empty for a missing file."""
    folder = data_folder()
    if folder is None or name not in names():
        return ""
    result = (folder / name).stat()
    return f"{result.st_mtime_ns}-{result.st_size}"


def content_digest(reference: DatasetReference) -> str:
    """A text that changes with the content of a file of the folder; empty for other data sets, and for a missing file."""
    folder = data_folder()
    if folder is None or reference.source != "folder" or reference.name not in names():
        return ""
    with (folder / reference.name).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def load(name: str) -> Dataset:
    """The data set in a file of the folder. Raises InvalidInput for a missing file, or one that holds no data set."""
    folder = data_folder()
    if folder is None or name not in names():
        rule = f"be a file of the folder that {VARIABLE} names"
        raise InvalidInput("data set", rule, repr(name), "Put the file there, or upload it.")
    frame = read_file(folder / name, called=name)
    label = likely_label(frame)
    left_out = [column for column in likely_left_out(frame) if column != label]
    table, notes = chosen_columns(frame, left_out, ()), left_out_sentences(frame, left_out)
    return _dataset_of(table, name, label, key=f"folder:{name}", notes=notes)


def read_dataset(
    path: str | Path, label: str = "", *, leave_out: Sequence[str] = (), as_text: Sequence[str] = (), key: str = ""
) -> Dataset:
    r"""The data set in a file: CSV, TSV, text in columns, ARFF, JSON, Parquet or Excel, gzipped or not.

    `label`: the column of classes; if empty, one named class, label, target, y or outcome, else the last with few values.
    `leave_out` are columns to ignore, `as_text` columns whose numbers are names, `key` is what the data set
    is called, by default the file. Raises InvalidInput for a file that is missing, is too large or holds no data set.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "table.csv"
    >>> _ = path.write_text("x;colour;class\n1,5;r;no\n2;g;no\n3;g;yes\n")
    >>> data = read_dataset(path)
    >>> data.features["x"].tolist(), data.nominal, data.classes
    ([1.5, 2.0, 3.0], ('colour',), ('no', 'yes'))
    """
    frame, path = read_file(path), Path(path)
    label = likely_label(frame) if is_one_of(label, ("", None)) else label
    return _dataset_of(chosen_columns(frame, leave_out, as_text), path.name, label, key=key)


def _dataset_of(table: pd.DataFrame, name: str, label: str, **more: Any) -> Dataset:
    return Dataset.from_frame(table, label, name=name, source=f"file {name}, label column {label!r}", **more)


STANDARD_INPUT = "-"
"""The name of standard input in place of a file."""


def read_file(path: str | Path, *, labelled: bool = True, called: str = "", limits: TableLimits | None = None) -> pd.DataFrame:
    """The table in a file, with labels or without. Raises InvalidInput for a file that is missing, too large or not a table.

    Pipes are read to their end: -, /dev/stdin, and those of a shell. `called` is the file's name in messages, by default its
    path: visitors of a server are not told where its files lie. `limits` are by default those of the app.
    """
    if not isinstance(path, str | os.PathLike):
        raise InvalidInput("path", "be the name of a file", repr(path)[:60], "Write for example 'table.csv'.")
    with within(limits or current_limits()):
        content = _content(Path(path), called or str(path))
        return read_table_within_limits(content, file_name(path), labelled=labelled)


def file_name(path: str | Path) -> str:
    """What a file is called in sentences; a shell's <(...) is a number in /dev/fd."""
    if str(path) in (STANDARD_INPUT, "/dev/stdin"):
        return "standard input"
    name = Path(path).name
    return f"pipe {name}" if name.isdecimal() and Path(path).parent.name == "fd" else name


def _content(path: Path, called: str) -> bytes:
    """The bytes of a file or a pipe. Raises InvalidInput."""
    largest = current_limits().file
    is_pipe = str(path) == STANDARD_INPUT or path.is_fifo() or path.is_char_device()
    if not is_pipe and (not path.is_file() or path.stat().st_size > largest):
        result = f"{path.stat().st_size / 2**20:.0f} MB" if path.is_file() else "no file"
        hint = "Check the path." if result == "no file" else f"Use a part of it. {current_limits().to_allow_more}".strip()
        raise InvalidInput(repr(called), f"be a file of at most {largest // 2**20:,} MB", result, hint)
    try:
        if str(path) == STANDARD_INPUT:
            return sys.stdin.buffer.read(largest + 1)
        with path.open("rb") as file:
            return file.read(largest + 1)
    except OSError as error:
        raise InvalidInput(
            f"{path.name!r}", "be a file that can be read", str(error.strerror), "Check its permissions."
        ) from error


def data_folder() -> Path | None:
    """The folder that the variable names; None without one."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else None
