"""Reads a file that may be heavy in a process of its own, which is given limits of memory and of seconds.

Run as a program, it is that process: it reads a file from its input and writes the table to its output. It imports what reads
tables and nothing else of qcore, whose classifiers would take it a second.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_START_SECONDS: Final = 10.0
"""Beside the seconds of reading: for the process to start on a busy machine, before its clock begins."""


def read_table_within_limits(content: bytes, name: str, *, labelled: bool = True) -> Any:
    """The table in a file, as `read_table` gives it, at no more than 20 s and 1.2 GB beside the program.

    A file that cannot be large is read at once. Raises InvalidInput as `read_table`, and for one that takes more.
    """
    from qcore._base.validation import InvalidInput
    from qcore.datasets import table_limits
    from qcore.datasets.table_reader import is_light, read_table, too_much

    seconds = table_limits.READING_SECONDS
    if len(content) > table_limits.LARGEST_FILE or is_light(content, name):
        return read_table(content, name, labelled=labelled)
    # -P: the folder of this file is no place to import from.
    limits = [str(table_limits.READING_MEMORY), str(seconds)]
    command = [sys.executable, "-P", __file__, name, str(int(labelled)), *limits]
    environment = {**os.environ, **_ONE_THREAD, "ARROW_DEFAULT_MEMORY_POOL": "system"}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    try:
        written, _ = process.communicate(content, timeout=seconds + _START_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise too_much(name) from error
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if process.returncode or not written:
        # Ended by its limits, for lack of memory or by its clock, perhaps while it wrote.
        raise too_much(name)
    answer = pickle.loads(written)  # noqa: S301 - of this program's own making
    if isinstance(answer, InvalidInput):
        raise answer
    return answer


def _limit(n_bytes: int, seconds: float) -> None:
    """Memory from here on, and seconds until this process ends."""
    import threading

    clock = threading.Timer(seconds, os._exit, [1])
    clock.daemon = True
    clock.start()
    # Windows and macOS have no such limit; the seconds hold all the same.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = pages * resource.getpagesize() + n_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _only_the_reader() -> None:
    """Let modules of qcore be imported without what the package imports by itself."""
    from types import ModuleType

    root = Path(__file__).parents[1]
    for name, folder in (("qcore", root), ("qcore.datasets", root / "datasets")):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package


def main(name: str, labelled: str, n_bytes: str, seconds: str) -> int:
    """Read what the input holds and write the table, or why there is none; nothing and 1 where a limit ended it."""
    _only_the_reader()
    from qcore._base.validation import InvalidInput
    from qcore.datasets.table_reader import read_table

    content = sys.stdin.buffer.read()
    _limit(int(n_bytes), float(seconds))
    answer: object
    try:
        answer = read_table(content, name, labelled=labelled == "1")
    except InvalidInput as error:
        answer = error
    try:
        pickle.dump(answer, sys.stdout.buffer, protocol=pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
