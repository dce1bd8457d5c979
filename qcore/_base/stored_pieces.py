"""Finished pieces of a long computation, in memory and on disk, and files that are written completely or not at all.

A store for the finished pieces of a long computation, so that a stopped computation continues where it ended.

Files that are written completely or not at all, even if the process that writes them is killed.
"""

import contextlib
import hashlib
import os
import pickle
import platform
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

_Made = TypeVar("_Made")


class FinishedPieces:
    """Finished pieces of a long computation; only the `max_pieces` most recently used ones are kept.

    Examples
    --------
    >>> pieces = FinishedPieces(max_pieces=100)
    >>> pieces.get("answer", lambda: 6 * 7), pieces.get("answer", lambda: 0)
    (42, 42)
    """

    def __init__(self, max_pieces: int = 500) -> None:
        self._pieces: OrderedDict[Hashable, Any] = OrderedDict()
        self._max_pieces = max_pieces

    def __len__(self) -> int:
        return len(self._pieces)

    def get(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """The piece stored under `key`; if there is none, it is made and stored."""
        if key not in self._pieces:
            self._pieces[key] = make()
        self._pieces.move_to_end(key)
        piece: _Made = self._pieces[key]
        while len(self._pieces) > self._max_pieces:
            self._pieces.popitem(last=False)
        return piece


PARTS = ".*.part"
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


_Piece = TypeVar("_Piece")
_LIBRARIES = ("numpy", "pandas", "scikit-learn", "scipy")
_SUFFIX = ".piece"
_CHECKSUM = 32
"""Bytes of the SHA-256 of a piece, which stand before it in its file."""
_HOUR = 3600.0


def check_owner(folder: Path) -> None:
    """Make a folder if it is missing, with mode 700; raise PermissionError if others may write to it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    # Another user's link could lead to any folder of this user.
    owners = {status.st_uid, folder.lstat().st_uid}
    if hasattr(os, "getuid") and (owners != {os.getuid()} or status.st_mode & 0o022):
        raise PermissionError(f"{folder} must belong only to you: others could put files there that run as you")


class StoredPieces(FinishedPieces):
    """Finished pieces stored as files in a folder, which several processes may use at once.

    A file is written under a temporary name and then renamed, so that no process reads a partial file. When the folder holds
    more than `max_bytes`, the least recently used files are removed. A piece that can't be read, or whose checksum tells that
    it was damaged, is made again; a piece that can't be written, as on a full disk, is not stored.

    Parameters
    ----------
    folder : must belong only to this user, since its files are unpickled; it is created with mode 700 if it is missing.
    about : subject of all keys, such as a data set. Each key also holds the versions of qcore's sources and of the libraries.
    max_bytes : limit for the total size of the files in the folder.

    Raises
    ------
    PermissionError
        The folder, or a link that leads to it, belongs to another user, or others may write to it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     once = StoredPieces(Path(name), "example").get("answer", lambda: 6 * 7)
    ...     again = StoredPieces(Path(name), "example").get("answer", lambda: 0)
    >>> once, again
    (42, 42)
    """

    def __init__(self, folder: Path, about: str, max_bytes: int = 500_000_000) -> None:
        super().__init__()
        check_owner(folder)
        self._folder, self._about, self._max_bytes = folder, about, max_bytes

    def get(self, key: Hashable, make: Callable[[], _Piece]) -> _Piece:
        """The piece stored under `key`; if there is none, it is made and stored."""
        path = self._folder / f"{hashlib.sha256(repr((_versions(), self._about, key)).encode()).hexdigest()}{_SUFFIX}"
        with contextlib.suppress(Exception):
            content = path.read_bytes()
            _check(content)
            piece: _Piece = pickle.loads(content[_CHECKSUM:])  # noqa: S301 - the folder belongs only to this user
            os.utime(path)
            return piece
        made = make()
        with contextlib.suppress(OSError):
            self._write(path, made)
        return made

    def _write(self, path: Path, piece: Any) -> None:
        content = pickle.dumps(piece, protocol=pickle.HIGHEST_PROTOCOL)
        with whole_file(path) as file:
            file.write(hashlib.sha256(content).digest())
            file.write(content)
        self._remove_oldest()

    def _remove_oldest(self) -> None:
        files = []
        for path in self._folder.glob(f"*{_SUFFIX}"):
            # Another process may remove the file meanwhile.
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        for path in self._folder.glob(PARTS):
            with contextlib.suppress(FileNotFoundError):
                # Left behind by a process that was killed while writing.
                if time.time() - path.stat().st_mtime > _HOUR:
                    path.unlink()
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size


def _check(content: bytes) -> None:
    """Raise ValueError unless a stored piece begins with the checksum of the rest."""
    if content[:_CHECKSUM] != hashlib.sha256(content[_CHECKSUM:]).digest():
        raise ValueError("damaged")


@cache
def _versions() -> str:
    """What a piece depends on besides its key, as text: qcore's sources and the versions of Python and the libraries."""
    digest = hashlib.sha256(platform.python_version().encode())
    for name in _LIBRARIES:
        digest.update(f"{name} {version(name)}".encode())
    return f"{digest.hexdigest()} {digest_of_sources()}"


@cache
def digest_of_sources() -> str:
    """The hash of qcore's own Python files: a copy that was changed has the same version, and another hash."""
    digest, root = hashlib.sha256(), Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
