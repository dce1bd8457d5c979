"""The pages of the app. A page has one name, that of its folder, settings and tests; title and path are derived from it."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.settings.setting import Value
from pages.settings.url import url_words
from pages.streamlit_internals import MENU_SCRIPT

APP: Final = "Quantification Lab"
_HOME: Final = "home"
_FOLDERS: Final = Path(__file__).parents[1]
_GROUPS: Final = "groups of pages"
_menu = st.components.v2.component("menu", html="<span></span>", js=MENU_SCRIPT, isolate_styles=False)


@dataclass(frozen=True)
class ListedPage:
    """A page: its name, the question that it answers, whether its charts are in three dimensions, whether it has a picture.

    `has_file` says whether an interactive file of it is of use. `main_picture` is the name of the chart that is saved first,
    where that is not the first one.
    """

    name: str
    question: str
    in_space: bool = False
    has_picture: bool = True
    has_file: bool = True
    main_picture: str = ""

    @property
    def title(self) -> str:
        """The page's title; for Home, the app's name."""
        return APP if self.name == _HOME else self.name.replace("_", " ").capitalize()

    @property
    def path(self) -> str:
        """The page's path in the URL, which is empty for Home."""
        return "" if self.name == _HOME else self.name.replace("_", "-")

    @property
    def file(self) -> str:
        """The file that draws it."""
        return f"pages/{self.name}/page.py"


@cache
def listed_page(name: str) -> ListedPage:
    """The page of that name, as its folder says."""
    folder = importlib.import_module(f"pages.{name}")
    keys = ("IN_SPACE", "HAS_PICTURE", "HAS_FILE", "MAIN_PICTURE")
    more = {key.lower(): getattr(folder, key) for key in keys if hasattr(folder, key)}
    return ListedPage(name, folder.QUESTION, **more)


@cache
def listed_pages() -> dict[str, ListedPage]:
    """All pages, by path."""
    names = sorted(path.parent.name for path in _FOLDERS.glob("*/page.py"))
    return {listed_page(name).path: listed_page(name) for name in names}


def page_file(name: str) -> str:
    """The file that draws a page."""
    return listed_page(name).file


def open_page(name: str, label: str, settings: Mapping[str, Value]) -> None:
    """Draw a button that opens a page with these settings. A link could not change what the session has chosen there before."""
    if st.button(label, key=f"open {name}", on_click=st.session_state.update, args=(dict(settings),), type="tertiary"):
        st.switch_page(page_file(name), query_params=url_words(settings))


def window_title(title: str) -> str:
    """The title of the browser's window: the page's title and the app's name."""
    return APP if title == APP else f"{title} – {APP}"  # noqa: RUF001


def chosen(groups: Mapping[str, Sequence[str]]) -> tuple[ListedPage, StreamlitPage]:
    """Draw the links to the pages in the sidebar, group by group, and return the page to run.

    Streamlit's own menu is not used: it puts group names into a list as if they were items, which is invalid HTML.
    """
    st.session_state[_GROUPS] = groups
    listed = [listed_page(name) for names in groups.values() for name in names]
    made = {
        page.name: st.Page(page.file, title=page.title, url_path=page.path or None, default=not page.path) for page in listed
    }
    page = st.navigation(list(made.values()), position="hidden")
    with st.sidebar:
        # The paths of all pages, on which a chosen theme should hold.
        _menu(key="menu", data={"paths": [f"/{one.url_path}" for one in made.values()], "path": page.url_path}, height=1)
    with st.sidebar.container(key="pages", gap=None):
        for group, names in groups.items():
            if group:
                st.markdown(f":small[:gray[{group}]]")
            for name in names:
                st.page_link(made[name])
    return listed_pages()[page.url_path], page


def pages_of_group(group: str) -> list[ListedPage]:
    """The pages of a group of the sidebar, in their order."""
    groups: Mapping[str, Sequence[str]] = st.session_state.get(_GROUPS, {})
    return [listed_page(name) for name in groups.get(group, ())]
