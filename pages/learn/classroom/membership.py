"""Whether this session is in a classroom, and as whom: the address names it, and cookies tell a reloaded page who it was."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from pages.learn.chosen_language import language_to_be
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.shown import Shown
from pages.learn.classroom.store import classrooms
from pages.settings import control
from pages.work.turns import visitor
from qcore import InvalidInput

CODE_KEY: Final = "classroom"
"""The setting that holds the code: a link with it leads into the classroom."""
TEACHER_KEY: Final = "teacher"
"""The parameter of a teacher's link: the code, a dot, the secret. It leaves the address, which others may see, at once."""
MEMBER_COOKIE: Final = "quantification-lab-member"
TEACHER_COOKIE: Final = "quantification-lab-teacher"
_MEMBER: Final = "random word of this person in classrooms"
_TAUGHT: Final = "secrets of the classrooms that this person teaches"
_FOLLOWS: Final = "this person follows the teacher"
WORD: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""What a person's random word looks like."""


@dataclass(frozen=True)
class Membership:
    """A person in a classroom.

    Attributes
    ----------
    code : of the classroom.
    member : a random word for the person, the same after a reload.
    secret : the teacher's; empty for everybody else.
    follows : whether the person sees what the teacher shows.
    version, shown : how often what the classroom is shown has changed, and what that is now.
    """

    code: str
    member: str
    secret: str
    follows: bool
    version: int
    shown: Shown

    @property
    def is_teacher(self) -> bool:
        """Whether it is the teacher."""
        return bool(self.secret)


def _cookie(name: str) -> str:
    """A cookie of this browser, as it was when the page was opened."""
    return str(st.context.cookies.get(name) or "")


def _member() -> str:
    """The random word of this person: kept in the session, or in the browser's cookie, or new."""
    state = st.session_state
    if _MEMBER not in state:
        known = _cookie(MEMBER_COOKIE)
        state[_MEMBER] = known if WORD.fullmatch(known) else secrets.token_urlsafe(12)
    return str(state[_MEMBER])


def _secret(code: str) -> str:
    """The secret of a classroom that this person teaches; empty if they do not."""
    known: dict[str, str] = st.session_state.setdefault(_TAUGHT, {})
    if code not in known:
        owner, _, secret = _cookie(TEACHER_COOKIE).partition(".")
        known[code] = secret if owner == code and classrooms().is_teacher(code, secret) else ""
    return known[code]


def take_teachers_link() -> None:
    """Take the rights of a teacher's secret link from the address, and remove the secret from it."""
    word = st.query_params.get(TEACHER_KEY)
    if word is None:
        return
    del st.query_params[TEACHER_KEY]
    code, _, secret = word.partition(".")
    if classrooms().is_teacher(code, secret):
        teach(code, secret)
    else:
        classrooms().wrong_try(visitor(), code)
        control.note(_labels()["no_teachers_link"])


def teach(code: str, secret: str) -> None:
    """Enter a classroom as its teacher."""
    st.session_state.setdefault(_TAUGHT, {})[code] = secret
    st.session_state[CODE_KEY] = code
    st.session_state[_FOLLOWS] = False


def join(code: str) -> None:
    """Enter a classroom, and see what its teacher shows."""
    st.session_state[CODE_KEY] = code
    st.session_state[_FOLLOWS] = True


def follow_teacher(follows: bool) -> None:
    """Set whether this session follows what the teacher shows."""
    st.session_state[_FOLLOWS] = follows


def leave_classroom() -> None:
    """Leave the classroom: remove its code from the session and from the address."""
    st.session_state.pop(CODE_KEY, None)
    st.session_state.pop(_FOLLOWS, None)
    if CODE_KEY in st.query_params:
        del st.query_params[CODE_KEY]


def membership() -> Membership | None:
    """Who a person is in the classroom that the session or the address names; None, perhaps with a notice, if in none."""
    code = str(st.session_state.get(CODE_KEY) or "")
    try:
        return _member_of(code) if code else None
    except InvalidInput as error:
        # The folder of classrooms cannot be used; the page still can.
        control.note(str(error))
        return None


def refusal_of_code(code: str) -> str:
    """A sentence on why this person cannot enter a classroom of that code now; empty if they can. A wrong code is noted."""
    labels = _labels()
    if not classrooms().may_try(visitor()):
        return labels["tries"]
    if classrooms().shown(code) is not None:
        return ""
    classrooms().wrong_try(visitor(), code)
    return labels["ended" if classrooms().has_ended(code) else "no_classroom"].format(code=code)


def _labels() -> Mapping[str, str]:
    return CLASSROOM_LABELS[language_to_be()]


def _member_of(code: str) -> Membership | None:
    secret, member = _secret(code), _member()
    there = classrooms().shown(code) if secret or classrooms().knows(code, member) else None
    if there is None:
        if refused := refusal_of_code(code):
            if st.session_state.get(_FOLLOWS):
                # The step was the teacher's, not this person's.
                for key in ("lesson", "step"):
                    st.session_state.pop(key, None)
                    st.query_params.pop(key, None)
            leave_classroom()
            control.note(refused)
            return None
        there = classrooms().shown(code)
    if there is None:
        return None
    follows = bool(st.session_state.setdefault(_FOLLOWS, not secret)) and not secret
    return Membership(code, member, secret, follows, *there)
