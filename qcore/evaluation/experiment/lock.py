"""Who works on a folder: a file in it names machine and process, and a process that has ended does not keep others out.

A file is what every file system has, networks' among them. Its time is renewed while the work lasts, so that the file of a
machine that has gone is noticed, too; it is compared with the time of a new file in the same folder, by the same clock.
"""

import contextlib
import json
import os
import platform
import tempfile
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from qcore._base.validation import InvalidInput

LOCK = "in-use.json"
_RENEWED_EVERY = 20.0
_GONE_AFTER = 180.0
"""Seconds without a sign of life after which a process of another machine is taken to have ended."""

_HELD: set[Path] = set()
"""Folders on which this process works: a container's next process may have the number of its last."""


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Keep other processes from working on a folder. Raises InvalidInput, which names who does, or why it can't be locked."""
    path = folder.resolve() / LOCK
    # A second attempt follows on the removal of a file that was left behind.
    if not _taken(path):
        _refuse_or_remove(path)
        if not _taken(path):
            _refuse_or_remove(path)
            raise InvalidInput(f"folder {folder.name!r}", "be free", "one that another command has just taken", "Try again.")
    _HELD.add(path)
    ended = threading.Event()
    threading.Thread(target=_renew, args=(path, ended), name="lock of an experiment", daemon=True).start()
    try:
        yield
    finally:
        ended.set()
        _HELD.discard(path)
        with contextlib.suppress(OSError):
            path.unlink()


def _taken(path: Path) -> bool:
    """Write the file unless it is there."""
    since = datetime.now(UTC).isoformat(timespec="seconds")
    who = json.dumps({"host": platform.node(), "pid": os.getpid(), "since": since}).encode()
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644), "wb") as file:
            file.write(who)
    except FileExistsError:
        return False
    except OSError as error:
        hint = "Check its permissions and its disk, or name another folder."
        raise InvalidInput(
            f"folder {path.parent.name!r}", "be one that can be written to", str(error.strerror), hint
        ) from error
    return True


def _refuse_or_remove(path: Path) -> None:
    """Raise InvalidInput if the process that holds a folder is at work; if it has ended, remove its file."""
    try:
        who = json.loads(path.read_text())
        host, number, since = str(who["host"]), int(who["pid"]), str(who["since"])
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError):
        host, number, since = "an unknown machine", 0, "an unknown time"
    # Another machine's processes are not to be seen from here, and Windows would end the process that is asked for.
    is_here = host == platform.node() and os.name == "posix" and number > 0
    has_ended = is_here and (path not in _HELD if number == os.getpid() else not _is_alive(number))
    if not has_ended and _silence(path) < _GONE_AFTER:
        hint = f"Wait for it, or end it. If it has ended, delete {path.name} in the folder, or wait {_GONE_AFTER:.0f} s."
        got = f"one on which process {number} on {host} has worked since {since}"
        raise InvalidInput(f"folder {path.parent.name!r}", "be one that no other command uses", got, hint)
    path.unlink(missing_ok=True)


def _is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _silence(path: Path) -> float:
    """Seconds since the file was renewed, by the clock of its file system."""
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".part") as now:
        return Path(now.name).stat().st_mtime - path.stat().st_mtime
    return 0.0


def _renew(path: Path, ended: threading.Event) -> None:
    while not ended.wait(_RENEWED_EVERY):
        with contextlib.suppress(OSError):
            os.utime(path)
