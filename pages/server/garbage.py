"""Garbage collection that does not delay a person's picture.

Streamlit collects all garbage after each run of a script, and blocks the interpreter meanwhile: 46 ms with the libraries
loaded, and more with the objects of fifty sessions. Frozen objects are not examined: then a collection takes 0.01 ms.
"""

import contextlib
import gc
import threading
from collections.abc import Iterator
from typing import Final

_SECONDS: Final = 0.5
_WHOLE_EVERY: Final = 40
"""Every 40th time (every 20 seconds) all objects are examined, which frees the garbage of ended runs and sessions."""


@contextlib.contextmanager
def frozen_heap(seconds: float = _SECONDS) -> Iterator[None]:
    """Freeze all existing objects now, and the objects created since then every `seconds`."""
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
    """Free all garbage, and exclude the remaining objects from further collections."""
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
