"""Records a run of a page as a file, and gives it to the browser."""

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path

import streamlit as st

from pages.charts.chart import plotly_url
from pages.frame.navigation import window_title
from pages.frame.recording import end_recording, is_recorded
from pages.handout.document import MARK, RecordedView, document, in_space
from pages.handout.drawn import drawn_page
from pages.settings.component import component
from pages.settings.page_declaration import Page
from pages.streamlit_internals import sent

KEPT = "recorded view"
"""The purpose of a recording that stays in the session, and where it is kept there."""
_mount = component("interactive_file", "<span></span>", js=Path(__file__).with_name("saving.js").read_text())


@contextlib.contextmanager
def recorded(page: Page) -> Iterator[None]:
    """Record what is drawn inside, if that is wanted, and save it as a file in the browser."""
    if not is_recorded():
        yield
        return
    with sent() as messages:
        yield
    purpose, tables = end_recording()
    view = RecordedView(page.title, page.question, drawn_page(messages), {label: table() for label, table in tables.items()})
    if purpose == KEPT:
        st.session_state[KEPT] = view
        return
    file = document(window_title(page.title), view)
    url = plotly_url(in_space=in_space(file))
    name = f"quantification-lab-{page.path or 'home'}.html"
    data = {"file": file, "mark": MARK, "plotly": url, "name": name, "stamp": secrets.token_hex(8)}
    _mount(key="saved file", data=data, height=1)
