"""Keeps what a browser sends too late from taking back a move."""

from collections.abc import Mapping
from typing import Any, Final

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


def late_values(said: Mapping[str, Any], has: Mapping[str, Any], before: dict[str, list[Any]], *, pressed: bool) -> list[str]:
    """The controls of which a browser says what was before: it has not heard yet of the value that the session has.

    With each move of a control, a browser sends the values of all others. On a slow line, or where a run was ended before it
    drew a control, these are older than what an example, a step of a lesson or a bar has set meanwhile. Who sets a control back
    to such a value, and moves another one in the same moment, is not heard either.

    Parameters
    ----------
    said, has : the values of controls in the browser's message, and in this session.
    before : what the browser may still say of each control: what it said last, and what was set since. Kept up to date here.
    pressed : whether the message is of a button, or of a control of our own.
    """
    # A control that has gone may come back with another value.
    for key in before.keys() - said.keys():
        del before[key]
    differ = [key for key, value in said.items() if value != has[key]]
    late = [key for key in differ if said[key] in before.get(key, ())]
    # Who sets a control back by hand, moves this one and no other.
    if len(late) == len(differ) == 1 and not pressed:
        late = []
    for key, value in said.items():
        set_since = [*before[key], has[key]] if key in late else [value]
        before[key] = [one for i, one in enumerate(set_since) if one not in set_since[i + 1 :]][-_MOST:]
    return late
