"""What all pages on data have around their answer: title and question, the URL's check, the sidebar, presets, notices."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import controls
from pages.parts.presets import preset_buttons
from pages.parts.shift_controls import scoring_settings
from pages.parts.workbench import Workbench, workbench
from qcore import ScoringSettings


@contextlib.contextmanager
def page(title: str, question: str, presets: str, *, quantifiers: bool = True) -> Iterator[Workbench]:
    """A page inside its frame, for what the sidebar says; `presets` is its key in PAGE_PRESETS.

    The notices about the URL stand above the presets, but are drawn last: controls that are drawn meanwhile add to them.
    """
    st.title(title)
    st.markdown(question)
    controls.check_url()
    bench = workbench(quantifiers=quantifiers)
    notice_part = st.container()
    preset_buttons(presets)
    yield bench
    with notice_part:
        controls.show_notices()


def training_part(bench: Workbench) -> tuple[ScoringSettings, DeltaGenerator]:
    """Draw the controls of the training part; (what they say, the place beside them for the link)."""
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    with left, st.expander("Training part"):
        settings = scoring_settings(bench)
    return settings, right
