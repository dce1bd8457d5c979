"""The strip that stays with a person through a lesson: where they are, what to look at, the question, and the way on."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.frame.layout import add_style
from pages.frame.section_bar import LEADING_JS
from pages.frame.view import View, values_of, want
from pages.frame.withheld import WITHHELD, withhold
from pages.learn.answers import answer, is_revealed
from pages.learn.hidden import hide
from pages.learn.judging import judge_later
from pages.learn.place import Place, go_to, leave
from pages.learn.questions import question_box, reply
from pages.settings.component import component
from pages.settings.setting import section_key
from pages.settings.url import url_words, without_defaults

_HTML = """<div class="lesson-tools"><button type="button" class="lesson-fold" aria-expanded="true"></button>
<button type="button" class="lesson-copy"></button></div>"""
_CSS = Path(__file__).with_name("strip.css").read_text()
_JS = LEADING_JS + "".join(Path(__file__).with_name(f"{name}.js").read_text() for name in ("progress", "strip"))
_mount = component("lesson_strip", _HTML, _CSS, js=_JS)

STYLE: Final = Path(__file__).with_name("strip_layout.css").read_text()
"""How the page makes room for the strip: below it, at its side where there is room, never over it."""


@contextlib.contextmanager
def strip(here: Place | None, page: str) -> Iterator[None]:
    """Draw the strip before the page, which is drawn inside: the style puts it below or beside the page.

    A curve can be asked for when the page has computed it: that question is drawn last. Without a lesson there is no strip, nor
    on the page with all lessons: its cards say how far the person is.
    """
    withhold(())
    if here is None or page == "learn":
        yield
        return
    asked = _strip(here, page)
    question = here.step.question
    if question is not None and question.kind != "draw":
        with asked:
            question_box(here, question, page)
    yield
    if judge_later(here):
        st.rerun()
    if question is not None and question.kind == "draw":
        with asked:
            question_box(here, question, page)


def _strip(here: Place, page: str) -> DeltaGenerator:
    """The strip without its question; returns where that is drawn."""
    add_style(STYLE)
    question = here.step.question
    if page == here.view.page:
        asked_for = here.step.hidden if question is not None and not is_revealed(here) else ()
        hide(asked_for, here.labels["hidden"])
        hide([part for part in here.step.without if part not in asked_for], here.labels["later"], folded=True)
        withhold({*asked_for, *here.step.without}.intersection(WITHHELD))
    with st.container(key="lesson", gap="small"):
        _head(here, page)
        with st.container(key="lesson-body"):
            with st.container(key="lesson-text"):
                st.markdown(here.step.text)
            asked = st.container(key="lesson-asked")
            with st.container(key="lesson-reply"):
                if question is not None:
                    reply(here, question)
    return asked


def _head(here: Place, page: str) -> None:
    labels, lesson, number = here.labels, here.lesson, here.step_number
    last = number == len(lesson.steps)
    with st.container(key="lesson-head", horizontal=True, vertical_alignment="center", gap="small"):
        place = labels["place"].format(step=number, steps=len(lesson.steps))
        st.markdown(f"**{lesson.title}** · {place} · {here.step.title}")
        with st.container(key="lesson-way", horizontal=True, width="content", gap="small"):
            # It is seen while the address differs from the view's: a control may have moved without the strip being drawn.
            st.button(labels["to_view"], key="lesson-view", on_click=want, args=(here.view,))
            st.button(
                f"← {labels['back']}", key="lesson-step-back", disabled=number == 1,
                on_click=go_to, args=(lesson.name, number - 1, here.student),
            )  # fmt: skip
            if last:
                st.button(labels["end"], key="lesson-step-end", type="primary", on_click=_end)
            else:
                st.button(
                    f"{labels['next']} →", key="lesson-step-next", type="primary",
                    on_click=go_to, args=(lesson.name, number + 1, here.student),
                )  # fmt: skip
        with st.container(key="lesson-tools", width="content"):
            _tools(here, page)
        st.button(labels["leave"], key="lesson-leave", type="tertiary", on_click=leave)


def _tools(here: Place, page: str) -> None:
    """Folding the text, the link to the step, and the record of what is done, which the browser keeps."""
    revealed = is_revealed(here)
    labels = {key: here.labels[key] for key in ("hide_text", "show_text", "copy", "copied")}
    view = here.step.view
    section = section_key(view.page) in view.settings
    data = {
        "lesson": here.lesson.name,
        "section": section,
        "language": here.lesson.language,
        "title": here.lesson.title,
        "said": str(answer(here)),
        "step": here.step_number,
        "done": here.step.question is None or revealed,
        "view": _words(here.view) if page == here.view.page else None,
        "answered": revealed,
        "link": here.link,
        **labels,
    }
    _mount(key="lesson-strip", data=data)


def _words(view: View) -> dict[str, tuple[list[str], bool]]:
    """Each setting of a view in the words of an address, and whether the address may leave it out."""
    words = url_words(values_of(view))
    named = without_defaults(words)
    return {key: (one, key not in named) for key, one in words.items()}


def _end() -> None:
    """Leave the lesson, for the page with all lessons."""
    leave()
    kept = {key: st.session_state[key] for key in ("language", "student") if key in st.session_state}
    want(View("learn", kept))
