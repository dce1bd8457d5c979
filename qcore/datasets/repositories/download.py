"""Runs client.py beside this process: who asks waits ten seconds at most, and a large data set goes on arriving meanwhile."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from qcore._base.validation import InvalidInput
from qcore.datasets.table_limits import LARGEST_FILE

PATIENCE: Final = 10.0
"""Seconds that a person waits."""

LONGEST: Final = 600.0
"""Seconds after which a download is given up."""

MOST_AT_ONCE: Final = 3
_CLIENT: Final = Path(__file__).with_name("client.py")


_RUNNING: Final[dict[Path, subprocess.Popen[bytes]]] = {}
_LOCK: Final = threading.Lock()


def download(source: str, number: int, target: Path, patience: float = PATIENCE) -> None:
    """Fetch a data set into the file `target`, unless it is there; one that others ask for as well is fetched once.

    Raises InvalidInput where there is no data set after `patience` seconds, and says why, or that it is still on its way.
    """
    if target.exists():
        return
    with _LOCK:
        running = _RUNNING.get(target) or _start(source, number, target)
    try:
        running.wait(patience)
    except subprocess.TimeoutExpired:
        raise _refused(
            source, number, f"not here after {patience:.0f} s", "It goes on arriving: try again in a while."
        ) from None
    with _LOCK:
        _RUNNING.pop(target, None)
        why = _why(running)
    if not target.exists():
        raise _refused(source, number, why, "All that is on this machine works without a network; or upload a file.")


def _start(source: str, number: int, target: Path) -> subprocess.Popen[bytes]:
    if sum(one.poll() is None for one in _RUNNING.values()) >= MOST_AT_ONCE:
        raise _refused(source, number, f"{MOST_AT_ONCE} others are on their way", "Try again in a while.")
    target.parent.mkdir(parents=True, exist_ok=True)
    # -P: the folder of the client is no place to import from.
    command = [sys.executable, "-P", str(_CLIENT), source, str(number), str(target), str(LARGEST_FILE), str(LONGEST)]
    quiet = subprocess.DEVNULL
    _RUNNING[target] = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, stdin=quiet)
    return _RUNNING[target]


def _why(finished: subprocess.Popen[bytes]) -> str:
    """What the client said of a download that failed: less than a pipe holds, and gone once it is read."""
    said = finished.stdout.read() if finished.stdout and not finished.stdout.closed else b""
    if finished.stdout:
        finished.stdout.close()
    try:
        return str(json.loads(said)["reason"])
    except ValueError:
        return "nothing: the download broke off"


def _refused(source: str, number: int, found: str, way_out: str) -> InvalidInput:
    return InvalidInput(f"data set {source}:{number}", "be on this machine, or arrive from its repository", found, way_out)


@atexit.register
def stop() -> None:
    """End all downloads."""
    with _LOCK:
        for running in _RUNNING.values():
            running.kill()
            running.communicate()
        _RUNNING.clear()
