"""Reads a file that may be too large in a separate process with limits on memory and time.

That process runs `main`, which reads a file from its input and writes the table to its output.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

from qcore._base.validation import InvalidInput
from qcore.datasets.limited_process import command, limit_memory_and_time
from qcore.datasets.table_limits import TableLimits, limits, within
from qcore.datasets.table_reader import check_size, is_light, read_table, too_much

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_START_SECONDS = 10.0
"""Extra seconds for the process to start on a busy machine, before the time limit for reading begins."""


def read_table_within_limits(content: bytes, name: str, *, labelled: bool = True) -> Any:
    """The table in a file, as from `read_table`, read within the time and the memory that `limits` allow.

    One such file is read at a time on this machine, so that many do not take its memory together. A file that cannot be large
    is read in this process. Raises InvalidInput as `read_table`, and for a file over the limits.
    """
    chosen = limits()
    if len(content) > chosen.file or is_light(content, name):
        return read_table(content, name, labelled=labelled)
    words = command("limited_reading", name, str(int(labelled)), *(str(value) for value in astuple(chosen)))
    environment = {**os.environ, **_ONE_THREAD, "ARROW_DEFAULT_MEMORY_POOL": "system"}
    with _turn() as descriptors:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            pass_fds=descriptors,
        )
        try:
            written, _ = process.communicate(content, timeout=chosen.seconds + _START_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise too_much(name) from error
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    if process.returncode or not written:
        # The process was ended by its limit of memory or time, perhaps while writing.
        raise too_much(name)
    answer = pickle.loads(written)  # noqa: S301 - of this program's own making
    if isinstance(answer, InvalidInput):
        raise answer
    return answer


@contextlib.contextmanager
def _turn() -> Iterator[tuple[int, ...]]:
    """Wait until no other process of this user reads a file; yields what the reading process must inherit.

    The turn ends with the last process that has inherited it, also where this one is killed.
    """
    try:
        import fcntl
    except ImportError:
        # Windows has no such locks, and is no server for many.
        yield ()
        return
    path = Path(tempfile.gettempdir()) / f"quantification-lab-reading-{os.getuid()}"
    try:
        # Nobody else's link is followed.
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:
        # Rather many at a time than none at all.
        yield ()
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield (file,)
    finally:
        os.close(file)


def main(name: str, labelled: str, *values: str) -> int:
    """Read a file from the input and write its table, or the error. Returns 1, with nothing written, if memory ran out.

    `values` are those of the limits.
    """
    file, rows, cells, table, seconds, memory, to_allow_more = values
    chosen = TableLimits(int(file), int(rows), int(cells), int(table), float(seconds), int(memory), to_allow_more)
    content = sys.stdin.buffer.read()
    limit_memory_and_time(chosen.memory, chosen.seconds)
    answer: object
    try:
        with within(chosen):
            answer = read_table(content, name, labelled=labelled == "1")
            check_size(answer, name)
    except InvalidInput as error:
        answer = error
    try:
        pickle.dump(answer, sys.stdout.buffer, protocol=pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return 1
    return 0
