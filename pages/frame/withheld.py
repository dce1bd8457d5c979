"""What a page leaves out of its charts while a question of a lesson asks for it."""

from collections.abc import Collection

import streamlit as st

from qcore.quantifiers import operating_points

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


def text_on_policies(text: str) -> str:
    """The text with the policies' names and a space before it; empty while they are left out."""
    return "" if is_withheld(POLICIES) else " " + text.replace("{policies}", ", ".join(operating_points.POLICIES))


def is_withheld(name: str) -> bool:
    """Whether charts leave that out."""
    return name in st.session_state.get(_WITHHELD, ())
