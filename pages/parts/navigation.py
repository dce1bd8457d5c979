"""A page has one name, made of its title: that of its file, its folder in parts, its settings and, with hyphens, its URL."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage


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
