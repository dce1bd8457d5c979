"""Runs the app without a server and a browser, and takes what a view has drawn."""

import contextlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from streamlit.testing.v1 import AppTest

from pages.frame.navigation import window_title
from pages.frame.recording import WANTED
from pages.frame.stage import TALK
from pages.frame.talk import read
from pages.frame.view import WANTED_VIEW, View, values_of, view_of_link
from pages.handout.document import RecordedView, TalkFile, document, talk_document, with_plotly
from pages.handout.save_run import KEPT
from pages.settings.address import url_words
from pages.settings.page_declaration import PAGES
from qcore import InvalidInput

_APP = Path(__file__).parents[2] / "app.py"
_SECONDS = 900.0


def check_can_be_written(path: Path) -> None:
    """Raise InvalidInput unless a file can be written there."""
    if path.is_dir() or not path.parent.is_dir():
        raise InvalidInput("--into", "name a file in a folder that is there", repr(str(path)), "Make the folder first.")


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Silence the log, in which Streamlit complains of the missing server; errors are raised all the same."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def recorded_view(view: View, more: Mapping[str, str]) -> tuple[RecordedView, AppTest]:
    """What a view draws, with `more` parameters in its address, and the app that drew it. Raises InvalidInput if it can't."""
    with _quietly():
        app = AppTest.from_file(str(_APP), default_timeout=_SECONDS)
        for key, words in {**url_words(values_of(view)), **{key: [word] for key, word in more.items()}}.items():
            app.query_params[key] = words
        app.run()
        app.session_state[WANTED_VIEW] = view
        app.run()
        app.session_state[WANTED] = KEPT
        app.run()
    recorded: RecordedView | None = None if app.exception or KEPT not in app.session_state else app.session_state[KEPT]
    if recorded is not None:
        recorded = replace(recorded, section=view.section)
    if recorded is None or not recorded.is_whole:
        shown = [*app.error, *app.warning, *app.info]
        said = [one.value for one in shown] or [one.message for one in app.exception] or ["nothing"]
        title = PAGES[view.page].title
        raise InvalidInput(
            f"the view of {title}", "be one that can be drawn", " ".join(said), "Open its link in the app first."
        )
    return recorded, app


def file_of_link(link: str) -> tuple[str, str]:
    """(name, text) of the file that shows the view of a link, or all views of its talk. Raises InvalidInput."""
    words = parse_qs(urlsplit(link).query)
    if TALK in words:
        texts = [_text_of_view(one) for one in read(words[TALK][0])]
        return TalkFile.name, with_plotly(talk_document(texts))
    text = _text_of_view(link)
    return f"quantification-lab-{PAGES[view_of_link(link).page].path or 'home'}.html", with_plotly(text)


def _text_of_view(link: str) -> str:
    view = view_of_link(link)
    recorded, _ = recorded_view(view, {})
    return document(window_title(PAGES[view.page].title), recorded, link=link if urlsplit(link).netloc else "")
