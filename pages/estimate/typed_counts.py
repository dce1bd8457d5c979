"""Counts that the user types: pairs of boxes, and the last counts without a contradiction while those typed have one."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import streamlit as st

from pages.estimate.settings import PRESETS, SETTINGS
from pages.frame.presets import says_of_settings
from pages.settings import control
from pages.settings.number_text import enumerated
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput

EXAMPLE = "Example: "
"""What the headline begins with where all numbers are an example's."""
_STILL_EXAMPLES = "The counts are an example's. Type your own."
_Kept = TypeVar("_Kept")


def typed_numbers(rows: Sequence[tuple[str, str]], width: int) -> list[int]:
    """The numbers in pairs of boxes, each pair `width` pixels wide; `rows` has the names of their settings."""
    numbers: list[int] = []
    with st.container(horizontal=True, gap="medium"):
        for row in rows:
            with st.container(width=width, horizontal=True, gap="small", vertical_alignment="bottom"):
                numbers += [control.number(SETTINGS[key]) for key in row]
    return numbers


def examples_part(rows: Sequence[tuple[str, str]], numbers: Sequence[int]) -> str:
    """What a headline begins with where pairs of typed numbers are still an example's; empty if all are the user's own."""
    examples = [{key: SETTINGS[key].default for row in rows for key in row} | dict(preset.settings) for preset in PRESETS]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    kept = [
        f"{part:,} of {whole:,}"
        for (first, second), (part, whole) in zip(rows, pairs, strict=True)
        if any((example[first], example[second]) == (part, whole) for example in examples)
    ]
    if len(kept) == len(rows):
        return EXAMPLE
    return f"With an example's {enumerated(kept)}: " if kept else ""


def say_of_examples_part(part: str) -> None:
    """Say in place of `OWN_SETTINGS` that typed numbers are still those of an example, if `examples_part` found some."""
    if part:
        says_of_settings(_STILL_EXAMPLES if part == EXAMPLE else f"{part}these numbers are not yours. Type your own.")


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
