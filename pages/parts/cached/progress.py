"""A bar that tells how far long work is."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import streamlit as st

_PATIENCE = 0.2
"""Seconds after which a person is shown progress."""

Show = Callable[[float, str], None]


@contextlib.contextmanager
def progress() -> Iterator[Show]:
    """A function to call with the share that is done, and with what is being done: a bar, once the work has taken 0.2 s.

    Streamlit stops a run where it draws: a control that has moved meanwhile stops the work at such a call.
    """
    started = time.perf_counter()
    # There with and without progress, so that what follows keeps its place in the page.
    place = st.empty()

    def show(share: float, doing: str) -> None:
        if time.perf_counter() - started > _PATIENCE:
            place.progress(min(share, 1.0), doing)

    yield show
    place.empty()
