"""How far long work is: one line on a terminal, written over, and gone when the work is done."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

Say = Callable[[str, float], None]
"""(what is being done, share of it that is done)."""

_FIRST_AFTER, _AGAIN_AFTER = 1.0, 0.2
"""Seconds: work that takes less says nothing, and a line is written over no more often."""
_TELLS = 0.02
"""A smaller share that is done does not tell how long the rest takes."""


@contextlib.contextmanager
def progress_line(at_once: bool = False) -> Iterator[Say]:
    """Yield a function that writes how far the work is on standard error, if that is a terminal; else it does nothing.

    Work of less than a second writes no line, unless `at_once`.
    """
    if not sys.stderr.isatty():
        yield lambda _doing, _done: None
        return
    line = _Line(at_once)
    try:
        yield line.say
    finally:
        line.clear()


class _Line:
    def __init__(self, at_once: bool) -> None:
        self._doing, self._width = "", 0
        self._started = time.monotonic()
        self._next = self._started + (0.0 if at_once else _FIRST_AFTER)

    def say(self, doing: str, done: float) -> None:
        now = time.monotonic()
        if doing != self._doing:
            # Only a line that is there already changes at once with what is being done.
            self._doing, self._started, self._next = doing, now, now if self._width else self._next
        if now < self._next:
            return
        self._next = now + _AGAIN_AFTER
        left = "" if done < _TELLS else f", {(now - self._started) * (1.0 - done) / done:.0f} s left"
        text = f"{doing}: {done:.0%} done{left}" if done else doing
        self._write(text.ljust(self._width))
        self._width = len(text)

    def clear(self) -> None:
        if self._width:
            self._write(" " * self._width)
            self._write("")

    def _write(self, text: str) -> None:
        print(f"\r{text}", end="", file=sys.stderr, flush=True)
