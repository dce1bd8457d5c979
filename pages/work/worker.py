"""The code of a process of the pool: it calls the functions that it is sent, one after the other, and reports progress.

It does not import Streamlit, so that the process stays small and starts fast.
"""

import contextlib
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from pages.work.job import Lane, Work
from pages.work.text_columns import keep_texts_as_python_strings
from qcore import keep_freed_memory
from qcore.base import FinishedPieces, StoredPieces

_NICENESS: Final = {Lane.SHORT: 2, Lane.ANY: 5, Lane.LONG: 5}
"""Lane -> niceness of its process: pages come first (the server's own process has niceness 0), then short, then long jobs.

No more than that: other programs of the machine would hardly leave the processor to a job with the lowest priority.
"""

_TELL_EVERY: Final = 0.1

STOP: Final = "stop"
"""The pool's message to a worker whose answer nobody wants: the work ends when it next reports its progress."""

PAUSE: Final = "pause"
"""The pool's message to a worker whose work should make room: the work ends when its next piece is finished and kept."""


class Interrupted(BaseException):
    """Raised when the pool asks the work to end. It is not an Exception, so that no function handles it as its own error."""


@dataclass(frozen=True)
class Store:
    """The folder in which pieces are kept, and how many bytes it may hold."""

    folder: Path
    max_bytes: int


def work_until_closed(connection: Connection, store: Store, lane: Lane) -> None:
    """Serve one pool until it closes the connection or its process has ended."""
    # Ctrl-C in a terminal goes to this process, too; it ends with the server, without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keep_freed_memory()
    keep_texts_as_python_strings()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_NICENESS[lane])
    # Forests use one thread in this process; this is intended, so their warning is not shown.
    warnings.filterwarnings("ignore", "Loky-backed parallel loops cannot be called in a multiprocessing")
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            _answer(connection, connection.recv(), store)


def _end_with_the_server() -> None:
    """End this process as soon as the server's process has ended, for whatever reason."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


def _answer(connection: Connection, work: Work | str, store: Store) -> None:
    if isinstance(work, str):
        # The order to stop came just as the work ended.
        return
    orders = _Orders(connection, work.resumes)
    try:
        named = dict(work.named)
        if work.pieces is not None:
            named["finished"] = _Pieces(_kept(store, work.pieces), orders)
        if work.tells:
            named["on_progress"] = orders.tell
        answer = work.function(*work.arguments, **named)
    except Interrupted:
        connection.send(("interrupted", None))
    except Exception as error:
        connection.send(("failed", _that_can_be_sent(error)))
    else:
        connection.send(("answer", answer))


def _kept(store: Store, about: str) -> FinishedPieces:
    """The store of pieces on disk; if that is impossible, a store that keeps nothing after this work."""
    try:
        return StoredPieces(store.folder, about, store.max_bytes)
    except OSError as error:
        warnings.warn(f"No pieces are kept: {error}", stacklevel=1)
        return FinishedPieces()


class _Orders:
    """The connection to the pool while a function works: receives orders and sends progress."""

    def __init__(self, connection: Connection, resumes: bool) -> None:
        self._connection, self._resumes = connection, resumes
        self._last = 0.0
        self.is_to_pause = False

    def heed(self) -> None:
        """Read the pool's orders. Raises Interrupted if one is STOP."""
        while self._connection.poll():
            order = self._connection.recv()
            if order == STOP:
                raise Interrupted
            self.is_to_pause = True

    def tell(self, share: float, doing: str = "") -> None:
        """Called by a function with the share that is done and, optionally, what it does. Raises Interrupted."""
        self.heed()
        if self.is_to_pause and self._resumes:
            raise Interrupted
        if time.monotonic() - self._last > _TELL_EVERY:
            self._last = time.monotonic()
            self._connection.send(("progress", (share, doing)))


class _Pieces(FinishedPieces):
    """A store of pieces that lets work pause only after it has made a new piece, so that each turn makes progress."""

    def __init__(self, kept: FinishedPieces, orders: _Orders) -> None:
        super().__init__()
        self._kept, self._orders = kept, orders

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The piece with this key; a missing piece is made and kept. May raise Interrupted after making a piece."""
        made = []

        def noted() -> Any:
            made.append(key)
            return make()

        piece = self._kept.get(key, noted)
        if made:
            self._orders.heed()
            if self._orders.is_to_pause:
                raise Interrupted
        return piece


def _that_can_be_sent(error: Exception) -> Exception:
    """The error itself if it can be pickled and restored (as InvalidInput can), otherwise a RuntimeError with its text."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - of this process's own making
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def call(work: Work, on_progress: Callable[..., object]) -> Any:
    """Make the call in this process, for light work; pieces are not kept."""
    named = {**work.named, "on_progress": on_progress} if work.tells else work.named
    return work.function(*work.arguments, **named)
