"""The question of a step as a member of a classroom answers it: sent without a run of the page, judged when all see it."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.learn import judging
from pages.learn.answers import WAIT, Answer, answer
from pages.learn.checks import CHECKS
from pages.learn.classroom.bar import CSS, PLAIN_TEXT_JS
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.membership import Membership
from pages.learn.classroom.routes import classroom_url
from pages.learn.classroom.showing import written
from pages.learn.classroom.store import classrooms
from pages.learn.curves import CURVES
from pages.learn.drawing import SENDING_JS, drawing
from pages.learn.judging import judge, situation
from pages.learn.lesson import Question
from pages.learn.place import LessonStep
from pages.learn.verdict import NotComputed, Verdict
from pages.settings.component import component

_FOLDER: Final = Path(__file__).parent
_TRIED: Final = "answers that were judged when all saw what is right"
_REFUSALS: Final = ("nothing_chosen", "no_number", "no_percentage")
_CHECKED: Final = "what a member has found waits for the page"
_HTML: Final = (
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
        f"member-draw-{room.shown.question}", curve, points, given or (), here.lesson.language,
        real=room.shown.is_revealed, post=_post(room, CLASSROOM_LABELS[here.lesson.language]),
    )  # fmt: skip
