"""Memory that a process has freed stays with it, for its next arrays."""

import contextlib
import ctypes
from typing import Final

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Numbers of the parameters of glibc's `mallopt`, as in its malloc.h."""

_KEPT: Final = 2**27
_LARGEST_MMAP_THRESHOLD: Final = 2**25
"""The largest value that glibc accepts: the memory of larger arrays goes back to the system in any case."""


def keep_freed_memory() -> None:
    """Let this process keep up to 128 megabytes that it has freed; without glibc, as on Windows and macOS, nothing changes.

    By default glibc gives the memory of a freed array of a megabyte or more back to the system, which has to clear each page
    of the next one: estimates of thousands of samples then take about twice as long (`python -m benchmarks.freed_memory`). The
    setting affects the whole process, so a notebook or a program decides on it, and importing qcore does not change it.

    Examples
    --------
    >>> keep_freed_memory()
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
        mallopt(_TRIM_THRESHOLD, _KEPT)
