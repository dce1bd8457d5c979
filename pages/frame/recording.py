"""Whether this run is recorded as a file of its own, and the tables that belong to it."""

from collections.abc import Callable, Mapping
from typing import Final

import pandas as pd
import streamlit as st

WANTED: Final = "what this run is recorded for"
"""The key of the session state that holds it: "file" for a file that the browser saves, another word for a Python caller."""
_TABLES: Final = "tables for the interactive file"

Tables = Mapping[str, Callable[[], pd.DataFrame]]


def want_file() -> None:
    """Record the next run of the whole page as a file."""
    st.session_state[WANTED] = "file"


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
