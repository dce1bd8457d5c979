"""The links to the pages in the sidebar, and how the app goes from one page to another."""

from collections.abc import Mapping
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.settings.address import url_words
from pages.settings.page_declaration import APP, PAGES, Page, Pages
from pages.settings.setting import Value
from pages.streamlit_internals import MENU_SCRIPT

_menu: Final = st.components.v2.component("menu", html="<span></span>", js=MENU_SCRIPT, isolate_styles=False)


def streamlit_page(name: str) -> StreamlitPage:
    """The page as Streamlit knows it, for its links and its navigation."""
    page = PAGES[name]
    return st.Page(page.draw, title=page.title, url_path=page.path or None, default=not page.path)


def _former_page(path: str, page: Page) -> StreamlitPage:
    """What stands at a path that a page had formerly: it leads to the page as it is now, with all settings of the address."""

    def lead() -> None:
        asked = {key: st.query_params.get_all(key) for key in st.query_params}
        st.switch_page(streamlit_page(page.name), query_params=PAGES.words_of_today(path, asked))

    return st.Page(lead, title=page.title, url_path=path)


def open_page(name: str, label: str, settings: Mapping[str, Value]) -> None:
    """Draw a button that opens a page with these settings. A link could not change what the session has chosen there before."""
    if st.button(label, key=f"open {name}", on_click=st.session_state.update, args=(dict(settings),), type="tertiary"):
        st.switch_page(streamlit_page(name), query_params=url_words(settings))


def window_title(title: str) -> str:
    """The title of the browser's window: the page's title and the app's name."""
    return APP if title == APP else f"{title} – {APP}"  # noqa: RUF001


def chosen(pages: Pages) -> tuple[Page, StreamlitPage]:
    """Draw the links to the pages in the sidebar, group by group, and return the page to run.

    Streamlit's own menu is not used: it puts group names into a list as if they were items, which is invalid HTML.
    """
    made = {name: streamlit_page(name) for name in pages}
    older = [_former_page(path, one) for one in pages.values() for path in one.formerly]
    page = st.navigation([*made.values(), *older], position="hidden")
    with st.sidebar:
        # The paths of all pages, on which a chosen theme should hold.
        _menu(key="menu", data={"paths": [f"/{one.url_path}" for one in made.values()], "path": page.url_path}, height=1)
    with st.sidebar.container(key="pages", gap=None):
        for group, members in pages.groups().items():
            if group:
                st.markdown(f":small[:gray[{group}]]")
            for one in members:
                st.page_link(made[one.name])
    shown = pages.of_path(page.url_path)
    assert shown is not None
    return shown, page


_A_DAY = 86_400.0


@st.fragment(run_every=_A_DAY)
def draw_again_when_connected_again() -> None:
    """Draw nothing, but have the whole page run again when a lost connection is restored.

    Streamlit then runs a page only if it has a part that is to run by itself now and then. The connection may lead to another
    process, because the earlier one was restarted or the proxy chose another one; that process has never drawn the page, so a
    control of a fragment would never work there. Settings are not lost: the browser sends them, and the URL holds them.
    """
