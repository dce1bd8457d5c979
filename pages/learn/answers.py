"""What a person has answered, in this session: a verdict for each question, and whether what was hidden is shown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import numpy as np
import streamlit as st

from pages.frame.computed import recorded
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import COMPUTED_NUMBERS
from pages.learn.curves import CURVES, N_POINTS, compare
from pages.learn.lesson import CLOSE, RIGHT, TOO_HIGH, TOO_LOW, Question
from pages.learn.place import Place
from pages.learn.verdict import Situation, Verdict
from pages.settings.current import current_settings
from pages.settings.pages import settings_of
from qcore._base.validation import FloatArray

_ANSWERS: Final = "answers to questions of lessons"
_HALF_A_DIGIT: Final = 1e-9
_Arguments = ParamSpec("_Arguments")
_Given = TypeVar("_Given")


@dataclass(frozen=True)
class Answer:
    """What is said of the last answer; what was drawn; whether the answer was shown instead of given."""

    sentence: str
    is_right: bool = False
    drawn: tuple[float, ...] = ()
    is_shown: bool = False

    @property
    def reveals(self) -> bool:
        """Whether what was hidden is shown now: a drawn curve is a prediction, right or not."""
        return self.is_right or self.is_shown or bool(self.drawn)


def _key(here: Place) -> tuple[str, int, int]:
    return here.lesson.name, here.step_number, here.student


def answer(here: Place) -> Answer | None:
    """The answer to the question of a step, if there is one."""
    return st.session_state.setdefault(_ANSWERS, {}).get(_key(here))


def keep(here: Place, given: Answer) -> None:
    """Keep an answer. What has been shown stays shown."""
    st.session_state.setdefault(_ANSWERS, {})[_key(here)] = given


def forget(here: Place) -> None:
    """Ask the questions of a lesson anew."""
    answers = st.session_state.setdefault(_ANSWERS, {})
    for key in [key for key in answers if key[0] == here.lesson.name]:
        del answers[key]


def if_computed(asked: Callable[_Arguments, _Given | None]) -> Callable[_Arguments, _Given | None]:
    """The function, which returns None also where the page shows no such thing, as its tab is closed."""

    @wraps(asked)
    def asked_safely(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Given | None:
        try:
            return asked(*args, **kwargs)
        except (KeyError, IndexError, ValueError):
            return None

    return asked_safely


def situation(here: Place, question: Question) -> Situation | None:
    """What the page of a question has computed for the settings in front of the person; None if it has not."""
    results = recorded(here.view.page)
    if results is None:
        return None
    return Situation(results, current_settings(settings_of(here.view.page)), question.argument)


def judge_choice(question: Question, index: int) -> Answer:
    """The answer for a chosen option."""
    option = question.options[index]
    return Answer(option.why, option.is_right)


@if_computed
def right_number(here: Place, question: Question) -> float | None:
    """The number that is asked for; None if the page has not computed it."""
    if question.answer is not None:
        return question.answer
    now = situation(here, question)
    return None if now is None else COMPUTED_NUMBERS[question.subject].value(now)


def number_text(question: Question, value: float) -> str:
    """A number as a question speaks of it."""
    return f"{100.0 * value:.3g}%" if question.is_share else f"{value:.3g}"


def judge_number(here: Place, question: Question, value: float) -> Answer | None:
    """The answer for a number; None if the page has not computed what is asked for."""
    right = right_number(here, question)
    if right is None:
        return None
    if abs(value - right) <= question.tolerance + _HALF_A_DIGIT:
        exact = here.labels["answer_is"].format(answer=number_text(question, right))
        return Answer(f"{question.replies[RIGHT]} {exact}", True)
    return Answer(question.replies[TOO_LOW if value < right else TOO_HIGH])


def _said(question: Question, verdict: Verdict) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: verdict.values[match[1]], question.replies[verdict.reason])


@if_computed
def judge_found(here: Place, question: Question) -> Answer | None:
    """The answer for the settings in front of the person; None if the page has computed nothing for them."""
    now = situation(here, question)
    if now is None:
        return None
    verdict = CHECKS[question.subject].judge(now)
    return Answer(_said(question, verdict), verdict.is_right)


@if_computed
def curve_points(here: Place, question: Question) -> tuple[FloatArray, FloatArray] | None:
    """The curve, (x, y), that a question asks to draw; None if the page has not computed it."""
    now = situation(here, question)
    return None if now is None else CURVES[question.subject].values(now)


def judge_drawn(here: Place, question: Question, drawn: Sequence[float]) -> Answer | None:
    """The answer for a drawn curve, (N_POINTS,); None if the page has not computed the real one."""
    points = curve_points(here, question)
    if points is None or len(drawn) != N_POINTS:
        return None
    verdict = compare(CURVES[question.subject], *points, np.asarray(drawn, dtype=float))
    return Answer(_said(question, verdict), verdict.reason == CLOSE, tuple(float(one) for one in drawn))


@if_computed
def show(here: Place, question: Question) -> Answer | None:
    """What "Show me" says; for `find` the control moves there. None if the page has not computed it."""
    if question.kind == "choice":
        return Answer(next(f"{option.text} {option.why}" for option in question.options if option.is_right), is_shown=True)
    if question.kind == "number":
        right = right_number(here, question)
        if right is None:
            return None
        return Answer(here.labels["answer_is"].format(answer=number_text(question, right)), is_shown=True)
    now = situation(here, question)
    if now is None:
        return None
    if question.kind == "draw":
        return Answer("", is_shown=True)
    check = CHECKS[question.subject]
    found = check.answer(now)
    st.session_state.update(found)
    verdict = check.judge(replace(now, settings={**now.settings, **found}))
    # Where the page computes what is asked for at one value alone, nothing can be said before it has.
    return Answer(_said(question, verdict) if verdict.is_right else "", is_shown=True)
