"""Whether this session is in a classroom, and as whom: the address names it, and cookies tell a reloaded page who it was."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import streamlit as st

from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.store import Shown, classrooms
from pages.learn.settings import language_to_be
from pages.settings import control
from pages.work.by_address import Rate, network_of
from pages.work.limits import limit
from pages.work.turns import visitor, yield_turn
from qcore import InvalidInput

CODE_KEY = "classroom"
"""The setting that holds the code: a link with it leads into the classroom."""
TEACHER_KEY = "teacher"
"""What teacher's links had before their secret, which then stayed in histories and logs: they are not followed."""
MEMBER_COOKIE = "quantification-lab-member"
TEACHER_COOKIE = "quantification-lab-teacher"
"""Cookies that no script reads: the code, a dot, and the word of a member or the secret of the teacher."""
_MEMBER = "words by which classrooms know this person"
_TAUGHT = "secrets of the classrooms that this person teaches"
_FOLLOWS = "this person follows the teacher"
_SLOWED = 2.0
"""Seconds that a wrong code takes from an address that has named many."""
WRONG = Rate(300, 600, "wrong words of classrooms")
"""What an address may get wrong, codes and words: a class mistypes less often."""


@dataclass(frozen=True)
class Membership:
    """A person in a classroom.

    Attributes
    ----------
    code : of the classroom.
    member : the word by which the classroom knows the person, the same after a reload; empty for the teacher.
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


@cache
def _newcomers() -> Rate:
    """People whom one address may bring into one classroom: others must find a place, too."""
    return Rate(max(1, 4 * limit("CLASSROOM_MEMBERS") // 5), 3600, "newcomers of classrooms")


def _word(code: str) -> str:
    """The word by which a classroom knows this person, in the session or in the browser's cookie; empty if there is none."""
    known: dict[str, str] = st.session_state.setdefault(_MEMBER, {})
    if code not in known:
        owner, _, word = _cookie(MEMBER_COOKIE).partition(".")
        known[code] = word if owner == code else ""
    return known[code] if known[code] and classrooms().knows(code, known[code]) else ""


def _let_in(code: str) -> tuple[str, str]:
    """The word of a new person in a classroom, and why there is none; one of both is empty."""
    if not _newcomers().takes(f"{network_of(visitor())} {code}"):
        return "", _labels()["crowd"]
    word = st.session_state[_MEMBER][code] = classrooms().join(code)
    return word, "" if word else _labels()["full"]


def _secret(code: str) -> str:
    """The secret of a classroom that this person teaches; empty if they do not."""
    known: dict[str, str] = st.session_state.setdefault(_TAUGHT, {})
    if code not in known:
        owner, _, secret = _cookie(TEACHER_COOKIE).partition(".")
        known[code] = secret if owner == code and classrooms().is_teacher(code, secret) else ""
    return known[code]


def refuse_teachers_link() -> None:
    """Say of a teacher's link that leads nowhere that it does, and remove from the address what is left of it."""
    if TEACHER_KEY in st.query_params:
        del st.query_params[TEACHER_KEY]
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
    """Who the user is in the classroom that the session or the address names; None, perhaps with a notice, if in none."""
    code = str(st.session_state.get(CODE_KEY) or "")
    try:
        return _member_of(code) if code else None
    except InvalidInput as error:
        # The folder of classrooms cannot be used; the page still can.
        control.note(str(error))
        return None


def refusal_of_code(code: str) -> str:
    """A sentence on why there is no classroom of that code; empty if there is one.

    Wrong codes are counted. Where an address has named many, each takes longer: a code is too long to be guessed in that way,
    and a lock would keep out those who share the address.
    """
    if classrooms().shown(code) is not None:
        return ""
    if classrooms().has_ended(code):
        return _labels()["ended"].format(code=code)
    if WRONG.takes(network_of(visitor())):
        return _labels()["no_classroom"].format(code=code)
    with yield_turn():
        time.sleep(_SLOWED)
    return _labels()["tries"]


def _labels() -> Mapping[str, str]:
    return CLASSROOM_LABELS[language_to_be()]


def _member_of(code: str) -> Membership | None:
    secret = _secret(code)
    member = "" if secret else _word(code)
    refused = "" if secret or member else refusal_of_code(code)
    if not (secret or member or refused):
        member, refused = _let_in(code)
    there = None if refused else classrooms().shown(code)
    if there is None:
        if st.session_state.get(_FOLLOWS):
            # The step was the teacher's, not this person's.
            for key in ("lesson", "step"):
                st.session_state.pop(key, None)
                st.query_params.pop(key, None)
        leave_classroom()
        control.note(refused or _labels()["ended"].format(code=code))
        return None
    follows = bool(st.session_state.setdefault(_FOLLOWS, not secret)) and not secret
    return Membership(code, member, secret, follows, *there)
