"""What a run of a page leaves behind: results for lessons, the open section, a recording of it; and what a lesson withholds."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from pages.settings.address import current_settings
from pages.settings.page_declaration import settings_of
from pages.settings.setting import Value

COMPUTED = "computed by the page"
"""The key of the session state that holds it."""
_LISTENING = "what a page computes is kept"


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


_SECTION = "section that is open"


def note_section(page: str, title: str) -> None:
    """Keep which section of a page is open; empty for none."""
    st.session_state[_SECTION] = (page, title)


def section_shown(page: str) -> str:
    """The section of a page that was open when it was last drawn; empty for none."""
    of, title = st.session_state.get(_SECTION, ("", ""))
    return str(title) if of == page else ""


WANTED = "what this run is recorded for"
"""The key of the session state that holds it: "file" or "talk" for what the browser saves, else a Python caller's word."""
_TABLES = "tables for the interactive file"

Tables = Mapping[str, Callable[[], pd.DataFrame]]


def want_file(purpose: str = "file") -> None:
    """Record the next run of the whole page as a file, or as a view of the talk that is saved."""
    st.session_state[WANTED] = purpose


def want_none() -> None:
    """Record nothing after all."""
    st.session_state.pop(WANTED, None)


def is_recorded() -> bool:
    """Whether this run is recorded."""
    return WANTED in st.session_state


def add_tables(tables: Tables) -> None:
    """Put the tables of the picture into the file, if there will be one."""
    if is_recorded():
        st.session_state[_TABLES] = dict(tables)


def end_recording() -> tuple[str, Tables]:
    """What the recording is for, and its tables; from here on nothing is recorded."""
    tables: Tables = st.session_state.pop(_TABLES, {})
    return str(st.session_state.pop(WANTED)), tables


POLICY_MARKS = "policies"
"""The thresholds that policies choose: their markers and their buttons."""
RIGHT_COUNT = "counting is right"
"""The mark of the share at which the mean count is the truth."""
WITHHELD = (POLICY_MARKS, RIGHT_COUNT)
"""Everything that a page can leave out."""
_WITHHELD = "what charts leave out"


def withhold(names: Collection[str]) -> None:
    """Leave out these, of WITHHELD, and nothing else, from now on in this session."""
    st.session_state[_WITHHELD] = frozenset(names)


def is_withheld(name: str) -> bool:
    """Whether charts leave that out."""
    return name in st.session_state.get(_WITHHELD, ())
