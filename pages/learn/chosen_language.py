"""The language of lessons and glossary: one that was chosen, now or before, that of the browser, or of a teacher."""

from typing import Final

import streamlit as st

from pages.learn.settings import ENGLISH, LANGUAGES, SETTINGS
from pages.settings.address import mark_address_incomplete
from pages.streamlit_internals import write_address

LANGUAGE_COOKIE: Final = "quantification-lab-language"
"""Holds the code of the language that was chosen in this browser."""
_CHOSEN: Final = "language was chosen in this session"
_NAMED: Final = "language was named by the first address"
_CAME_INTO: Final = "classroom whose language this session speaks"


def language() -> str:
    """The code of the language that is chosen."""
    return LANGUAGES[str(st.session_state.get("language", SETTINGS["language"].default))]


def language_to_be() -> str:
    """The code of the language that this session has, or will have once it has begun in one."""
    if _CAME_INTO in st.session_state:
        return language()
    try:
        return LANGUAGES[str(SETTINGS["language"].parse([st.query_params["language"]]))]
    except (KeyError, ValueError):
        return preferred_language()


def choose_language(code: str) -> None:
    """Choose a language by its code."""
    st.session_state["language"] = next(name for name, known in LANGUAGES.items() if known == code)


def note_choice() -> None:
    """Have the browser remember the language that was chosen just now: for the callback of its control."""
    st.session_state[_CHOSEN] = language()


def choice_to_keep() -> str:
    """The code of the language that the browser is to remember; empty for none."""
    return str(st.session_state.get(_CHOSEN, ""))


def preferred_language() -> str:
    """The code of the language that was chosen in this browser before, or that the browser itself has; else that of English."""
    known = (st.context.cookies.get(LANGUAGE_COOKIE), str(st.context.locale or "").partition("-")[0])
    return next((str(code) for code in known if code in LANGUAGES.values()), ENGLISH)


def begin_in_language(classroom: str, taught_in: str) -> None:
    """Begin in the language that this browser prefers; in a classroom that this session comes into, in that of its teacher.

    A language that the first address names, or that was chosen here, stays. Both are empty for a person in no classroom.
    """
    state, wanted = st.session_state, ""
    if _CAME_INTO not in state:
        state[_NAMED] = "language" in st.query_params
        wanted = preferred_language()
    if classroom and state.get(_CAME_INTO) != classroom:
        wanted = taught_in or wanted
    state[_CAME_INTO] = classroom or state.get(_CAME_INTO, "")
    if wanted in LANGUAGES.values() and wanted != language() and not state[_NAMED] and _CHOSEN not in state:
        choose_language(wanted)
        # Somebody who comes back to the page finds it in this language.
        mark_address_incomplete()


def name_language_in_address(name: str) -> None:
    """Have the address of the page "Learn" name its language where a reload would begin in another one.

    Its control leaves out English, its default; call it when the control is drawn.
    """
    if LANGUAGES[name] == ENGLISH != preferred_language():
        write_address({"language": [name]}, ("language",))
