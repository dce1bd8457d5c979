"""A person's answers to the questions of lessons, in this session, and the replies to them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.learn.check import Verdict, filled
from pages.learn.classroom.store import OWN_QUESTION
from pages.learn.lesson import RIGHT, Question
from pages.learn.place import LessonStep

_ANSWERS = "answers to questions of lessons"
WAIT = "wait"
"""The reason of an answer that cannot be judged: the page has not computed what it is about."""
SHOWN = "shown"
"""The reason where the answer was shown, not given."""
NOTHING_CHOSEN = "nothing_chosen"
"""The reason where no option was chosen."""
NO_NUMBER = "no_number"
"""The reason why what was typed is not a number."""
NO_PERCENTAGE = "no_percentage"
"""The reason where a share was typed as a fraction, or a curve of shares as fractions."""
NO_SHARE = "no_share"
"""The reason where a share above 100% was typed."""
NO_ANSWER = (WAIT, NOTHING_CHOSEN, NO_NUMBER, NO_PERCENTAGE, NO_SHARE)
"""Reasons that say what is missing; each is also the name of a label that says so."""


@dataclass(frozen=True)
class Answer:
    """An answer to a question.

    Attributes
    ----------
    verdict : whether it is right, and which reply it gets.
    option : the index of a chosen option.
    typed : a number as it was typed.
    drawn : a drawn curve, (N_POINTS,).
    is_shown : whether it was shown instead of given.
    was_revealed : whether what was hidden had been shown before: it stays.
    """

    verdict: Verdict
    option: int | None = None
    typed: str = ""
    drawn: tuple[float, ...] = ()
    is_shown: bool = False
    was_revealed: bool = False

    @property
    def is_right(self) -> bool:
        """Whether it was given, and is right."""
        return self.verdict.is_right and not self.is_shown

    @property
    def reveals(self) -> bool:
        """Whether what was hidden is shown now: a drawn curve is a prediction, right or not."""
        return self.verdict.is_right or self.is_shown or bool(self.drawn) or self.was_revealed


def answer(here: LessonStep) -> Answer | None:
    """The answer to the question of a step, if there is one."""
    found: Answer | None = st.session_state.setdefault(_ANSWERS, {}).get(here.key)
    return found


def is_revealed(here: LessonStep) -> bool:
    """Whether what the step hides until it is answered is shown; in a classroom the teacher decides."""
    if here.room is not None:
        return here.room.shown.is_revealed
    given = answer(here)
    return given is not None and given.reveals


def given_words(here: LessonStep) -> dict[str, Any] | None:
    """The answer to the question of a step as the browser keeps it, so that it outlives a reload; None if there is none."""
    given = answer(here)
    if given is None or given.verdict.reason in NO_ANSWER:
        return None
    return {"option": given.option, "typed": given.typed, "drawn": list(given.drawn), "shown": given.is_shown}


def keep(here: LessonStep, given: Answer) -> None:
    """Keep an answer in place of the one before."""
    before = answer(here)
    drawn = given.drawn or (before.drawn if before is not None else ())
    st.session_state[_ANSWERS][here.key] = replace(given, drawn=drawn, was_revealed=is_revealed(here))


def forget(lessons: Iterable[str]) -> None:
    """Ask the questions of these lessons anew."""
    answers = st.session_state.setdefault(_ANSWERS, {})
    for key in [key for key in answers if key[0] in set(lessons)]:
        del answers[key]


def said(here: LessonStep, question: Question, given: Answer) -> str:
    """The reply to an answer, in the language of the lesson; empty if there is nothing to say."""
    reason, labels = given.verdict.reason, here.labels
    if reason in NO_ANSWER:
        return labels[reason]
    if given.option is not None:
        option = question.options[given.option]
        # The reply to a question of the teacher's own names what is right.
        return f"{option.text} {option.why}" if given.is_shown and here.lesson.name != OWN_QUESTION else option.why
    if reason == SHOWN and question.kind == "find" and here.room is not None:
        # In a classroom nothing is moved.
        return ""
    if reason == SHOWN and question.kind != "number":
        return labels[f"shown_{question.kind}"]
    # Somebody who has the number shown gets the explanation of the right answer, too.
    told = RIGHT if question.kind == "number" and reason == SHOWN else reason
    sentence = filled(question.replies.get(told, ""), given.verdict.values)
    if question.kind == "number" and reason in (RIGHT, SHOWN):
        # A question of the teacher's own has nothing to explain.
        why = "" if here.lesson.name == OWN_QUESTION else sentence
        return f"{why} {labels['answer_is'].format(**given.verdict.values)}".strip()
    return sentence
