"""The lessons as cards: what one can do after each, how long it takes, how far the person is."""

import streamlit as st

from pages.learn.library import lessons
from pages.learn.place import go_to, language


def cards() -> None:
    for lesson in lessons(language()).values():
        st.button(lesson.title, on_click=go_to, args=(lesson.name, 1))
