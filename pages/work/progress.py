"""A bar that shows the progress of long work."""

import contextlib
import time
from collections.abc import Callable, Iterator

import streamlit as st

_SHOWN_AFTER_SECONDS = 0.2

Show = Callable[[float, str], bool]


@contextlib.contextmanager
def progress() -> Iterator[Show]:
    """Yield a function to call with (share that is done, what is being done); it draws a bar once the work has taken 0.2 s.

    It returns whether it has drawn.

    Streamlit stops a run when it draws something: if a control was moved meanwhile, such a call stops the work.
    """
    started = time.perf_counter()
    # This element is always there, so that later elements keep their position in the page.
    slot = st.empty()

    def show(share: float, doing: str) -> bool:
        is_long = time.perf_counter() - started > _SHOWN_AFTER_SECONDS
        if is_long:
            slot.progress(min(share, 1.0), doing)
        return is_long

    yield show
    slot.empty()
