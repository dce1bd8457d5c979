"""Garbage collection that does not delay the user's picture.

Python's own examines all objects in the midst of a run, and blocks the interpreter meanwhile: for 0.1 s with the libraries
loaded, and longer with the objects of fifty sessions. Here, what is there when the server starts is frozen, which means never
examined; during runs Python looks through young objects alone; and through all since the start every 20 seconds.
"""

import contextlib
import gc
import threading
from collections.abc import Iterator

_SECONDS = 20.0
_NEVER = 2**31 - 1


@contextlib.contextmanager
def frozen_heap(seconds: float = _SECONDS) -> Iterator[None]:
    """Freeze all existing objects, and examine all created since then every `seconds`, and at no other time."""
    ended, before = threading.Event(), gc.get_threshold()

    def examine() -> None:
        while not ended.wait(seconds):
            # If Python has not looked through young objects even once since, hardly anything has run.
            if any(gc.get_count()[1:]):
                gc.collect()

    thread = threading.Thread(target=examine, name="garbage", daemon=True)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*before[:2], _NEVER)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        gc.set_threshold(*before)
        gc.unfreeze()
