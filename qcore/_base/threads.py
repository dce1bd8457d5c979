"""One thread for the small matrix products of a block."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """A context in which BLAS uses the caller's thread alone.

    A block's products take well under a millisecond. A second thread hardly shortens them on an idle machine, and where other
    work wants the cores it makes each wait for its turn: several times slower, on two cores up to ten.
    """
    limited: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limited
