"""The lessons as cards: what one can do after each, how long it takes, and how far the person is, which the browser knows."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from pages.learn.answers import forget
from pages.learn.lesson import Lesson
from pages.learn.place import go_to
from pages.learn.settings import LANGUAGE_COOKIE, choice_to_keep
from pages.settings.component import component

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
        }
        for one in lessons.values()
    ]
    chosen = choice_to_keep()
    kept = {"name": LANGUAGE_COOKIE, "value": chosen, "seconds": _YEAR} if chosen else None
    data = {"lessons": listed, "language": language, "cookie": kept, "labels": {name: labels[name] for name in _LABELS}}
    _mount(key=_KEY, data=data, on_open_change=opened, on_forgotten_change=opened, height="content")
