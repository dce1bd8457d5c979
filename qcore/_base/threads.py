"""One thread for the small matrix products of a block."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any, Final

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
