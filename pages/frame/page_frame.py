"""The frame of all pages: a header in one line, the finding, the picture, the bar below it, examples, and sections as tabs."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import pipeline
from pages.frame.navigation import listed_page
from pages.frame.presets import preset_chips, rerun_if_chosen
from pages.frame.section_bar import section_bar
from pages.frame.share import Downloads, share_menu
from pages.frame.sidebar import SidebarChoice, sidebar
from pages.own_data import uploads
from pages.settings import control
from pages.settings.control import escaped
from pages.settings.current import current
from pages.settings.links import settings_on_paper
from pages.settings.pages import settings_of
from pages.settings.setting import section_key
from pages.settings.shared import DATA
from qcore import InvalidInput

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class PageParts:
    """The containers of a page, from the top: they are filled in any order.

    Attributes
    ----------
    headline : the finding, in one sentence.
    hero : the page's one picture.
    bar : the most used controls, right under the picture.
    notes : further sentences on the picture.
    downloads : downloads that the menu "Share" offers.
    """

    headline: DeltaGenerator
    hero: DeltaGenerator
    bar: DeltaGenerator
    notes: DeltaGenerator
    downloads: Downloads


@contextlib.contextmanager
def page(*, quantifiers: bool = True, positive_class: bool = True) -> Iterator[SidebarChoice]:
    """Draw a page on data inside its frame, and yield the choices of the sidebar.

    Notices about the URL stand above everything, but are drawn last, because controls add notices while they are drawn.
    """
    notice_part = st.container()
    control.check_url()
    yield sidebar(quantifiers=quantifiers, positive_class=positive_class)
    with notice_part:
        control.show_notices()


@contextlib.contextmanager
def first_viewport(name: str) -> Iterator[PageParts]:
    """Draw the header and yield the containers of the first view; a fragment calls it to draw all that its controls change.

    The link and the examples are drawn after the controls in `bar`, so that they know the current settings.
    """
    listed = listed_page(name)
    rerun_if_chosen()
    with st.container(key="header", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(listed.title, width="content")
        st.markdown(f":gray[{listed.question}]", width="stretch")
        share = st.container(width="content")
    names = ("headline", "hero", "bar", "examples", "notes", "sheet")
    drawn = {name: st.container(key=name) for name in names}
    example_part, sheet = drawn.pop("examples"), drawn.pop("sheet")
    downloads = Downloads()
    yield PageParts(**drawn, downloads=downloads)
    with example_part:
        preset_chips(name)
    with share:
        share_menu(name, downloads)
    with sheet:
        st.markdown(escaped(f"{settings_on_paper(name)} {_source_of_data(name)}".strip()))


def _source_of_data(name: str) -> str:
    """Where a page's data are from, in a sentence; empty for a page without data, or where they are not here."""
    if "data" not in settings_of(name):
        return ""
    data = uploads.reference(str(current(DATA["data"])))
    try:
        source = pipeline.dataset(data).source if uploads.is_there(data) else ""
    except InvalidInput:
        return ""
    return f"Data: {source}" if source else ""


def headline(sentence: str) -> None:
    """Draw the finding as a headline."""
    st.markdown(f"**{sentence.replace('**', '')}**")


def tabs(name: str, drawn: Mapping[str, Callable[[], None]]) -> None:
    """Draw sections as tabs; the URL holds the open tab, and only this one is computed."""
    drawn_tabs = st.tabs(list(drawn), key=section_key(name), bind="query-params")
    for tab, draw in zip(drawn_tabs, drawn.values(), strict=True):
        if tab.open:
            with tab:
                draw()
    section_bar(list(drawn))


def if_there(value: _Value | None, draw: Callable[[_Value], None]) -> Callable[[], None]:
    """A section that draws `value`, or says that there is nothing if it is None; the picture then says why."""

    def section() -> None:
        if value is None:
            st.caption("Nothing to show here: the picture above says why.")
        else:
            draw(value)

    return section
