"""The strip that stays with the user through a lesson: where they are, what to look at, the question, and the way on."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.frame.layout import LEADING_JS, add_style
from pages.frame.recording import WITHHELD, withhold
from pages.frame.view import View, request_view, values_of
from pages.learn.answers import answer, given_words, is_revealed
from pages.learn.checks import CHECKS
from pages.learn.classroom.bar import classroom_bar
from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.membership import Membership
from pages.learn.classroom.question import check_later, judge_revealed, members_question, present_answers, teachers_question
from pages.learn.classroom.store import OWN_QUESTION
from pages.learn.hidden import hide
from pages.learn.judging import judge_later
from pages.learn.lesson import Question
from pages.learn.place import LessonStep, Position, end_own_question, go_to, leave
from pages.learn.questions import question_box, reply, say_what_is_right, take_kept
from pages.learn.settings import LANGUAGES, choose_language, language
from pages.settings.address import url_words, without_defaults
from pages.settings.component import component

_HTML = """<div class="lesson-tools"><button type="button" class="lesson-fold" aria-expanded="true"></button>
<button type="button" class="lesson-copy"></button></div>"""
_CSS = Path(__file__).with_name("strip.css").read_text()
_JS = LEADING_JS + "".join(Path(__file__).with_name(f"{name}.js").read_text() for name in ("progress", "strip"))
_mount = component("lesson_strip", _HTML, _CSS, js=_JS)

STYLE = Path(__file__).with_name("strip_layout.css").read_text()
"""How the page makes room for the strip: below it, at its side where there is room, never over it."""
_MOVED = """@media (max-width: 640px), (max-width: 1599px) and (min-height: 501px) {{
  .stMain .stElementContainer:is(.st-key-{key}, .st-key-{key}-bar):not([class*="st-key-pinned"] *) {{ position: fixed;
    z-index: 96; left: var(--lesson-left, 300px); right: 0; bottom: var(--lesson-height, 12rem); width: auto !important;
    padding: 0.65rem 1.5rem 0.25rem; background: var(--lesson-background); }}
  .section-bar {{ display: none; }}
  .stMain.stMain {{ scroll-padding-bottom: 7rem; }}
  .stMainBlockContainer {{ padding-bottom: 6rem; }}
}}"""
"""A control that answers a question stands above the strip, with the picture in sight, unless the page has pinned it."""


@contextlib.contextmanager
def strip(where: Position, page: str) -> Iterator[None]:
    """Draw the strip before the page, which is drawn inside: the style puts it below or beside the page.

    A question that needs what the page computes is drawn last. Without a lesson there is no strip, nor on the page with all
    lessons: its cards say how far the person is. In a classroom the strip is on every page.
    """
    withhold(())
    here, room = where
    if page == "learn" or here is None:
        if room is not None:
            _classroom_alone(here, room, page)
        yield
        return
    asked, replied = _strip(here, room, page)
    question = here.step.question
    if question is None and room is not None and room.is_teacher:
        with asked:
            present_answers(room, {"kind": ""}, CLASSROOM_LABELS[here.lesson.language])
    if question is not None and not _needs_the_page(here, question):
        with asked:
            ask(here, question, page)
    yield
    if judge_later(here) or check_later(here):
        st.rerun()
    if question is not None and _needs_the_page(here, question):
        with asked:
            ask(here, question, page)
    if question is not None:
        with replied:
            say_what_is_right(here, question, page)


def _needs_the_page(here: LessonStep, question: Question) -> bool:
    """Whether a question can be asked only when the page is drawn."""
    # A curve needs its axes. A number is sent without a run of the page: the right one tells whether it may be a fraction.
    is_member = here.room is not None and not here.room.is_teacher
    return question.kind == "draw" or (is_member and question.kind == "number" and bool(question.subject))


def ask(here: LessonStep, question: Question, page: str) -> None:
    """Ask the question of the step: the user alone, a member of a classroom, or its teacher, who sees what all answer."""
    if here.room is None:
        question_box(here, question, page)
    elif here.room.is_teacher:
        teachers_question(here, here.room, question)
    else:
        members_question(here, here.room, question, page)


def _classroom_alone(here: LessonStep | None, room: Membership, page: str) -> None:
    """Draw the strip of the user in a classroom on a page that has no step for them, be they `here` or at none."""
    add_style(STYLE)
    with st.container(key="lesson", gap="small"):
        classroom_bar(room, None, page)
        labels = CLASSROOM_LABELS[language()]
        if room.is_teacher:
            st.markdown(labels["start"])
            present_answers(room, {"kind": ""}, labels)
        elif here is not None and room.follows:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(labels["shown_elsewhere"], width="content")
                st.button(labels["to_shown"], key="lesson-to-shown", on_click=request_view, args=(here.view,))
        else:
            st.markdown(labels["waiting" if room.follows else "own_way"])
        with st.container(key="lesson-tools", width="content"):
            _mount(key="lesson-strip", data={"bare": True, "title": labels["classroom"], "language": language()})


def _strip(here: LessonStep, room: Membership | None, page: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the strip without its question; returns the containers for the question and for what is said of answers."""
    add_style(STYLE)
    question = here.step.question
    if here.room is not None and question is not None and page == here.view.page:
        judge_revealed(here, here.room, question)
    why_hidden = here.labels["hidden"] if here.room is None else CLASSROOM_LABELS[here.lesson.language]["hidden"]
    if page == here.view.page:
        asked_for = here.step.hidden if question is not None and not is_revealed(here) else ()
        # The teacher may look at everything: in a hall the question lies over the page.
        if here.room is None or not here.room.is_teacher:
            hide(asked_for, why_hidden)
            hide([part for part in here.step.without if part not in asked_for], here.labels["later"], folded=True)
            withhold({*asked_for, *here.step.without}.intersection(WITHHELD))
    if question is not None and question.kind == "find" and page == here.view.page:
        add_style(_MOVED.format(key=CHECKS[question.subject].setting))
    with st.container(key="lesson", gap="small"):
        if room is not None:
            classroom_bar(room, here, page)
        _head(here, page)
        asks = question is not None or (room is not None and room.is_teacher)
        with st.container(key="lesson-body" if asks else "lesson-body-without-question"):
            with st.container(key="lesson-text"):
                st.markdown(here.step.text)
            asked = st.container(key="lesson-asked")
            replied = st.container(key="lesson-reply")
            if question is not None and (here.room is None or not here.room.is_teacher):
                with replied:
                    reply(here, question)
    return asked, replied


def _head(here: LessonStep, page: str) -> None:
    labels, lesson, number = here.labels, here.lesson, here.step_number
    with st.container(key="lesson-head", horizontal=True, vertical_alignment="center", gap="small"):
        place = labels["place"].format(step=number, steps=len(lesson.steps))
        about = [f"**{lesson.title}**", *([] if lesson.name == OWN_QUESTION else [place, here.step.title])]
        st.markdown(" · ".join(about))
        with st.container(key="lesson-way", horizontal=True, width="content", gap="small"):
            if here.room is None or (here.room.is_teacher and not here.room.shown.text):
                _steps(here)
            # The style shows this button while the address differs from the view's, since a control can move without a run of
            # the strip. It stands last, so that the buttons for other steps stay where they are.
            st.button(labels["to_view"], key="lesson-view", on_click=request_view, args=(here.view,))
        with st.container(key="lesson-tools", width="content"):
            _tools(here, page)
        if here.room is None:
            other = labels["other_language"]
            st.button(other, key="lesson-language", on_click=choose_language, args=(LANGUAGES[other],), type="tertiary")
        if here.room is not None and here.room.shown.text and here.room.is_teacher:
            end = CLASSROOM_LABELS[here.lesson.language]["end_own"]
            st.button(end, key="lesson-end-own", on_click=end_own_question, args=(here.room,))
        elif here.room is None or here.room.is_teacher:
            st.button(labels["leave"], key="lesson-leave", on_click=leave, type="tertiary")


def _steps(here: LessonStep) -> None:
    """Draw the buttons for the previous and the next step."""
    labels, lesson, number = here.labels, here.lesson, here.step_number
    st.button(
        f"← {labels['back']}",
        key="lesson-step-back",
        disabled=number == 1,
        on_click=go_to,
        args=(lesson.name, number - 1, here.student),
    )
    if number == len(lesson.steps):
        st.button(labels["end"], key="lesson-step-end", type="primary", on_click=_end)
    else:
        st.button(
            f"{labels['next']} →",
            key="lesson-step-next",
            type="primary",
            on_click=go_to,
            args=(lesson.name, number + 1, here.student),
        )


def _tools(here: LessonStep, page: str) -> None:
    """Draw the buttons that fold the text and copy the step's link; the same script keeps in the browser what is done."""
    revealed = is_revealed(here)
    labels = {key: here.labels[key] for key in ("hide_text", "show_text", "copy", "copied")}
    view = here.step.view
    data = {
        "lesson": here.lesson.name,
        "section": bool(view.section),
        "language": here.lesson.language,
        "title": here.lesson.title,
        "said": str(answer(here)),
        "replied": answer(here) is not None,
        "given": given_words(here) if here.room is None else None,
        "asks": here.room is None and here.step.question is not None and answer(here) is None and page == here.view.page,
        "student": here.student,
        "step": here.step_number,
        "asked": "" if here.room is None else here.room.shown.question,
        "look": here.step.look.replace("_", "-"),
        "done": here.step.question is None or revealed,
        "view": _words(here.view) if page == here.view.page else None,
        "answered": revealed,
        "finds": here.step.question is not None and here.step.question.kind == "find",
        "link": "" if here.lesson.name == OWN_QUESTION else here.link,
        **labels,
    }

    def kept() -> None:
        take_kept(here, st.session_state["lesson-strip"].kept)

    _mount(key="lesson-strip", data=data, on_kept_change=kept)


def _words(view: View) -> dict[str, tuple[list[str], bool]]:
    """Each setting of a view in the words of an address, and whether the address may leave it out."""
    words = url_words(values_of(view))
    named = without_defaults(words)
    return {key: (one, key not in named) for key, one in words.items()}


def _end() -> None:
    """Leave the lesson, and open the page with all lessons."""
    leave()
    kept = {key: st.session_state[key] for key in ("language", "student") if key in st.session_state}
    request_view(View("learn", kept))
