"""What a teacher shows (a step of a lesson, a question of the teacher's own, or nothing), and the step that is shown."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pages.learn.classroom.membership import Membership
from pages.learn.classroom.store import OWN_QUESTION, Shown, classrooms
from pages.learn.lesson import Lesson
from pages.learn.lesson_file import lesson_of_text
from pages.learn.library import lessons
from pages.settings import control
from qcore import InvalidInput


def place_shown(shown: Shown) -> tuple[Lesson, int] | None:
    """The lesson and the number of the step that is shown; None for nothing, or where the lesson is not here."""
    try:
        lesson = lesson_of_text(OWN_QUESTION, shown.language, shown.text) if shown.text else None
    except ValueError:
        # Written by another version of the app.
        return None
    lesson = lesson or lessons(shown.language).get(shown.lesson)
    return None if lesson is None or shown.step > len(lesson.steps) else (lesson, shown.step)


def written(write: Callable[..., Any], *args: Any, **flags: Any) -> bool:
    """Write into the database; returns whether that went well. If not, as on a full disk, a notice says so."""
    try:
        write(*args, **flags)
    except InvalidInput as error:
        control.note(str(error))
        return False
    return True


def _show(room: Membership, shown: Shown) -> Membership:
    try:
        return replace(room, shown=classrooms().show(room.code, shown), version=room.version + 1)
    except InvalidInput as error:
        control.note(str(error))
        return room


def _of_step(lesson: Lesson, step: int) -> Shown:
    question = lesson.steps[step - 1].question
    kind, options = ("", ()) if question is None else (question.kind, question.options)
    return Shown(lesson.name, lesson.language, step, kind=kind, n_options=len(options))


def show_step(room: Membership, lesson: Lesson, step: int) -> Membership:
    """Show a step of a lesson, unless it is shown already."""
    shown = _of_step(lesson, step)
    now = room.shown
    return room if (now.place, now.language) == (shown.place, shown.language) else _show(room, shown)


def show_nothing(room: Membership) -> Membership:
    """Show the classroom nothing."""
    return _show(room, Shown(language=room.shown.language)) if room.shown.lesson or room.shown.text else room


def show_own(room: Membership, text: str, language: str) -> Membership:
    """Show a view, perhaps with a question: a text in the form of a lesson of one step. Raises ValueError if it is none."""
    lesson = lesson_of_text(OWN_QUESTION, language, text)
    return _show(room, replace(_of_step(lesson, 1), text=text))


def take_answers(room: Membership, takes: bool) -> None:
    """Take answers to the shown question, or stop taking them."""
    written(classrooms().change, room.code, room.shown.question, is_open=takes)


def reveal(room: Membership) -> None:
    """Show all what the step hides, and judge what they have answered."""
    written(classrooms().change, room.code, room.shown.question, is_open=False, is_revealed=True)


def ask_again(room: Membership) -> None:
    """Ask the shown question again, in a new round without answers."""
    flags = {"is_open": True, "is_revealed": False, "round": room.shown.round + 1}
    written(classrooms().change, room.code, room.shown.question, **flags)
