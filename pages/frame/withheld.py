"""What a page leaves out of its charts while a question of a lesson asks for it."""

from collections.abc import Collection

import streamlit as st

POLICIES = "policies"
"""The thresholds that policies choose: their markers and their buttons."""
RIGHT_COUNT = "counting is right"
"""The mark of the share at which the mean count is the truth."""
WITHHELD = (POLICIES, RIGHT_COUNT)
"""Everything that a page can leave out."""
_WITHHELD = "what charts leave out"


def withhold(names: Collection[str]) -> None:
    """Leave out these, of WITHHELD, and nothing else, from now on in this session."""
    st.session_state[_WITHHELD] = frozenset(names)


def is_withheld(name: str) -> bool:
    """Whether charts leave that out."""
    return name in st.session_state.get(_WITHHELD, ())
