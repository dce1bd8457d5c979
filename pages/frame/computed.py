"""What the page in front of a person has computed: a question of a lesson is checked against it, whatever the settings."""

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

_COMPUTED: Final = "computed by the page"


def record(page: str, **results: Any) -> None:
    """Keep what a page has computed for its current settings, in this session, until a page has computed something else."""
    st.session_state[_COMPUTED] = (page, results)


def record_too(page: str, **results: Any) -> None:
    """Add what a section of the page has computed to what is kept of the page."""
    st.session_state[_COMPUTED] = (page, {**(recorded(page) or {}), **results})


def recorded(page: str) -> Mapping[str, Any] | None:
    """What that page has computed last; None if another page has, or none."""
    name, results = st.session_state.get(_COMPUTED, ("", {}))
    return results if name == page else None
