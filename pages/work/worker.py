"""What a process of the pool does: it calls functions that it is sent, one after the other, and tells how far they are.

It imports no Streamlit: the process stays small, and starts fast.
"""

from __future__ import annotations

import contextlib
import os
import pickle
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
from qcore._base.finished_pieces import FinishedPieces
from qcore._base.stored_pieces import StoredPieces

_NICENESS: Final = {Lane.SHORT: 5, Lane.ANY: 10, Lane.LONG: 19}
"""Pages come first, since the server's own process has none; then what is short, then what is long."""

_TELL_EVERY: Final = 0.1

STOP: Final = "stop"
"""What the pool sends to a worker whose answer nobody waits for: it ends where it next tells how far it is."""

PAUSE: Final = "pause"
"""What the pool sends to a worker whose work is to make room: it ends when its next piece is finished, and kept."""


class Interrupted(BaseException):
    """The pool has asked for an end. No Exception, so that no function takes it for an error of its own."""


@dataclass(frozen=True)
class Store:
    """Where pieces are kept, and how many bytes of them."""

    folder: Path
    max_bytes: int


def work_until_closed(connection: Connection, store: Store, lane: Lane) -> None:
    """Serve one pool, until it closes its end or its process is gone."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_NICENESS[lane])
    if lane is Lane.LONG and hasattr(os, "SCHED_IDLE"):
        # It works when nobody else wants to, and leaves the processor at once.
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    # Forests use one thread here, as they should.
    warnings.filterwarnings("ignore", "Loky-backed parallel loops cannot be called in a multiprocessing")
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            _answer(connection, connection.recv(), store)


def _end_with_the_server() -> None:
    """End this process as soon as the server's is gone, however it went."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


def _answer(connection: Connection, work: Work | str, store: Store) -> None:
    if isinstance(work, str):
        # Work was asked to stop just as it ended.
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
    """Where pieces are kept: on disk, or where that can't be, nowhere beyond this work."""
    try:
        return StoredPieces(store.folder, about, store.max_bytes)
    except OSError as error:
        warnings.warn(f"No pieces are kept: {error}", stacklevel=1)
        return FinishedPieces()


class _Orders:
    """What the pool says while a function is at work, and what it is told of the progress."""

    def __init__(self, connection: Connection, resumes: bool) -> None:
        self._connection, self._resumes = connection, resumes
        self._last = 0.0
        self.is_to_pause = False

    def heed(self) -> None:
        """Note what the pool says. Raises Interrupted if it says stop."""
        while self._connection.poll():
            order = self._connection.recv()
            if order == STOP:
                raise Interrupted
            self.is_to_pause = True

    def tell(self, share: float, doing: str = "") -> None:
        """What a function calls with the share that is done and perhaps what it does. Raises Interrupted."""
        self.heed()
        if self.is_to_pause and self._resumes:
            raise Interrupted
        if time.monotonic() - self._last > _TELL_EVERY:
            self._last = time.monotonic()
            self._connection.send(("progress", (share, doing)))


class _Pieces(FinishedPieces):
    """Pieces, between which work pauses: only when it has made one, so that each turn gets it further."""

    def __init__(self, kept: FinishedPieces, orders: _Orders) -> None:
        super().__init__()
        self._kept, self._orders = kept, orders

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The piece of that key; made, and kept, if it is not there. Raises Interrupted after it was made."""
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
    """The error itself where its class can be made again from its text; as InvalidInput can."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - of this process's own making
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def call(work: Work, on_progress: Callable[..., None]) -> Any:
    """The same call in this process, for work that is light: no pieces are kept."""
    named = {**work.named, "on_progress": on_progress} if work.tells else work.named
    return work.function(*work.arguments, **named)
