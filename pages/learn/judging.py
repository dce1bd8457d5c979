"""Judges answers against what the page has computed for the settings in front of the person.

A control that was moved in the same moment as "Check" was pressed has not moved the page yet: such an answer is judged when the
page has been drawn.
"""

import re
from collections.abc import Callable
from functools import partial
from math import isfinite

import numpy as np
import streamlit as st

from pages.frame.recording import recorded
from pages.learn.answers import NO_NUMBER, NO_PERCENTAGE, NO_SHARE, NOTHING_CHOSEN, SHOWN, WAIT, Answer, keep
from pages.learn.check import NotComputed, Situation, Verdict
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import COMPUTED_NUMBERS
from pages.learn.drawing import CURVES, N_POINTS, NEARLY_NOTHING, are_fractions, compare
from pages.learn.lesson import RIGHT, TOO_HIGH, TOO_LOW, Question
from pages.learn.place import LessonStep

_LATER = "answer that is judged when the page has been drawn"
_ROUNDING = 1e-9
_WRONG = "Wrong"
UNIT = re.compile(r"\s*(?:%|per ?cent|por ciento|(?:percentage )?points?|puntos?(?: porcentuales)?|pp)\.?\s*$", re.IGNORECASE)
"""The unit behind a typed number; the script of a classroom's question uses this pattern, too."""


def situation(here: LessonStep, question: Question) -> Situation:
    """What the page of a question has computed. Raises NotComputed if it has nothing for its settings."""
    kept = recorded(here.view.page)
    if kept is None:
        raise NotComputed(here.view.page)
    return Situation(kept.results, kept.settings, question.argument)


def judge(here: LessonStep, given: Callable[[], Answer], *, again: bool = True, reveals: bool = False) -> None:
    """Keep an answer; if the page has not computed what it is about, judge it again when the page is drawn, if `again`.

    `reveals` says whether what was hidden is shown even so.
    """
    try:
        keep(here, given())
    except NotComputed:
        keep(here, Answer(Verdict(WAIT), is_shown=reveals))
        if again:
            st.session_state[_LATER] = here.key, given


def judge_later(here: LessonStep) -> bool:
    """Judge an answer to this question that had to wait for the page; returns whether there was one."""
    key, given = st.session_state.pop(_LATER, (None, None))
    # Somebody who has gone on meanwhile gets no reply to the former step.
    if given is None or key != here.key:
        return False
    judge(here, given, again=False)
    return True


def chosen(question: Question, index: int | None) -> Answer:
    """The answer of a chosen option; None if none is chosen."""
    if index is None:
        return Answer(Verdict(NOTHING_CHOSEN))
    return Answer(Verdict(RIGHT if question.options[index].is_right else _WRONG), index)


def right_number(here: LessonStep, question: Question) -> float:
    """The right answer to a question for a number. Raises NotComputed."""
    if question.answer is not None:
        return question.answer
    return COMPUTED_NUMBERS[question.subject].value(situation(here, question))


def _number_told(question: Question, value: float) -> dict[str, str]:
    return {"answer": question.told(value)}


def _number(text: str) -> float | None:
    """The number that the user has typed, with a decimal point or comma, perhaps with its unit; None if it is none."""
    try:
        value = float(UNIT.sub("", text).strip(" %").replace(",", ".").replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        return None
    # Python reads 6_4 as 64.
    return value if isfinite(value) and "_" not in text else None


def _is_fraction(value: float, right: float, tolerance: float) -> bool:
    """Whether what was typed as a percentage is a fraction: the right one, or any where percentages below 1 are no answer."""
    return abs(value - right) <= tolerance or (0.0 < value < 1.0 and right > NEARLY_NOTHING)


def refuses_fractions(here: LessonStep, question: Question) -> bool:
    """Whether a number below 1 without its unit is a share typed as a fraction: percentages below 1 are no answer."""
    if not question.is_share:
        return False
    try:
        return right_number(here, question) - question.tolerance >= NEARLY_NOTHING
    except NotComputed:
        return False


def typed(here: LessonStep, question: Question, text: str) -> Answer:
    """The answer of a typed number, a share as a percentage. Raises NotComputed."""
    value = _number(text)
    if value is None:
        return Answer(Verdict(NO_NUMBER))
    right = right_number(here, question)
    given = value / 100.0 if question.is_share else value
    if abs(given - right) <= question.tolerance + _ROUNDING:
        return Answer(Verdict(RIGHT, _number_told(question, right)))
    if question.is_share and not UNIT.search(text) and _is_fraction(value, right, question.tolerance):
        return Answer(Verdict(NO_PERCENTAGE))
    for slip, number in question.slips.items():
        if abs(given - number) <= question.tolerance + _ROUNDING:
            return Answer(Verdict(slip))
    if question.is_share and given > 1.0:
        return Answer(Verdict(NO_SHARE))
    return Answer(Verdict(TOO_LOW if given < right else TOO_HIGH))


def found(here: LessonStep, question: Question) -> Answer:
    """The answer that the current settings of the page give. Raises NotComputed."""
    return Answer(CHECKS[question.subject].judge(situation(here, question)))


def drawn(here: LessonStep, question: Question, points: tuple[float, ...], asked: Situation) -> Answer:
    """The answer of a curve drawn into the axes for the situation `asked`. Raises NotComputed, also if that has changed."""
    now, curve = situation(here, question), CURVES[question.subject]
    if len(points) != N_POINTS or now.settings != asked.settings:
        raise NotComputed(question.subject)
    x, y = curve.values(now)
    if are_fractions(curve, y, np.asarray(points)):
        return Answer(Verdict(NO_PERCENTAGE))
    return Answer(compare(curve, x, y, np.asarray(points)), drawn=points)


def right_answer(here: LessonStep, question: Question) -> Answer:
    """The right answer, as `shown` gives it, but without moving a control. Raises NotComputed."""
    if question.kind != "find":
        return shown(here, question)
    check, now = CHECKS[question.subject], situation(here, question)
    return _as_shown(check.judge_at(now, check.answer(now)))


def shown(here: LessonStep, question: Question) -> Answer:
    """What "Show me" answers; for `find` the control moves there. Raises NotComputed."""
    if question.kind == "choice":
        right = next(i for i, option in enumerate(question.options) if option.is_right)
        return Answer(Verdict(RIGHT), right, is_shown=True)
    if question.kind == "number":
        return Answer(Verdict(SHOWN, _number_told(question, right_number(here, question))), is_shown=True)
    now = situation(here, question)
    if question.kind == "draw":
        CURVES[question.subject].values(now)
        return Answer(Verdict(SHOWN), is_shown=True)
    check = CHECKS[question.subject]
    answer = check.answer(now)
    st.session_state.update(answer)
    verdict = check.judge_at(now, answer)
    if not verdict.is_right:
        # A page that computes the result only at the control's present value has to compute it anew before there is a reply.
        st.session_state[_LATER] = here.key, partial(_said_of_shown, here, question)
    return _as_shown(verdict)


def _said_of_shown(here: LessonStep, question: Question) -> Answer:
    """The reply to a shown answer once the page is drawn with it; none if the page finds it wrong, or is not ready yet."""
    try:
        return _as_shown(found(here, question).verdict)
    except NotComputed:
        return _as_shown(Verdict(SHOWN))


def _as_shown(verdict: Verdict) -> Answer:
    """The answer that is shown, with the reply to a right answer, but without the reply to a wrong one."""
    return Answer(verdict if verdict.is_right else Verdict(SHOWN), is_shown=True)
