"""The frame of all pages: a header in one line, the finding, the picture, the bar below it, examples, and sections as tabs."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import pipeline
from pages.frame.presets import preset_chips, rerun_if_chosen
from pages.frame.section_bar import section_bar
from pages.frame.share import Downloads, share_menu
from pages.frame.sidebar import SidebarChoice, sidebar
from pages.own_data import uploads
from pages.settings import control
from pages.settings.control import escaped
from pages.settings.current import current
from pages.settings.links import settings_on_paper
from pages.settings.page_declaration import PAGES, SETTINGS, Page, Tab
from pages.settings.shared import DATA
from qcore import InvalidInput


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
    listed = PAGES[name]
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
    if "data" not in PAGES[name].settings:
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


def draw_tabs(page: Page, **values: object) -> None:
    """Draw the tabs of a page that apply; the URL holds the open one, and only this one is computed.

    `values` are what the tabs need of what the page's body has computed, by the names in their declarations.
    """
    setting = page.tab_setting
    assert setting is not None
    asked = current(setting)
    shown = [tab for tab in page.tabs if not tab.shown_if or values[tab.shown_if] or tab.title == asked]
    drawn_tabs = st.tabs([tab.title for tab in shown], key=setting.key, bind="query-params")
    for tab, drawn in zip(shown, drawn_tabs, strict=True):
        if drawn.open:
            with drawn:
                _draw_tab(tab, values)
    section_bar([tab.title for tab in shown])


def _draw_tab(tab: Tab, values: Mapping[str, object]) -> None:
    if tab.parts:
        shown = [part for part in tab.parts if not part.shown_if or values[part.shown_if]]
        chosen = control.part(SETTINGS[tab.key], [part.title for part in shown])
        _draw_tab(next(part for part in shown if part.title == chosen), values)
    elif any(values[name] is None for name in tab.needs):
        applies = not tab.shown_if or values[tab.shown_if]
        why = "the picture above says why" if applies else "this section needs another data set, or another way of working"
        st.caption(f"Nothing to show here: {why}.")
    elif tab.draw is not None:
        tab.draw(*(values[name] for name in (*tab.needs, *tab.may_use)))
