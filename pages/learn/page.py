"""How does one learn quantification? Lessons that lead over the app's pages, and every term in a sentence."""

import streamlit as st

from pages.frame.page_frame import first_viewport
from pages.learn.cards import cards
from pages.learn.classroom.entrance import entrance, link_to_entrance
from pages.learn.glossary import glossary, glossary_list
from pages.learn.labels import LABELS
from pages.learn.library import lessons, mistakes
from pages.learn.settings import LANGUAGES, SETTINGS, name_language_in_address, note_choice
from pages.settings import control
from pages.settings.address import current
from pages.settings.page_declaration import Page


def draw() -> None:
    """Draw the lessons, the way into a classroom, and the glossary."""
    control.check_url()
    notice_part = st.container()
    with first_viewport("learn") as parts:
        with parts.headline.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            about = st.container(key="lessons-about", width="stretch")
            shown = control.segments(SETTINGS["language"], label_visibility="collapsed", width="content", on_change=note_choice)
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
    with notice_part:
        control.show_notices()


PAGE = Page(
    name="learn",
    question="How does one learn quantification?",
    draw=draw,
    settings=SETTINGS,
    has_picture=False,
    has_file=False,
)
