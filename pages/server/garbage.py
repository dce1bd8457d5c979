"""Garbage collection that does not cost a person their picture.

Streamlit collects all garbage after each run of a script, while it holds the interpreter: with the libraries loaded, 46 ms, and
more with what fifty sessions have open. What is frozen is not looked at: then it costs 0.01 ms.
"""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator
from typing import Final

_SECONDS: Final = 0.5
_WHOLE_EVERY: Final = 40
"""Each 40th time, every 20 seconds, all is looked at: garbage of runs and of sessions that have ended is let go then."""


@contextlib.contextmanager
def frozen_heap(seconds: float = _SECONDS) -> Iterator[None]:
    """Freeze what is there now, and every `seconds` what has come since."""
    ended = threading.Event()
    thread = threading.Thread(target=_keep_frozen, args=(ended, seconds), name="garbage", daemon=True)
    freeze()
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        gc.unfreeze()


def freeze() -> None:
    """Let go of garbage, and look at nothing of the rest any more."""
    gc.collect()
    gc.freeze()


def _keep_frozen(ended: threading.Event, seconds: float) -> None:
    number = 0
    while not ended.wait(seconds):
        number += 1
        if number % _WHOLE_EVERY:
            gc.freeze()
        else:
            gc.unfreeze()
            freeze()
