"""Asks the question of a step, and says what is right or wrong about the answer."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.learn import judging
from pages.learn.answers import NO_ANSWER, SHOWN, WAIT, Answer, answer, is_revealed, keep, said
from pages.learn.check import NotComputed, Verdict
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.store import OWN_QUESTION
from pages.learn.drawing import CURVES, drawing
from pages.learn.judging import judge, situation
from pages.learn.lesson import Question
from pages.learn.place import LessonStep


def question_box(here: LessonStep, question: Question, page: str) -> None:
    """Draw the question of the step, and what the user answers it with."""
    st.markdown(f"**{question.prompt}**" if "\n" not in question.prompt else question.prompt)
    if page != here.view.page:
        st.caption(here.labels["elsewhere"])
        return
    {"choice": _choice, "number": _number, "find": _find, "draw": _draw}[question.kind](here, question)


def reply(here: LessonStep, question: Question) -> None:
    """Say whether the answer that has been given is right, and why."""
    given, labels = answer(here), here.labels
    if given is None:
        return
    sentence = said(here, question, given)
    if given.verdict.reason in NO_ANSWER:
        st.info(sentence)
    elif given.is_right:
        st.success(f"**{labels['right']}** {sentence}")
    elif given.is_shown:
        st.info(f"**{labels['shown']}** {sentence}")
    elif question.kind == "draw":
        st.info(sentence)
    elif here.room is not None:
        st.warning(f"**{CLASSROOM_LABELS[here.lesson.language]['wrong']}** {sentence}")
    else:
        st.warning(f"**{labels['not_yet']}** {sentence}")


def say_what_is_right(here: LessonStep, question: Question, page: str) -> None:
    """Once all in a classroom see what is right, say it to its teacher, and to members whose answer was not; at the page's end.

    A question is over when it is judged. Elsewhere nothing is said: people may try again.
    """
    room, given = here.room, answer(here)
    if room is None or not room.shown.is_revealed or question.kind == "draw":
        return
    # The reply to a choice of the teacher's own has said so already.
    is_said = question.kind == "choice" and here.lesson.name == OWN_QUESTION
    wants = given is not None and not (given.verdict.is_right or given.is_shown or is_said)
    if not (page == here.view.page if room.is_teacher else wants):
        return
    try:
        if sentence := said(here, question, judging.right_answer(here, question)):
            st.info(sentence)
    except NotComputed:
        if room.is_teacher:
            st.caption(here.labels["wait"])


_LONGEST = 25
"""Characters of a typed number."""


def _key(here: LessonStep, what: str) -> str:
    return f"lesson-{what}-{here.lesson.name}-{here.step_number}-{here.student}"


def _show_me(here: LessonStep, question: Question, button: Callable[..., bool] = st.button) -> None:
    def show() -> None:
        # Once the page has been drawn, a control can't be moved any more.
        judge(here, partial(judging.shown, here, question), again=question.kind != "find", reveals=True)
        if question.kind == "choice" and (given := answer(here)) is not None:
            st.session_state[_key(here, "choice")] = given.option

    given = answer(here)
    waits = given is not None and given.verdict.reason == WAIT
    button(
        here.labels["show_me"],
        key=_key(here, "show"),
        on_click=show,
        type="tertiary",
        disabled=is_revealed(here) and not waits,
    )


def _choice(here: LessonStep, question: Question) -> None:
    key = _key(here, "choice")

    def check() -> None:
        judge(here, partial(judging.chosen, question, st.session_state[key]))

    texts = [option.text for option in question.options]
    with _answered(here, question, check):
        st.radio(
            question.prompt,
            range(len(texts)),
            format_func=texts.__getitem__,
            index=None,
            key=key,
            label_visibility="collapsed",
            width="stretch",
        )


def _number(here: LessonStep, question: Question) -> None:
    key = _key(here, "number")

    def check() -> None:
        judge(here, partial(_typed, here, question, st.session_state[key]))

    with _answered(here, question, check):
        # A box for numbers would drop a decimal comma.
        st.text_input(here.labels["percentage" if question.is_share else "number"], key=key, width=180, max_chars=_LONGEST)


def _typed(here: LessonStep, question: Question, text: str) -> Answer:
    return replace(judging.typed(here, question, text), typed=text)


def take_kept(here: LessonStep, kept: object) -> None:
    """Answer the question of a step as it was answered before the page was reloaded; anything but an answer is left out."""
    question = here.step.question
    if question is None or answer(here) is not None or not isinstance(kept, dict):
        return
    option, text, drawn = kept.get("option"), kept.get("typed"), kept.get("drawn")
    given: Callable[[], Answer] | None = None
    if kept.get("shown"):
        given = partial(judging.right_answer, here, question)
    elif question.kind == "choice" and isinstance(option, int) and 0 <= option < len(question.options):
        given = partial(judging.chosen, question, option)
        st.session_state[_key(here, "choice")] = option
    elif question.kind == "number" and isinstance(text, str) and 0 < len(text) <= _LONGEST:
        given = partial(_typed, here, question, text)
        st.session_state[_key(here, "number")] = text
    elif question.kind == "find":
        given = partial(judging.found, here, question)
    elif question.kind == "draw" and isinstance(drawn, list) and drawn and all(isinstance(one, int | float) for one in drawn):
        given = partial(_drawn_before, here, question, tuple(map(float, drawn)))
    if given is not None:
        judge(here, given, reveals=bool(kept.get("shown")))


def _drawn_before(here: LessonStep, question: Question, points: tuple[float, ...]) -> Answer:
    return judging.drawn(here, question, points, situation(here, question))


@contextlib.contextmanager
def _answered(here: LessonStep, question: Question, check: Callable[[], None]) -> Iterator[None]:
    """Draw a form for an answer, which is judged on "Check", not while arrow keys pass the options."""
    with (
        st.form(_key(here, "form"), border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        yield
        st.form_submit_button(here.labels["check"], on_click=check)
        _show_me(here, question, st.form_submit_button)


def _find(here: LessonStep, question: Question) -> None:
    def check() -> None:
        judge(here, partial(judging.found, here, question))

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(here.labels["check"], key=_key(here, "check"), on_click=check, type="primary")
        _show_me(here, question)


def _draw(here: LessonStep, question: Question) -> None:
    curve = CURVES[question.subject]
    try:
        now = situation(here, question)
        points = curve.values(now)
    except NotComputed:
        st.caption(here.labels["wait"])
        _show_me(here, question)
        return

    def drawn(sketch: list[float]) -> None:
        judge(here, partial(judging.drawn, here, question, tuple(sketch), now))

    given = answer(here)
    if given is not None and given.verdict.reason == WAIT and is_revealed(here):
        # The curve could not be shown before, and the reply is drawn already: the page runs once more.
        keep(here, Answer(Verdict(SHOWN), is_shown=True))
        st.rerun()
    real = is_revealed(here)
    sketch = given.drawn if given else ()
    drawing(_key(here, "draw"), curve, points, sketch, here.lesson.language, real=real, on_drawn=drawn)
    _show_me(here, question)
