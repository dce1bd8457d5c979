"""Where do I start? Lessons that lead over the app's pages, and every term in a sentence."""

import base64
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import streamlit as st

from pages.frame.page_frame import first_viewport, notices
from pages.learn.answers import forget
from pages.learn.classroom.entrance import entrance, link_to_entrance
from pages.learn.glossary import glossary, glossary_list
from pages.learn.labels import LABELS
from pages.learn.lesson import Lesson
from pages.learn.library import LESSONS, lessons, mistakes
from pages.learn.place import go_to
from pages.learn.settings import LANGUAGE_COOKIE, LANGUAGES, SETTINGS, choice_to_keep, name_language_in_address, note_choice
from pages.settings import control
from pages.settings.address import current
from pages.settings.component import component
from pages.settings.page_declaration import Page

_FOLDER = Path(__file__).parent
_KEY = "lesson-cards"
_YEAR = 365 * 24 * 3600
"""Seconds for which a browser remembers the language."""
_LABELS = ("minutes", "progress", "start", "again", "go_on", "forget", "forgotten", "own")
_mount = component(
    "lesson_cards",
    '<div class="lesson-cards"></div>',
    (_FOLDER / "cards.css").read_text(),
    js="".join((_FOLDER / f"{name}.js").read_text() for name in ("cookie", "progress", "cards")),
)


def cards(lessons: Mapping[str, Lesson], labels: Mapping[str, str], student: int, language: str) -> None:
    """Draw a card for each lesson, in a language. Its buttons begin it, or go on where the person was."""

    def opened() -> None:
        chosen = st.session_state[_KEY].open
        if chosen:
            name, _, step = str(chosen).partition(" ")
            if step == "1":
                forget([name])
            go_to(name, int(step), student)
        elif st.session_state[_KEY].forgotten:
            forget(lessons)

    listed = [
        {
            "name": one.name,
            "title": one.title,
            "aim": one.aim,
            "minutes": one.minutes,
            "steps": len(one.steps),
            "own": one.own,
            "picture": "" if one.own else _picture(one.name),
        }
        for one in lessons.values()
    ]
    chosen = choice_to_keep()
    kept = {"name": LANGUAGE_COOKIE, "value": chosen, "seconds": _YEAR} if chosen else None
    data = {"lessons": listed, "language": language, "cookie": kept, "labels": {name: labels[name] for name in _LABELS}}
    _mount(key=_KEY, data=data, on_open_change=opened, on_forgotten_change=opened, height="content")


@cache
def _picture(name: str) -> str:
    """The picture of one of our lessons, as an address that holds it; empty without one. docs/pictures.py takes them."""
    path = LESSONS / "pictures" / f"{name}.png"
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}" if path.exists() else ""


def draw() -> None:
    """Draw the lessons, the way into a classroom, and the glossary."""
    with notices():
        with first_viewport("learn") as parts:
            with parts.headline.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                about = st.container(key="lessons-about", width="stretch")
                shown = control.segments(
                    SETTINGS["language"], label_visibility="collapsed", width="content", on_change=note_choice
                )
                language = LANGUAGES[shown]
                name_language_in_address(str(shown))
            labels = LABELS[language]
            about.markdown(f"{labels['lessons_are']} {link_to_entrance(language)}")
            with parts.hero:
                cards(lessons(language), labels, int(str(current(SETTINGS["student"]))), language)
            with parts.notes:
                if wrong := mistakes():
                    st.warning("\n".join([labels["mistakes"], "", *(f"- {control.escaped(one)}" for one in wrong)]))
        entrance(language)
        st.header(labels["glossary"])
        st.markdown(labels["glossary_is"])
        glossary_list(glossary(language), labels)


PAGE = Page(
    name="learn",
    question="Where do I start?",
    draw=draw,
    settings=SETTINGS,
    has_picture=False,
    has_file=False,
)
