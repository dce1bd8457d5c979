"""Counts that a person types: pairs of boxes, and the last counts without a contradiction while those typed have one."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import streamlit as st

from pages.estimate.settings import SETTINGS
from pages.settings import control
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput

_Kept = TypeVar("_Kept")


def typed_numbers(rows: Sequence[tuple[str, str]], width: int) -> list[int]:
    """The numbers in pairs of boxes, each pair `width` pixels wide; `rows` has the names of their settings."""
    numbers: list[int] = []
    with st.container(horizontal=True, gap="medium"):
        for row in rows:
            with st.container(width=width, horizontal=True, gap="small", vertical_alignment="bottom"):
                numbers += [control.number(SETTINGS[key]) for key in row]
    return numbers


def larger_than_allowed(limits: Iterable[tuple[str, int, int, str]]) -> InvalidInput | None:
    """What is wrong with the first (name, count, most, of what) whose count is above `most`; None if none is."""
    for name, count, most, group in limits:
        if count > most:
            return InvalidInput(name, f"be at most {most:,}, the number of {group}", f"{count:,}", "Check the two numbers.")
    return None


def counts_that_fit(place: str, contradiction: InvalidInput | None, make: Callable[[], _Kept]) -> _Kept:
    """What `make` makes of the typed counts; while they contradict each other, what it made last, with a sentence.

    It is kept in the session under `place`. Raises the contradiction if nothing was made before.
    """
    if contradiction is None:
        st.session_state[place] = make()
    elif place not in st.session_state:
        raise contradiction
    else:
        show_invalid_input(contradiction)
        st.caption("The picture still shows the last counts that did not contradict each other.")
    kept: _Kept = st.session_state[place]
    return kept
