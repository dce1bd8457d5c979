"""The question of a step as the teacher of a classroom sees it: what all answer, as it comes in, and what is right."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.learn.checks import CHECKS
from pages.learn.classroom.bar import CSS, LISTENING_JS, PLAIN_TEXT_JS
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.membership import Membership
from pages.learn.classroom.routes import classroom_url
from pages.learn.classroom.showing import ask_again, reveal, take_answers
from pages.learn.curves import CURVES
from pages.learn.drawing import axes_of
from pages.learn.judging import right_number, situation
from pages.learn.lesson import Question
from pages.learn.place import LessonStep
from pages.learn.verdict import NotComputed
from pages.settings.component import component
from pages.settings.page_declaration import settings_of

_HTML: Final = (
    '<div class="classroom-answers"><div><span class="classroom-counts"></span><button type="button" hidden></button></div>'
    "<div></div></div>"
)
_mount = component(
    "classroom_answers", _HTML, CSS, js=LISTENING_JS + PLAIN_TEXT_JS + Path(__file__).with_name("answers.js").read_text()
)
_LABELS: Final = (
    "present", "answered", "hide_answers", "show_answers", "no_answers", "answers", "judged", "unclear",
)  # fmt: skip


def teachers_question(here: LessonStep, room: Membership, question: Question) -> None:
    """Draw the question, what the classroom answers, and the buttons that close the question and show what is right."""
    labels, shown = CLASSROOM_LABELS[here.lesson.language], room.shown
    st.markdown(f"**{question.prompt}**" if "\n" not in question.prompt else question.prompt)
    with st.container(horizontal=True, gap="small", key="classroom-lead"):
        # This button comes first, so that it stays in place while the next one changes its label, and a click does not miss it.
        if not shown.is_revealed:
            st.button(labels["reveal"], key="classroom-reveal", on_click=reveal, args=(room,), type="primary")
        if shown.takes_answers:
            st.button(labels["close"], key="classroom-close", on_click=take_answers, args=(room, False))
        elif not shown.is_revealed:
            st.button(labels["open"], key="classroom-open", on_click=take_answers, args=(room, True))
        st.button(labels["again"], key="classroom-again", on_click=ask_again, args=(room,), type="tertiary")
    present_answers(room, {**_picture(here, question), "options": [option.text for option in question.options]}, labels)


def present_answers(room: Membership, picture: dict[str, Any], labels: Mapping[str, str]) -> None:
    """Draw how many are present, and what they have answered."""
    shown = room.shown
    data = {
        "url": classroom_url(room.code, "answers"),
        "secret": room.secret,
        "question": shown.question,
        "kind": shown.kind,
        "look": shown.look,
        "revealed": shown.is_revealed,
        "labels": {name: labels[name] for name in _LABELS},
        "right": None,
        **picture,
    }
    _mount(key="classroom-answers", data=data, on_changed_change=lambda: None, height="content")


def _picture(here: LessonStep, question: Question) -> dict[str, Any]:
    """What the picture of the answers needs to know of the question; what is right only when all may see it."""
    is_revealed = here.room is not None and here.room.shown.is_revealed
    try:
        if question.kind == "choice":
            right = next(i for i, option in enumerate(question.options) if option.is_right)
            return {"right": right if is_revealed else None}
        if question.kind == "number":
            value = right_number(here, question) if is_revealed else None
            times = 100.0 if question.is_share else 1.0
            return {"right": None if value is None else times * value, "share": question.is_share}
        if question.kind == "find":
            check = CHECKS[question.subject]
            setting = settings_of(check.page)[check.setting]
            times = 100.0 if setting.is_percentage else 1.0
            limits = None if setting.limits is None else [times * end for end in setting.limits]
            return {"limits": limits, "times": times, "share": setting.is_percentage}
        curve = CURVES[question.subject]
        x, y = curve.values(situation(here, question))
        real = {"x": x.tolist(), "y": y.tolist()} if is_revealed else None
        return {"axes": axes_of(curve, x, y, here.lesson.language), "curve": real}
    except NotComputed:
        return {}
