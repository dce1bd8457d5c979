"""Temporary folders of this server; those that are left when it ends are removed then."""

import shutil
import tempfile
from pathlib import Path

_FOLDERS = set[Path]()


def make_temporary_folder() -> Path:
    """Make an empty folder that no other user of the machine may read.

    Examples
    --------
    >>> folder = make_temporary_folder()
    >>> remove_temporary_folder(folder)
    >>> folder.exists()
    False
    """
    folder = Path(tempfile.mkdtemp(prefix="quantification-lab-"))
    _FOLDERS.add(folder)
    return folder


def remove_temporary_folder(folder: Path) -> None:
    """Remove a folder of `make_temporary_folder` with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)
    _FOLDERS.discard(folder)


def remove_temporary_folders() -> None:
    """Remove all that are left."""
    for folder in list(_FOLDERS):
        remove_temporary_folder(folder)
