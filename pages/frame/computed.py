"""What the shown page has computed: a question of a lesson is checked against it, whatever the settings are.

It is kept only while a lesson is open: otherwise the results of many sessions would take memory that no limit counts.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import streamlit as st

from pages.settings.current import current_settings
from pages.settings.page_declaration import settings_of
from pages.settings.setting import Value

COMPUTED: Final = "computed by the page"
"""The key of the session state that holds it."""
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
    """Keep what a page has computed for its current settings, in place of what was kept; without a lesson, keep nothing."""
    if st.session_state.get(_LISTENING):
        st.session_state[COMPUTED] = Computed(page, results, current_settings(settings_of(page)))


def record_too(page: str, **results: Any) -> None:
    """Add the results of a section to the results that are kept of its page."""
    kept = st.session_state.get(COMPUTED)
    record(page, **{**(kept.results if kept and kept.page == page else {}), **results})


def recorded(page: str) -> Computed | None:
    """The results of a page for the settings that it has now; None if it has not computed them yet."""
    kept: Computed | None = st.session_state.get(COMPUTED)
    if kept is None or kept.page != page or kept.settings != current_settings(settings_of(page)):
        return None
    return kept
