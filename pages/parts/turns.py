"""Whose turn it is: runs of pages, a few at a time, so that many people do not slow each other down."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, Final, ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.jobs.turns import Turns

_Arguments = ParamSpec("_Arguments")
_TURNS: Final = Turns(1 + (os.cpu_count() or 1))


def visitor() -> str:
    """The address that the person of this session comes from; empty on the machine itself."""
    return (st.context.ip_address if get_script_run_ctx() else None) or ""


def turn() -> AbstractContextManager[None]:
    """A turn for a run of a page."""
    return _TURNS.turn(visitor())


def others_first() -> AbstractContextManager[None]:
    """A time in which this run only waits."""
    return _TURNS.others_first(visitor())


def fragment(drawn: Callable[_Arguments, None], *, run_every: float | None = None) -> Callable[_Arguments, Any]:
    """`st.fragment`, whose runs take turns with those of other people."""

    @wraps(drawn)
    def in_turn(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        with turn():
            drawn(*args, **kwargs)

    made: Callable[_Arguments, Any] = st.fragment(in_turn, run_every=run_every)
    return made
