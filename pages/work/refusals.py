"""Answers that are not to be had now, each a sentence that says why and what to do."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from typing import Final

import streamlit as st

from pages.settings.controls import escaped
from pages.settings.number_text import capitalised
from qcore import InvalidInput

_AGREED: Final = "agreed to wait for"


class NotNow(InvalidInput):
    """An answer that is not to be had now: the queue is full, the work failed, or it takes too long."""

    def __init__(self, message: str) -> None:
        Exception.__init__(self, message)


class TakesLong(NotNow):
    """An answer that takes minutes: the person is asked first."""

    def __init__(self, message: str, key: Hashable) -> None:
        super().__init__(message)
        self._key = key

    @property
    def number(self) -> str:
        """A word for its button."""
        return hashlib.sha256(repr(self._key).encode()).hexdigest()[:12]

    def agree(self) -> None:
        """Go on with it in this session."""
        agreed().add(self._key)


def agreed() -> set[Hashable]:
    """What the person of this session has agreed to wait for."""
    keys: set[Hashable] = st.session_state.setdefault(_AGREED, set())
    return keys


def show_invalid_input(error: InvalidInput) -> None:
    """The sentence of an error, escaped for Markdown: it names what a person typed. What takes minutes can be begun here."""
    if isinstance(error, TakesLong):
        st.info(escaped(str(error)))
        st.button("Compute it", key=f"compute {error.number}", type="primary", on_click=error.agree)
    else:
        st.warning(escaped(capitalised(str(error))))
