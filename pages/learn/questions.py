"""Asks the question of a step, and says what is right or wrong about the answer."""

import streamlit as st

from pages.learn import answers
from pages.learn.answers import Answer
from pages.learn.curves import CURVES
from pages.learn.drawing import drawing
from pages.learn.lesson import Question
from pages.learn.place import Place


def question_box(here: Place, question: Question, page: str) -> None:
    """Draw the question of the step, what a person answers it with, and what is said of the answer."""
    st.markdown(f"**{question.prompt}**" if "\n" not in question.prompt else question.prompt)
    if page != here.view.page:
        st.caption(here.labels["elsewhere"])
        return
    draw = {"choice": _choice, "number": _number, "find": _find, "draw": _draw}[question.kind]
    draw(here, question)


def _key(here: Place, what: str) -> str:
    return f"lesson-{what}-{here.lesson.name}-{here.step_number}-{here.student}"


def reply(here: Place) -> None:
    """Say whether the answer that has been given is right, and why."""
    given, labels = answers.answer(here), here.labels
    if given is None:
        return
    if given.is_right:
        st.success(f"**{labels['right']}** {given.sentence}")
    elif given.is_shown:
        st.info(f"**{labels['shown']}** {given.sentence}")
    elif given.drawn:
        st.info(given.sentence)
    else:
        st.warning(f"**{labels['not_yet']}** {given.sentence}")


def _keep(here: Place, given: Answer | None) -> None:
    answers.keep(here, given or Answer(here.labels["wait"]))


def _show_me(here: Place, question: Question) -> None:
    def show() -> None:
        _keep(here, answers.show(here, question))

    given = answers.answer(here)
    st.button(
        here.labels["show_me"], key=_key(here, "show"), on_click=show, type="tertiary",
        disabled=bool(given and (given.is_right or given.is_shown)),
    )  # fmt: skip


def _choice(here: Place, question: Question) -> None:
    key = _key(here, "choice")

    def chosen() -> None:
        if st.session_state[key] is not None:
            _keep(here, answers.judge_choice(question, st.session_state[key]))

    texts = [option.text for option in question.options]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.radio(
            question.prompt, range(len(texts)), format_func=texts.__getitem__, index=None, key=key, on_change=chosen,
            label_visibility="collapsed", width="stretch",
        )  # fmt: skip
        _show_me(here, question)


def _number(here: Place, question: Question) -> None:
    key = _key(here, "number")
    label = here.labels["percentage" if question.is_share else "number"]

    def check() -> None:
        value = st.session_state[key]
        if value is not None:
            _keep(here, answers.judge_number(here, question, value / 100.0 if question.is_share else value))

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(label, value=None, key=key, width=180, on_change=check)
        st.button(here.labels["check"], key=_key(here, "check"), on_click=check)
        _show_me(here, question)


def _find(here: Place, question: Question) -> None:
    def check() -> None:
        _keep(here, answers.judge_found(here, question))

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(here.labels["check"], key=_key(here, "check"), on_click=check, type="primary")
        _show_me(here, question)


def _draw(here: Place, question: Question) -> None:
    given = answers.answer(here)
    points = answers.curve_points(here, question)
    if points is None:
        st.caption(here.labels["wait"])
        return

    def drawn(points: list[float]) -> None:
        _keep(here, answers.judge_drawn(here, question, points))

    shown = bool(given and given.reveals)
    drawing(
        _key(here, "draw"),
        CURVES[question.subject],
        points,
        given.drawn if given else (),
        here.labels,
        real=shown,
        on_drawn=drawn,
    )
    _show_me(here, question)
