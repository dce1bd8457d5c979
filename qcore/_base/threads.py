"""One thread for the small matrix products of a block."""

import contextlib
import threading
from collections.abc import Iterator
from functools import cache
from typing import Final

from threadpoolctl import ThreadpoolController

_LIMITED: Final = threading.local()


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """A context in which BLAS uses the caller's thread alone; inside another such context it does nothing, at no cost.

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
