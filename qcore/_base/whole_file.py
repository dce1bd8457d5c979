"""Files that are written completely or not at all, even if the process that writes them is killed."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

PARTS: Final = ".*.part"
"""The pattern of the names under which files are written: what a killed process leaves behind."""


@contextlib.contextmanager
def whole_file(path: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """A file to write to, which gets its final name once it is complete. Raises OSError if it cannot be written."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=PARTS.rpartition("*")[2])
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.chmod(mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
