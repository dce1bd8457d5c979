"""A page has one name, made of its title: that of its file, its folder in parts, its settings and, with hyphens, its URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts.menu import menu

APP: Final = "Quantification Lab"


def page_name(title: str) -> str:
    """The name of a page: its title in lower case, with underscores."""
    return title.lower().replace(" ", "_")


def page_file(name: str) -> str:
    """The file of a page."""
    return f"pages/{name}.py"


def page(title: str) -> StreamlitPage:
    """A page of the app, by its title."""
    name = page_name(title)
    return st.Page(page_file(name), title=title, url_path=name.replace("_", "-"))


def home(title: str) -> StreamlitPage:
    """The page that the app opens with."""
    return st.Page(page_file("home"), title=title, default=True)


def window_title(page: StreamlitPage) -> str:
    """The title of the browser's window: that of the page, and the app's."""
    return APP if page.title == APP else f"{page.title} – {APP}"  # noqa: RUF001


def chosen(groups: Mapping[str, Sequence[StreamlitPage]]) -> StreamlitPage:
    """Draw the pages in the sidebar, group by group, and return the one to run.

    Streamlit's own menu puts the names of groups where a list may hold nothing but its items.
    """
    page = st.navigation([page for pages in groups.values() for page in pages], position="hidden")
    menu([f"/{one.url_path}" for pages in groups.values() for one in pages])
    with st.sidebar.container(key="pages", gap=None):
        for group, pages in groups.items():
            st.markdown(f":small[:gray[{group}]]")
            for one in pages:
                st.page_link(one)
    return page
