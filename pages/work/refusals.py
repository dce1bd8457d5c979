"""Errors for answers that are not available now; their sentences say why and what to do."""

import contextlib
import hashlib
from collections.abc import Hashable, Iterator

import streamlit as st

from pages.settings.control import escaped
from pages.settings.number_text import capitalised
from qcore import InvalidInput

_AGREED = "agreed to wait for"


class NotNow(InvalidInput):
    """Raised for an answer that is not available now: the queue is full, the work failed, or it takes too long."""

    def __init__(self, message: str) -> None:
        Exception.__init__(self, message)


class TakesLong(NotNow):
    """An answer that takes minutes: the person is asked first."""

    def __init__(self, message: str, key: Hashable) -> None:
        super().__init__(message)
        self._key = key

    @property
    def number(self) -> str:
        """A word for the key of the button that agrees to the work."""
        return hashlib.sha256(repr(self._key).encode()).hexdigest()[:12]

    def agree(self) -> None:
        """Note that the person agrees: the work may run in this session."""
        agreed().add(self._key)


def agreed() -> set[Hashable]:
    """The keys of the work for which the person of this session has agreed to wait."""
    keys: set[Hashable] = st.session_state.setdefault(_AGREED, set())
    return keys


@contextlib.contextmanager
def shown_in_menu() -> Iterator[None]:
    """Draw an error's sentence in the menu whose content raises it, since the menu covers the page; then raise it again.

    The question whether to begin long work is drawn by the page alone.
    """
    try:
        yield
    except InvalidInput as error:
        if not isinstance(error, TakesLong):
            show_invalid_input(error)
        raise


def show_invalid_input(error: InvalidInput) -> None:
    """Draw an error's sentence, escaped because it may quote typed text; long work gets a button to start it."""
    if isinstance(error, TakesLong):
        st.info(escaped(str(error)))
        st.button("Compute it", key=f"compute {error.number}", type="primary", on_click=error.agree)
    else:
        st.warning(escaped(capitalised(str(error))))
