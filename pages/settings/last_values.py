"""Keeps what a browser sends too late from taking back a move."""

from typing import Final

import streamlit as st

_LAST: Final = "last values of boxes that are not seen"
_MOST: Final = 8


class LastValues:
    """The last values of a box that is not seen, which our own control sets.

    Nobody types into it. A browser that goes on before it has heard of a move sends what was in the box before.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.values: list[float] = st.session_state.setdefault(_LAST, {}).setdefault(key, [])

    def keep(self) -> None:
        """Where the box was sent with an earlier value, keep the last one: a callback."""
        if st.session_state[self.key] in self.values[:-1]:
            st.session_state[self.key] = self.values[-1]

    def add(self, value: float) -> float:
        """Note the value that is drawn, and return it."""
        self.values[:] = [*(one for one in self.values[-_MOST:] if one != value), value]
        return value
