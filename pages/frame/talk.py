"""A talk: views that the user has collected, in an order, which a link holds, the stage steps through, and a file keeps."""

import base64
import binascii
import contextlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from pages.frame.recording import want_file, want_none
from pages.frame.view import View, request_view, view_of_link
from pages.own_data import fetching, uploads
from pages.settings.address import current_settings, query_part, url_words, without_defaults
from pages.settings.control import escaped, note
from pages.settings.page_declaration import PAGES, settings_of
from pages.settings.setting import Value, section_key
from pages.settings.shared import DATA
from qcore import InvalidInput

MOST_VIEWS = 40
_LONGEST = 8000
"""Characters of a link's talk: servers and browsers refuse longer addresses."""
_LARGEST = 40_000
"""Bytes of the unpacked text of a talk."""

_TALK = "views of the talk"
_OWN = "the talk is the one that was collected here"
_SAVED = "the talk that is saved"


@dataclass
class Saving:
    """A talk on its way into a file: its views are shown one after the other, and recorded.

    Attributes
    ----------
    views : its views.
    back : what the person looked at before.
    number : of the view that is shown, from 1.
    file : what has been made of it.
    """

    views: list[View]
    back: View
    number: int = 1
    file: Any = None

    @property
    def view(self) -> View:
        """The view that is shown."""
        return self.views[self.number - 1]

    @property
    def is_last(self) -> bool:
        """Whether no view follows."""
        return self.number == len(self.views)


def spelt(links: Sequence[str]) -> str:
    """Links in the form in which an address holds them.

    Examples
    --------
    >>> read(spelt(["/losses?true_p=0.3", "/corrections"]))
    ['/losses?true_p=0.3', '/corrections']
    """
    packed = zlib.compress(json.dumps(list(links), separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def read(word: str) -> list[str]:
    """The links of a talk in an address. Raises InvalidInput for anything else."""
    try:
        if len(word) > _LONGEST:
            raise ValueError(word)
        packed = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_", validate=True)
        # A short word can stand for a text that fills the memory.
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(packed, _LARGEST)
        links = json.loads(text)
    except (ValueError, RecursionError, binascii.Error, zlib.error) as error:
        raise InvalidInput(
            "The link's talk", "be a list of views", repr(word[:20]), "Copy the link to the talk again."
        ) from error
    if not isinstance(links, list) or not 1 <= len(links) <= MOST_VIEWS or not all(isinstance(link, str) for link in links):
        raise InvalidInput("The link's talk", f"have 1 to {MOST_VIEWS} views", repr(word[:20]), "Collect its views again.")
    for link in links:
        try:
            view_of_link(link)
        except InvalidInput:
            raise
        except ValueError as error:
            raise InvalidInput("a view of the talk", "be a link", repr(link[:40]), "Collect its views again.") from error
    return links


def talk() -> list[str]:
    """The views of this session's talk, as links without the host."""
    views: list[str] = st.session_state.setdefault(_TALK, [])
    return views


def take(links: Sequence[str], *, own: bool = True) -> None:
    """Replace the talk by these views; `own` says whether they were collected in this browser, which then keeps them."""
    st.session_state[_TALK], st.session_state[_OWN] = list(links), own


def take_kept(word: str) -> None:
    """Take the talk that this browser has kept, unless there is another one; what cannot be read is forgotten."""
    if is_awaited():
        with contextlib.suppress(InvalidInput):
            take(read(word))
        st.session_state.setdefault(_OWN, True)


def is_awaited() -> bool:
    """Whether this session has no talk, and has not heard of the one that the browser may have kept."""
    return _OWN not in st.session_state


def to_keep() -> str | None:
    """The talk that the browser is to keep, as an address holds it, empty for none; None if it is to keep what it has."""
    if not st.session_state.get(_OWN, False):
        return None
    return spelt(talk()) if talk() else ""


def link_of(page: str, *, at_section: bool | None = None) -> str:
    """The link to a page as it is set now, as short as can be.

    `at_section` says whether it is to lead to the open section, also to the first one, or to the picture; None for the section
    that the person has opened, if any.
    """
    words = url_words(current_settings(settings_of(page)))
    kept = without_defaults(words)
    if at_section is not None:
        kept.pop(section_key(page), None)
    if at_section:
        kept[section_key(page)] = words[section_key(page)]
    return f"/{PAGES[page].path}{query_part(kept)}"


def show(number: int) -> None:
    """Show a view of the talk, counted from 1, as soon as this run has ended: for callbacks."""
    request_view(view_of_link(talk()[number - 1]))


def has_section(number: int) -> bool:
    """Whether a view of the talk, counted from 1, opens a section of its page."""
    return bool(view_of_link(talk()[number - 1]).section)


def saving() -> Saving | None:
    """The talk that is being saved; None if there is none."""
    found: Saving | None = st.session_state.get(_SAVED)
    return found


def save(page: str) -> None:
    """Begin to save the talk, and come back to the page as it is set now: before the page runs again."""
    st.session_state[_SAVED] = Saving([view_of_link(link) for link in talk()], view_of_link(link_of(page)))
    _record()


def save_next(number: int) -> None:
    """Go on after a view that the browser has taken, by its number: for callbacks."""
    now = saving()
    if now is None or now.number != number:
        return
    if now.is_last:
        stop_saving()
    else:
        now.number += 1
        _record()


def _record() -> None:
    """Show the view, and record it, unless its page asks for data that are not here."""
    now = saving()
    assert now is not None
    request_view(now.view)
    data = uploads.reference(str(now.view.settings.get("data", DATA["data"].default)))
    if fetching.is_missing(data) or not uploads.is_there(data):
        give_up()
    else:
        want_file("talk")


def give_up() -> None:
    """End the saving at a view without a picture, and stay there: its page says why."""
    now = saving()
    assert now is not None
    stop_saving(
        f"The talk was not saved: view {now.number} of {len(now.views)} has no picture yet. When this page shows it, save the "
        "talk again."
    )


def stop_saving(why: str = "") -> None:
    """End the saving, and come back to where it began; or stay at the view that shows `why` it ends."""
    now: Saving | None = st.session_state.pop(_SAVED, None)
    want_none()
    if why:
        note(why)
    elif now is not None:
        request_view(now.back)


def page_of(link: str) -> str:
    """The page of a view."""
    return view_of_link(link).page


def query_of(link: str) -> dict[str, list[str]]:
    """The words of a view's address, by setting."""
    return parse_qs(urlsplit(link).query, keep_blank_values=True)


def title(link: str) -> str:
    """The title of a view in a list, as Markdown: its page, and what is set there."""
    view = view_of_link(link)
    said = ", ".join(_written(value) for value in view.settings.values())
    return escaped(f"{PAGES[view.page].title}{': ' if said else ''}{said[:60]}")


def _written(value: Value) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
