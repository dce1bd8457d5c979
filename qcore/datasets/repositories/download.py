"""Runs client.py in a separate process: the user waits at most ten seconds; a longer download continues meanwhile."""

import atexit
import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from qcore._base.validation import InvalidInput
from qcore.datasets.table_limits import LARGEST_FILE, MAX_CELLS, MAX_ROWS

PATIENCE: Final = 10.0
"""Seconds that the user waits for a download."""

LONGEST: Final = 600.0
"""Seconds after which a download is given up."""

MOST_AT_ONCE: Final = 3
MOST_KEPT: Final = 200
"""Largest number of data sets of a repository that are kept; a public server fetches no more."""

_CLIENT: Final = Path(__file__).with_name("client.py")
_LOCK: Final = threading.Lock()


@dataclass
class _Download:
    """A download that several callers may wait for; the client's reason for a failure is read once and shared."""

    process: subprocess.Popen[bytes]

    @cached_property
    def reason(self) -> str:
        """Why the download failed; available once the process has ended."""
        text, _ = self.process.communicate()
        try:
            return str(json.loads(text)["reason"])
        except ValueError:
            return "nothing: the download broke off"


_RUNNING: Final[dict[Path, _Download]] = {}


def download(source: str, number: int, target: Path, patience: float = PATIENCE) -> None:
    """Fetch a data set into the file `target`, unless it exists; callers who want the same data set share one download.

    Raises InvalidInput if there is no data set after `patience` seconds; the message says why, or that it is still on its way.
    """
    if target.exists():
        return
    with _LOCK:
        _forget_finished()
        running = _RUNNING.get(target) or _start(source, number, target)
    try:
        running.process.wait(patience)
    except subprocess.TimeoutExpired:
        raise _refused(
            source, number, f"no data set after {patience:.0f} s", "The download continues: try again in a while."
        ) from None
    with _LOCK:
        if _RUNNING.get(target) is running:
            del _RUNNING[target]
        reason = running.reason
    if not target.exists():
        raise _refused(source, number, reason, "Use a data set that is already on this machine, or upload a file.")


def _forget_finished() -> None:
    """Forget downloads that ended after everybody stopped waiting, so that the next caller starts a new one."""
    for path, running in list(_RUNNING.items()):
        if running.process.poll() is not None:
            _ = running.reason
            del _RUNNING[path]


def _start(source: str, number: int, target: Path) -> _Download:
    if len(_RUNNING) >= MOST_AT_ONCE:
        raise _refused(source, number, f"{MOST_AT_ONCE} other downloads running", "Try again in a while.")
    target.parent.mkdir(parents=True, exist_ok=True)
    if len(list(target.parent.glob("*.parquet"))) >= MOST_KEPT:
        raise _refused(
            source, number, f"{MOST_KEPT} others already kept", f"Delete some in {target.parent.name} of the cache folder."
        )
    for path in target.parent.glob(f"{target.stem}.*.part"):
        path.unlink(missing_ok=True)
    limits = map(str, (LARGEST_FILE, MAX_ROWS, MAX_CELLS, LONGEST))
    # -P keeps the client's folder out of the import path.
    command = [sys.executable, "-P", str(_CLIENT), source, str(number), str(target), *limits]
    quiet = subprocess.DEVNULL
    _RUNNING[target] = _Download(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, stdin=quiet))
    return _RUNNING[target]


def _refused(source: str, number: int, found: str, hint: str) -> InvalidInput:
    return InvalidInput(f"data set {source}:{number}", "be fetched from its repository over the network", found, hint)


@atexit.register
def stop() -> None:
    """End all downloads."""
    with _LOCK:
        for running in _RUNNING.values():
            running.process.kill()
            running.process.communicate()
        _RUNNING.clear()
