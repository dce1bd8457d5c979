"""Recognises values that a browser sends too late, so that they do not undo newer ones."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

_LAST = "last values of boxes that are not seen"
_MOST = 8


class LastValues:
    """The last values of a hidden box, which a component of ours sets.

    Nobody types into the box. A browser that sends its values before it has received a move sends the box's former value.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.values: list[Any] = st.session_state.setdefault(_LAST, {}).setdefault(key, [])

    def keep(self) -> None:
        """Callback of the box: if the browser has sent an earlier value, put the last one back."""
        if st.session_state[self.key] in self.values[:-1]:
            st.session_state[self.key] = self.values[-1]

    def add(self, value: Any) -> Any:
        """Note the value that is drawn, and return it."""
        self.values[:] = [*(one for one in self.values[-_MOST:] if one != value), value]
        return value


def late_values(said: Mapping[str, Any], has: Mapping[str, Any], before: dict[str, list[Any]], *, pressed: bool) -> list[str]:
    """Keys of controls whose value in the browser's message is older than the session's.

    With each move of a control, a browser sends the values of all others. On a slow line, or where a run was ended before it
    drew a control, these are older than what an example, a step of a lesson or a bar has set meanwhile. If the user sets a
    control back to such a value and moves another one in the same moment, the first move counts as an old value, too.

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
    # The user who sets a control back by hand moves this one and no other.
    if len(late) == len(differ) == 1 and not pressed:
        late = []
    for key, value in said.items():
        set_since = [*before[key], has[key]] if key in late else [value]
        before[key] = [one for i, one in enumerate(set_since) if one not in set_since[i + 1 :]][-_MOST:]
    return late
