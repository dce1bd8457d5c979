"""The settings of lessons: the language that is chosen, the lesson and the step that the user is at."""

import re

import streamlit as st

from pages.settings.address import mark_address_incomplete
from pages.settings.setting import LONGEST_TEXT, Setting, Value, single, whole
from pages.streamlit_internals import write_address
from qcore.base import registry

ENGLISH = "en"
LANGUAGES = {"English": ENGLISH, "Español": "es"}
"""Languages of the lessons, the strip and the glossary: each one's own name, which is the setting's value -> its code."""
NONE = ""
"""The lesson of the user who takes none."""
MOST_STEPS = 99
LARGEST_STUDENT = 99_999
CODE_LETTERS = "ABCDEFGHJKMNPQRTUVWXYZ2346789"
"""Letters and digits of a classroom's code: none that can be mistaken for another."""
CODE_LENGTH = 8
"""Letters of a code: who tries a thousand a second for the 12 hours of a classroom finds it once in 10,000 times."""
_CODE = re.compile(rf"([{CODE_LETTERS}]{{{CODE_LENGTH}}})?")
NAME = re.compile(rf"[a-z0-9-]{{0,{LONGEST_TEXT}}}")
"""What a lesson may be called; empty for none."""


def _language(words: list[str]) -> Value:
    """The language of that name or code."""
    names = {code: name for name, code in LANGUAGES.items()}
    name = names.get(single(words), words[0])
    if name not in LANGUAGES:
        raise ValueError(words)
    return name


def _lesson_name(words: list[str]) -> Value:
    if not NAME.fullmatch(single(words)):
        raise ValueError(words)
    return words[0]


def _classroom(words: list[str]) -> Value:
    """A code as it is stored: people write it in small letters, with a space or a hyphen."""
    code = re.sub(r"[\s-]", "", single(words)).upper()
    if not _CODE.fullmatch(code):
        raise ValueError(words)
    return code


CLASSROOM = Setting("classroom", "classroom", "", _classroom, f"the code of a classroom: {CODE_LENGTH} letters and digits")
"""The classroom that the user is in: no setting of a view, which others may open."""
SETTINGS = registry(
    Setting(
        "language",
        "language of the lessons",
        next(iter(LANGUAGES)),
        _language,
        f"one of {', '.join(LANGUAGES)}",
        tuple(LANGUAGES),
    ).with_label("Language"),
    Setting("lesson", "lesson", NONE, _lesson_name, "the name of a lesson: small letters, digits and hyphens").with_label(
        "Lesson"
    ),
    whole("step", "step of the lesson", 1, (1, MOST_STEPS)).with_label("Step"),
    whole("student", "number of the student", 0, (0, LARGEST_STUDENT)).with_label("Student"),
)


LANGUAGE_COOKIE = "quantification-lab-language"
"""Holds the code of the language that was chosen in this browser."""
_CHOSEN = "language was chosen in this session"
_NAMED = "language was named by the first address"
_CAME_INTO = "classroom whose language this session speaks"


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

    A language that the first address names, or that was chosen here, stays. Both are empty for the user in no classroom.
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
