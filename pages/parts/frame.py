"""The frame of all pages on data: title and question, the check of the URL, sidebar, presets, notices."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import controls
from pages.parts.navigation import page_name
from pages.parts.presets import preset_buttons
from pages.parts.sampling_controls import scoring_settings
from pages.parts.sidebar import SidebarChoice, sidebar
from qcore import ScoringSettings


@contextlib.contextmanager
def page(title: str, question: str, *, quantifiers: bool = True) -> Iterator[SidebarChoice]:
    """A page inside its frame, for what the sidebar says; the page's name is made of its title.

    The notices about the URL are above the presets, but are drawn last: controls that are drawn meanwhile add to them.
    """
    st.title(title)
    st.markdown(question)
    controls.check_url()
    sidebar_choice = sidebar(quantifiers=quantifiers)
    notice_part = st.container()
    preset_buttons(page_name(title))
    yield sidebar_choice
    with notice_part:
        controls.show_notices()


def training_part(sidebar_choice: SidebarChoice) -> tuple[ScoringSettings, DeltaGenerator]:
    """Draw the controls of the training part; (what they say, the container beside them for the link)."""
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    with left, st.expander("Training part"):
        settings = scoring_settings(sidebar_choice)
    return settings, right
