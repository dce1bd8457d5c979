"""One thread for the small matrix products of a block."""

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """A context in which BLAS uses the caller's thread alone.

    The products of a block take well under a millisecond. On an idle machine a second thread hardly speeds them up; on a busy
    one, each product then waits for a free core, which makes it several times slower (on two cores, up to ten times).
    """
    limited: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limited
