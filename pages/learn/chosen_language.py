"""The language of lessons and glossary in this session: chosen, or that of the browser or of a classroom's teacher."""

from typing import Final

import streamlit as st

from pages.learn.settings import ENGLISH, LANGUAGES, SETTINGS

_CAME_INTO: Final = "classroom whose language this session speaks"


def language() -> str:
    """The code of the language that is chosen."""
    return LANGUAGES[str(st.session_state.get("language", SETTINGS["language"].default))]


def choose_language(code: str) -> None:
    """Choose a language by its code."""
    st.session_state["language"] = next(name for name, known in LANGUAGES.items() if known == code)


def begin_in_language(classroom: str, taught_in: str) -> None:
    """Begin in the language of the browser; in a classroom that this session comes into, in that of its teacher.

    An address that names a language is followed instead. Both are empty for a person in no classroom.
    """
    state = st.session_state
    wanted = ""
    if _CAME_INTO not in state:
        locale = str(st.context.locale or "").partition("-")[0]
        wanted = "" if locale == ENGLISH else locale
    if classroom and state.get(_CAME_INTO) != classroom:
        wanted = taught_in or wanted
    state[_CAME_INTO] = classroom or state.get(_CAME_INTO, "")
    if wanted in LANGUAGES.values() and "language" not in st.query_params:
        choose_language(wanted)
