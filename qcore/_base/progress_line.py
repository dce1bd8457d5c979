"""How far long work is: one line on a terminal, written over, and gone when the work is done."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

from tqdm import tqdm

Say = Callable[[str, float], None]
"""(what is being done, share of it that is done)."""

_FIRST_AFTER, _AGAIN_AFTER = 1.0, 0.2
"""Seconds: work that takes less says nothing, and a line is written over no more often."""


class ProgressBar(tqdm):
    """tqdm's bar, without its watching thread and its lock between processes: a notebook or a server may have none of them."""

    monitor_interval = 0

    def __init__(self, total: float, form: str, doing: str = "", *, first_after: float = 0.0, stays: bool = False) -> None:
        """A line of the `form` of tqdm's `bar_format`; `stays` says that it is not cleared at the end."""
        super().__init__(
            total=total,
            desc=doing,
            bar_format=form,
            delay=first_after,
            leave=stays,
            mininterval=_AGAIN_AFTER,
            smoothing=0,
            file=sys.stderr,
        )

    def reach(self, done: float) -> None:
        """Say that so much of the total is done."""
        self.update(done - self.n)


ProgressBar.set_lock(threading.RLock())


@contextlib.contextmanager
def progress_line(at_once: bool = False) -> Iterator[Say]:
    """Yield a function that writes how far the work is on standard error, if that is a terminal; else it does nothing.

    Work of less than a second writes no line, unless `at_once`.
    """
    if not sys.stderr.isatty():
        yield lambda _doing, _done: None
        return
    with contextlib.ExitStack() as shown:
        bars: dict[str, ProgressBar] = {}

        def say(doing: str, done: float) -> None:
            if doing not in bars:
                shown.close()
                bars.clear()
                form = "{desc}: {percentage:.0f}%|{bar:20}| {remaining} left"
                bar = ProgressBar(1.0, form, doing, first_after=0.0 if at_once else _FIRST_AFTER)
                bars[doing] = shown.enter_context(bar)
            bars[doing].reach(done)

        yield say
