"""The question that a class is asked, as the teacher and as a member sees it."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pages.learn import judging
from pages.learn.answers import WAIT, Answer, answer
from pages.learn.check import NotComputed, Verdict
from pages.learn.checks import CHECKS
from pages.learn.classroom.bar import CSS, LISTENING_JS, PLAIN_TEXT_JS
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.membership import Membership
from pages.learn.classroom.routes import classroom_url
from pages.learn.classroom.showing import ask_again, reveal, take_answers, written
from pages.learn.classroom.store import classrooms
from pages.learn.drawing import CURVES, SENDING_JS, axes_of, drawing
from pages.learn.judging import judge, right_number, situation
from pages.learn.lesson import Question
from pages.learn.place import LessonStep
from pages.settings.component import component
from pages.settings.page_declaration import settings_of

_ANSWERS_HTML = (
    '<div class="classroom-answers"><div><span class="classroom-counts"></span><button type="button" hidden></button>'
    '<button type="button" hidden></button></div><div></div><section class="classroom-hall" hidden></section></div>'
)
_mount_answers = component(
    "classroom_answers",
    _ANSWERS_HTML,
    CSS,
    js=LISTENING_JS + PLAIN_TEXT_JS + Path(__file__).with_name("answers.js").read_text(),
)
_LABELS = (
    "present",
    "answered",
    "hide_answers",
    "show_answers",
    "covered",
    "hall",
    "page",
    "no_answers",
    "answers",
    "judged",
    "unclear",
)


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
        "code": room.code,
        "labels": {name: labels[name] for name in _LABELS},
        "right": None,
        **picture,
    }
    _mount_answers(key="classroom-answers", data=data, on_changed_change=lambda: None, height="content")


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


_FOLDER = Path(__file__).parent
_TRIED = "answers that were judged when all saw what is right"
_REFUSALS = ("nothing_chosen", "no_number", "no_percentage")
_CHECKED = "what a member has found waits for the page"
_HTML = (
    '<form class="member-question" novalidate><fieldset><legend></legend></fieldset>'
    '<label class="member-number"><span></span><input type="text" inputmode="decimal" maxlength="12"></label>'
    '<button type="submit"></button><p role="status"></p></form>'
)
_mount = component("member_question", _HTML, CSS, js=SENDING_JS + PLAIN_TEXT_JS + (_FOLDER / "member_question.js").read_text())


def members_question(here: LessonStep, room: Membership, question: Question, page: str) -> None:
    """Draw the question, and what a member answers it with."""
    st.markdown(f"**{question.prompt}**" if "\n" not in question.prompt else question.prompt)
    if page != here.view.page:
        st.caption(here.labels["elsewhere"])
        return
    given = classrooms().answer_of(room.code, room.shown.question, room.member)
    {"choice": _typed, "number": _typed, "find": _found, "draw": _drawn}[question.kind](here, room, question, given)


def judge_revealed(here: LessonStep, room: Membership, question: Question) -> None:
    """Once the teacher has revealed the answer, judge the member's; a member who gave none is shown the right one."""
    known, tried = answer(here), st.session_state.setdefault(_TRIED, set())
    waits = known is not None and known.verdict.reason == WAIT
    if room.is_teacher or not room.shown.is_revealed or not (known is None or waits):
        return
    given = classrooms().answer_of(room.code, room.shown.question, room.member)
    # If the page has not computed the right answer yet, judge once more when it has been drawn, but no more often.
    again = here.key not in tried
    tried.add(here.key)
    if given is None:
        judge(here, partial(judging.right_answer, here, question), again=again)
        return
    judged: dict[str, Callable[[], Answer]] = {
        "choice": lambda: judging.chosen(question, int(given)),
        "number": lambda: judging.typed(here, question, str(given)),
        "find": lambda: _as_found(given),
        "draw": lambda: judging.drawn(here, question, tuple(given), situation(here, question)),
    }
    judge(here, judged[question.kind], again=again)


def _as_found(given: Mapping[str, Any]) -> Answer:
    return Answer(Verdict(given["reason"], given["told"]))


def _post(room: Membership, labels: Mapping[str, str]) -> dict[str, Any]:
    """What the browser needs to send an answer: address, member, question, and the words for what can happen."""
    return {
        "url": classroom_url(room.code, "answer"),
        "member": room.member,
        "question": room.shown.question,
        "open": room.shown.takes_answers,
        "version": room.version,
        "labels": {name: labels[name] for name in ("sent", "closed", "failed", "full", "form") if name in labels},
    }


def _typed(here: LessonStep, room: Membership, question: Question, given: Any) -> None:
    labels = CLASSROOM_LABELS[here.lesson.language]
    data = {
        "kind": question.kind,
        "prompt": question.prompt,
        "options": [option.text for option in question.options],
        "label": here.labels["percentage" if question.is_share else "number"],
        "given": given,
        "post": _post(room, {**labels, "form": here.labels["no_number"]}),
        # The unit without which a fraction is refused before it is sent, as outside classrooms; empty if none is refused.
        "unit": judging.UNIT.pattern if judging.refuses_fractions(here, question) else "",
        "labels": {"send": labels["send"], **{name: here.labels[name] for name in _REFUSALS}},
    }
    _mount(key=f"member-question-{room.shown.question}", data=data, height="content")


def _found(here: LessonStep, room: Membership, _question: Question, given: Any) -> None:
    labels = CLASSROOM_LABELS[here.lesson.language]

    def check() -> None:
        st.session_state[_CHECKED] = here.key
        check_later(here)

    takes = room.shown.takes_answers
    st.button(
        here.labels["check"], key=f"member-check-{room.shown.question}", on_click=check, type="primary", disabled=not takes
    )
    if given is not None:
        st.caption(labels["checked" if takes else "closed"])


def check_later(here: LessonStep) -> bool:
    """Send what a member has found, once the page has computed it for the settings in front of them; whether it was sent."""
    question, room = here.step.question, here.room
    if st.session_state.get(_CHECKED) != here.key or question is None or room is None:
        return False
    try:
        now = situation(here, question)
        check = CHECKS[question.subject]
        verdict = check.judge(now)
    except NotComputed:
        return False
    del st.session_state[_CHECKED]
    kept = {"value": now.number(check.setting), "right": verdict.is_right, "reason": verdict.reason}
    kept["told"] = dict(verdict.values)
    return written(classrooms().answer, room.code, room.shown.question, room.member, kept)


def _drawn(here: LessonStep, room: Membership, question: Question, given: Any) -> None:
    curve = CURVES[question.subject]
    try:
        points = curve.values(situation(here, question))
    except NotComputed:
        st.caption(here.labels["wait"])
        return
    drawing(
        f"member-draw-{room.shown.question}",
        curve,
        points,
        given or (),
        here.lesson.language,
        real=room.shown.is_revealed,
        post=_post(room, CLASSROOM_LABELS[here.lesson.language]),
    )
