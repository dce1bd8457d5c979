"""Limits how many runs of pages work at a time in the server's own process; addresses take turns."""

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

from pages.streamlit_internals import session_id

_COMES_BACK_WITHIN = 1.0
"""Seconds after which a run that let others go first continues in any case, so that two runs never wait for each other."""
_LONG_RUN = 0.3
"""Seconds after which a run counts as long, and another begins beside it."""


class Turns:
    """Admits `at_once` threads at a time. Addresses take turns; the threads of one address are admitted in order of arrival.

    If all threads run at once, all are late; one after the other, most finish sooner and none later. An address that asks for
    much waits longest. Where nobody has come or gone for a while, one more is admitted, up to `at_most`: a long run does not
    keep all others waiting.

    Examples
    --------
    >>> turns = Turns(2)
    >>> with turns.turn("here"), turns.turn("here"):
    ...     inside = turns.n_inside
    ...     with turns.yield_turn("here"):
    ...         outside = turns.n_inside
    >>> inside, outside
    (1, 0)
    """

    def __init__(self, at_once: int, at_most: int | None = None) -> None:
        self._at_once = at_once
        self._at_most = at_once if at_most is None else at_most
        self._changed = 0.0
        self._beside_long = 0
        self._lock = threading.Lock()
        self._lines: dict[str, deque[threading.Event]] = {}
        self._mine = threading.local()
        self.n_inside = 0

    @contextlib.contextmanager
    def turn(self, visitor: str) -> Iterator[None]:
        """Wait for a turn, and give it back at the end. A thread that already has a turn keeps it."""
        if getattr(self._mine, "inside", False):
            yield
            return
        self._enter(visitor, None)
        try:
            yield
        finally:
            self._leave()

    @contextlib.contextmanager
    def yield_turn(self, visitor: str) -> Iterator[None]:
        """Give the turn to others while this thread waits for something else, and take the next one."""
        if not getattr(self._mine, "inside", False):
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter(visitor, _COMES_BACK_WITHIN)

    def _enter(self, visitor: str, seconds: float | None) -> None:
        self._mine.inside = True
        with self._lock:
            admitted = threading.Event()
            if self.n_inside < self._at_once:
                self._come_in()
                admitted.set()
            else:
                self._lines.setdefault(visitor, deque()).append(admitted)
        while not admitted.wait(seconds or _LONG_RUN):
            with self._lock:
                if admitted.is_set():
                    break
                if seconds:
                    # For a short time, one more thread than allowed is inside.
                    self._come_in()
                    self._leave_line(visitor, admitted)
                    break
                if self.n_inside < self._at_most and time.monotonic() - self._changed >= _LONG_RUN:
                    self._beside_long += 1
                    self._come_in()
                    self._admit_next()
        self._mine.since = time.monotonic()

    def _come_in(self) -> None:
        self.n_inside += 1
        self._changed = time.monotonic()

    def _leave_line(self, visitor: str, admitted: threading.Event) -> None:
        line = self._lines[visitor]
        line.remove(admitted)
        if not line:
            del self._lines[visitor]

    def _admit_next(self) -> None:
        """Let the first thread of the next address in."""
        visitor, line = next(iter(self._lines.items()))
        del self._lines[visitor]
        line.popleft().set()
        if line:
            self._lines[visitor] = line

    def _leave(self) -> None:
        """Pass the turn to the next thread that waits, or leave it for a later one."""
        self._mine.inside = False
        with self._lock:
            self._changed = time.monotonic()
            if self._changed - self._mine.since >= _LONG_RUN:
                # The place beside a long run ends with it.
                self._beside_long = max(0, self._beside_long - 1)
            if self._lines and self.n_inside <= self._at_once + self._beside_long:
                self._admit_next()
            else:
                self.n_inside -= 1


_Arguments = ParamSpec("_Arguments")
# Python computes one run at a time. Beside several, the thread that sends what is drawn to the browsers hardly gets to work.
_TURNS = Turns(1, 1 + (os.cpu_count() or 1))


def visitor() -> str:
    """The network address of the person of this session; empty on the server's own machine."""
    return (st.context.ip_address if session_id() else None) or ""


def turn() -> AbstractContextManager[None]:
    """A turn for a run of a page."""
    return _TURNS.turn(visitor())


def yield_turn() -> AbstractContextManager[None]:
    """A context manager in which this run only waits, and others have its turn."""
    return _TURNS.yield_turn(visitor())


def fragment(drawn: Callable[_Arguments, None], *, run_every: float | None = None) -> Callable[_Arguments, Any]:
    """`st.fragment`, whose runs take turns with those of other people."""

    @wraps(drawn)
    def in_turn(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        with turn():
            drawn(*args, **kwargs)

    made: Callable[_Arguments, Any] = st.fragment(in_turn, run_every=run_every)
    return made
