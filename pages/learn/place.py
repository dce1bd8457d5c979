"""Where the user is: the step of a lesson, in this session, in the address or in a classroom; the way from step to step."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st

from pages.frame.recording import listen
from pages.frame.view import View, open_requested_view, request_view
from pages.learn.classroom.membership import Membership, leave_classroom, membership, refuse_teachers_link
from pages.learn.classroom.showing import place_shown, show_nothing, show_step
from pages.learn.classroom.store import OWN_QUESTION
from pages.learn.labels import LABELS
from pages.learn.lesson import Lesson, Step
from pages.learn.library import has_mistake, lessons
from pages.learn.settings import (
    CLASSROOM,
    ENGLISH,
    LANGUAGES,
    NONE,
    SETTINGS,
    begin_in_language,
    choose_language,
    language,
    preferred_language,
)
from pages.settings import control
from pages.settings.component import base_path
from pages.settings.page_declaration import PAGES, settings_of
from pages.settings.setting import Value
from pages.streamlit_internals import is_history_navigation

_ARRIVED = "step whose view was opened"
_SEEN = "words of the lesson in the address"
_FORMER = "words of the lesson that the browser may still have in the address"
_LED = "where this teacher has led the classroom"
_KEYS = {**SETTINGS, CLASSROOM.key: CLASSROOM}
"""Parameters of every page's address while a lesson is taken."""


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson.

    Attributes
    ----------
    lesson, step_number : which.
    student : the number of a student, who has a seed of that number; 0 for nobody in particular.
    room : the classroom that is shown this step, and as whom this person sees it; None for the user alone.
    """

    lesson: Lesson
    step_number: int
    student: int = 0
    room: Membership | None = None

    @property
    def step(self) -> Step:
        """The step."""
        return self.lesson.steps[self.step_number - 1]

    @property
    def key(self) -> tuple[str, int, int, str]:
        """What tells the step from others, and in a classroom its question from that of another round."""
        asked = "" if self.room is None or self.room.is_teacher else f"{self.room.code} {self.room.shown.question}"
        return self.lesson.name, self.step_number, self.student, asked

    @property
    def labels(self) -> Mapping[str, str]:
        """The words around the lesson, in its language."""
        return LABELS[self.lesson.language]

    @property
    def view(self) -> View:
        """The view of the step; with the student's seed where the answer follows from what the page computes.

        Elsewhere texts name numbers, which hold for the lesson's own seed.
        """
        view, question = self.step.view, self.step.question
        if not self.student or "seed" not in settings_of(view.page) or question is None or not question.subject:
            return view
        return replace(view, settings={**view.settings, "seed": self.student})

    @property
    def link(self) -> str:
        """The address of the step, without the host."""
        words = {"lesson": self.lesson.name, "step": self.step_number, "language": self.lesson.language}
        return f"{base_path()}/{PAGES[self.step.view.page].path}?{urlencode(words)}"


class Position(NamedTuple):
    """Where the user is: the step of a lesson, and the classroom; None if at none, or in none."""

    step: LessonStep | None
    room: Membership | None


def _kept(key: str) -> Value:
    """The value in this session, which follows the address."""
    return st.session_state.get(key, SETTINGS[key].default)


def _take_from_address() -> None:
    """Take new parameters of the address into the session; the page explains an unusable value as it does for any setting.

    On a slow line a browser sends its former address until it has received the session's, as after two clicks on "Next": words
    that the session has replaced since are not new, unless the person has gone back in the browser's history.
    """
    seen, former = (st.session_state.setdefault(key, {}) for key in (_SEEN, _FORMER))
    for key, setting in _KEYS.items():
        words = st.query_params.get_all(key)
        if words == seen.get(key):
            former.pop(key, None)
        elif words in former.get(key, ()) and not is_history_navigation():
            continue
        elif words:
            try:
                st.session_state[key] = setting.parse(words)
            except ValueError:
                st.session_state.setdefault(key, setting.default)
                control.note(control.refusal_of(setting, words))
        seen[key] = words


def _replace_in_address(key: str, words: list[str]) -> None:
    """Give a parameter of the address these words, none to remove it, and note those that the browser still has."""
    seen, former = (st.session_state.setdefault(name, {}) for name in (_SEEN, _FORMER))
    former.setdefault(key, []).append(seen.get(key, []))
    seen[key] = words
    if words:
        st.query_params[key] = words
    elif key in st.query_params:
        del st.query_params[key]


def place(room: Membership | None) -> LessonStep | None:
    """The step that the user is at, or that their classroom is shown.

    None if they take no lesson, or with a notice if the lesson is unknown.
    """
    if room is not None and (room.follows or (room.is_teacher and room.shown.text)):
        shown = place_shown(room.shown)
        return None if shown is None else LessonStep(*shown, room=room)
    name = str(_kept("lesson"))
    if name == NONE:
        return None
    lesson, labels = _lesson(name), LABELS[language()]
    if lesson is None:
        control.note(labels["wrong_lesson" if has_mistake(name) else "no_lesson"].format(name=control.quoted([name])))
        leave()
        return None
    number = int(str(_kept("step")))
    if number > len(lesson.steps):
        control.note(labels["no_step"].format(steps=len(lesson.steps)))
        number = st.session_state["step"] = len(lesson.steps)
    student = int(str(_kept("student")))
    return LessonStep(lesson, number, student, room if room is not None and room.is_teacher else None)


def _lesson(name: str) -> Lesson | None:
    """The lesson of that name in the language that is chosen, or in another one if it is only in that."""
    found = (lessons(code).get(name) for code in (language(), *LANGUAGES.values()))
    return next((lesson for lesson in found if lesson is not None), None)


def leave() -> None:
    """End the lesson: the page stays as it is, and the number of the student is kept for the next one."""
    for key in ("lesson", "step"):
        st.session_state.pop(key, None)
        _replace_in_address(key, [])
    st.session_state.pop(_ARRIVED, None)


def end_own_question(room: Membership) -> None:
    """End a question of the teacher's own: the lesson before it goes on."""
    lesson = _lesson(str(_kept("lesson")))
    if lesson is None:
        show_nothing(room)
    else:
        show_step(room, lesson, int(str(_kept("step"))))


def rejoin() -> None:
    """Open what the teacher shows, even if it is the step at which this person went their own way."""
    st.session_state[_ARRIVED] = None


def leave_room() -> None:
    """Leave the classroom: the page stays as it is."""
    leave_classroom()
    leave()


def go_to(name: str, step: int, student: int = 0) -> None:
    """Go to a step of a lesson when this run has ended: for callbacks."""
    st.session_state.update(lesson=name, step=step, student=student)
    # A file in the user's own folder may have changed since; then the next run says so.
    lesson = _lesson(name)
    if lesson is not None and step <= len(lesson.steps):
        room = membership()
        if room is not None and room.is_teacher:
            # Also in place of a question of the teacher's own.
            show_step(room, lesson, step)
        _open(LessonStep(lesson, step, student))


def _open(there: LessonStep, besides: Mapping[str, Value] = MappingProxyType({})) -> None:
    """Show the view of a step, with other settings `besides`."""
    st.session_state[_ARRIVED] = there.key
    request_view(replace(there.view, settings={**there.view.settings, **besides}))


def _named_here(page: str) -> dict[str, Value]:
    """The settings of a page that the address names, as far as they are valid."""
    named = {}
    for key in set(st.query_params) & set(settings_of(page)) - set(_KEYS):
        with contextlib.suppress(ValueError):
            named[key] = settings_of(page)[key].parse(st.query_params.get_all(key))
    return named


def follow(page: str) -> Position:
    """Before `page` is drawn: open the view of the step if the address is new; returns where the person is.

    Other settings in the address hold, too, as after a reload or a step back in the browser's history. An address with settings
    of another page than the step's belongs to somebody who has left the step's view, and is not changed.
    """
    refuse_teachers_link()
    _take_from_address()
    room = membership()
    begin_in_language(*(("", "") if room is None else (room.code, room.shown.language)))
    if room is not None and room.is_teacher:
        room = _lead(room)
    here = place(room)
    listen(here is not None)
    if here is None:
        open_requested_view(page)
    else:
        _follow_step(here, page)
    # The page with all lessons is no step: its address stays its own, but for the classroom.
    words = _address(here) if here is not None and page != "learn" else {}
    for key, word in (words | _classroom_word(room)).items():
        if st.query_params.get(key) != word:
            _replace_in_address(key, [word])
    return Position(here, room)


def _follow_step(here: LessonStep, page: str) -> None:
    """Open the view of a step where the user comes to it, on its page or on the way there."""
    if st.session_state.get(_ARRIVED) != here.key:
        named = _named_here(page)
        if page == here.view.page:
            _open(here, named if _is_arrival(here) else {})
        elif not named or not _is_arrival(here):
            _open(here)
        st.session_state[_ARRIVED] = here.key
    open_requested_view(page)


def _is_arrival(here: LessonStep) -> bool:
    """Whether settings in the address hold, as after a reload; not if the person is led on by the teacher of a classroom."""
    if here.room is None or here.room.is_teacher:
        return True
    # The address of another step is out of date, as on a phone that has been asleep.
    told = (st.query_params.get("lesson"), st.query_params.get("step"))
    return _ARRIVED not in st.session_state and told == (here.lesson.name, str(here.step_number))


def _lead(room: Membership) -> Membership:
    """Show a classroom the step that its teacher has moved to, or follow another device of theirs that has led it on.

    Returns the membership with what is shown then.
    """
    shown, state = room.shown, st.session_state
    if shown.text:
        return room
    now = (shown.lesson, shown.step if shown.lesson else 1)
    mine = (str(_kept("lesson")), int(str(_kept("step"))) if _kept("lesson") else 1)
    # A new session of the teacher takes over what the classroom is shown.
    if (state.get(_LED) == mine or (_LED not in state and shown.lesson)) and now != mine:
        state.update(lesson=shown.lesson, step=shown.step)
        if shown.language:
            choose_language(shown.language)
        state[_LED] = now
        return room
    state[_LED] = mine
    here = place(room)
    return show_nothing(room) if here is None else show_step(room, here.lesson, here.step_number)


def _classroom_word(room: Membership | None) -> dict[str, str]:
    return {} if room is None else {"classroom": room.code}


def _address(here: LessonStep) -> dict[str, str]:
    """The parameters of the address that lead to a step; a question of a teacher's own has none but the classroom's."""
    if here.lesson.name == OWN_QUESTION:
        return {}
    words = {"lesson": here.lesson.name, "step": str(here.step_number)}
    if here.student:
        words["student"] = str(here.student)
    if {language(), preferred_language()} != {ENGLISH} or "language" in st.query_params:
        words["language"] = language()
    return words
