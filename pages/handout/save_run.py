"""Records runs of a page, a view or a talk as a file, and gives it to the browser."""

import contextlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages.charts.chart import plotly_url
from pages.frame import talk
from pages.frame.navigation import window_title
from pages.frame.recording import end_recording, is_recorded
from pages.handout.document import MARK, VIEWS, RecordedView, TalkFile, document, in_space
from pages.handout.drawn import drawn_page
from pages.settings.component import component
from pages.settings.page_declaration import Page
from pages.streamlit_internals import sent

KEPT = "recorded view"
"""The purpose of a recording that stays in the session, and where it is kept there."""
_SAVED = "saved file"
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
    saving = talk.saving()
    if purpose == KEPT:
        st.session_state[KEPT] = view
    elif purpose == "file":
        file = document(window_title(page.title), view)
        _save(file, f"quantification-lab-{page.path or 'home'}.html", in_space=in_space(file))
    elif saving is not None:
        _save_view(saving, page, replace(view, section=saving.view.section))


def _save_view(saving: talk.Saving, page: Page, view: RecordedView) -> None:
    """Give a view of a talk to the browser, which keeps it, and asks for the next one."""
    if page.name != saving.view.page or not view.is_whole:
        talk.give_up()
        st.rerun()

    def taken() -> None:
        # What a view that was stopped on its way says comes when its page has gone.
        if (said := st.session_state.get(_SAVED)) is not None and said.taken is not None:
            talk.save_next(int(said.taken))

    saving.file = file = saving.file or TalkFile()
    held = file.add(document(window_title(page.title), view))
    around = {"around": file.around(), "views": VIEWS} if saving.is_last else {}
    _save(held, file.name, in_space=file.in_space, taken=taken, number=saving.number, **around)


def _save(file: str, name: str, *, in_space: bool, taken: Callable[[], None] = lambda: None, **more: str | int) -> None:
    """Have the browser save a file, or keep the view `number` of a talk until the last one comes with what is `around` all."""
    url = plotly_url(in_space=in_space)
    data = {"file": file, "mark": MARK, "plotly": url, "name": name, "stamp": secrets.token_hex(8), **more}
    _mount(key=_SAVED, data=data, height=1, on_taken_change=taken)
