"""What the page in front of a person has computed: a question of a lesson is checked against it, whatever the settings.

It is kept only while a lesson is open: results of many sessions would take memory that no limit counts.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import streamlit as st

from pages.settings.current import current_settings
from pages.settings.pages import settings_of
from pages.settings.setting import Value

COMPUTED: Final = "computed by the page"
"""Where a session keeps it."""
_LISTENING: Final = "what a page computes is kept"


class Computed(NamedTuple):
    """The page, its results by name, and the values of its settings for which they hold."""

    page: str
    results: Mapping[str, Any]
    settings: Mapping[str, Value]


def listen(to: bool) -> None:
    """Keep what pages of this session compute from now on, or forget it."""
    st.session_state[_LISTENING] = to
    if not to:
        st.session_state.pop(COMPUTED, None)


def record(page: str, **results: Any) -> None:
    """Keep what a page has computed for its current settings, until a page has computed something else."""
    if st.session_state.get(_LISTENING):
        st.session_state[COMPUTED] = Computed(page, results, current_settings(settings_of(page)))


def record_too(page: str, **results: Any) -> None:
    """Add what a section of the page has computed to what is kept of the page."""
    kept = st.session_state.get(COMPUTED)
    record(page, **{**(kept.results if kept and kept.page == page else {}), **results})


def recorded(page: str) -> Computed | None:
    """What that page has computed for the settings that it has now; None if it has not yet."""
    kept: Computed | None = st.session_state.get(COMPUTED)
    if kept is None or kept.page != page or kept.settings != current_settings(settings_of(page)):
        return None
    return kept
