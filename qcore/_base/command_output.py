"""What a command prints: its answer as text or JSON, sentences beside it on standard error, and how far long work is."""

import contextlib
import json
import math
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from tqdm import tqdm

from qcore._base.validation import percentage_decimals


def say(*sentences: str) -> None:
    """Print sentences beside the answer, so that a program that reads it does not meet them."""
    for sentence in sentences:
        print(sentence, file=sys.stderr)


def print_answer(answer: dict[str, Any], text: str, *, as_json: bool) -> None:
    """Print an answer as JSON, with null for unknown numbers, or as text."""
    print(json.dumps(plain(answer), indent=2, allow_nan=False) if as_json else text)


def plain(value: Any) -> Any:
    """A value of JSON: numbers of NumPy as Python's, NaN and infinities as None.

    Examples
    --------
    >>> plain({"low": np.float64(0.5), "auc": float("nan"), "counts": (np.intp(3), True)})
    {'low': 0.5, 'auc': None, 'counts': [3, True]}
    """
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def percentages(estimate: float, low: float, high: float) -> list[str]:
    """An estimate and the ends of its interval as percentages, with as many decimals as the interval's width asks for."""
    return [f"{share:.{percentage_decimals(low, high)}%}" for share in (estimate, low, high)]


def counted(number: int, what: str) -> str:
    """A number of things, such as "1 instance", "2,000 instances" or "3 batches"."""
    several = "es" if what.endswith(("s", "x", "ch")) else "s"
    return f"{number:,} {what}{'' if number == 1 else several}"


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
