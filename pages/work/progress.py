"""A bar that shows the progress of long work."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Final

import streamlit as st

_SHOWN_AFTER_SECONDS: Final = 0.2

Show = Callable[[float, str], None]


@contextlib.contextmanager
def progress() -> Iterator[Show]:
    """A function to call with the share that is done and what is being done: a bar, once the work has taken 0.2 s.

    Streamlit stops a run where it draws: a control that has moved meanwhile stops the work at such a call.
    """
    started = time.perf_counter()
    # There with and without progress, so that what follows keeps its position in the page.
    slot = st.empty()

    def show(share: float, doing: str) -> None:
        if time.perf_counter() - started > _SHOWN_AFTER_SECONDS:
            slot.progress(min(share, 1.0), doing)

    yield show
    slot.empty()
