"""The threads and the memory of a process.

Memory that a process has freed stays with it, for its next arrays.
"""

import contextlib
import ctypes
import threading
from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any

from threadpoolctl import ThreadpoolController

_LIMITED = threading.local()


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """A context in which BLAS uses only the caller's thread; inside another such context it does nothing, at no cost.

    The products of a block take well under a millisecond. On an idle machine a second thread hardly speeds them up; on a busy
    one, each product then waits for a free core, which makes it several times slower (on two cores, up to ten times).
    """
    if getattr(_LIMITED, "here", False):
        yield
        return
    _LIMITED.here = True
    try:
        with _libraries().limit(limits=1, user_api="blas"):
            yield
    finally:
        _LIMITED.here = False


def where_limited(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for other threads of a caller that is inside `one_thread`: they set no limit of their own.

    The limit is the process's: threads that set and lift it in turn would leave it in any state.
    """

    @wraps(function)
    def limited(*args: Any, **kwargs: Any) -> Any:
        before = getattr(_LIMITED, "here", False)
        _LIMITED.here = True
        try:
            return function(*args, **kwargs)
        finally:
            _LIMITED.here = before

    return limited


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Numbers of the parameters of glibc's `mallopt`, as in its malloc.h."""

_KEPT = 2**27
_LARGEST_MMAP_THRESHOLD = 2**25
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
