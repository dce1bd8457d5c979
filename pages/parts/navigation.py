"""A page has one name, made of its title: that of its file, its folder in parts, its settings and, with hyphens, its URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts.menu import menu

APP: Final = "Quantification Lab"


@dataclass(frozen=True)
class ListedPage:
    """A page in the navigation: its title, the question that it answers, whether its charts are in three dimensions."""

    title: str
    question: str
    in_space: bool = False


PAGES: Final[Mapping[str, Sequence[ListedPage]]] = {
    "": [
        ListedPage(APP, "How many, not which."),
    ],
    "Explore": [
        ListedPage("Error by prevalence", "How wrong is each quantifier when the share of positives has moved?"),
        ListedPage("Corrections", "What does the correction do, and when does it explode?"),
        ListedPage("Classifier", "How well does it rank, what does it do at a threshold?"),
        ListedPage("Test size", "Which quantifier is best for samples of which size?"),
        ListedPage("Recommender", "Can the quantifier be chosen for each sample, and does that pay?"),
        ListedPage("More than two classes", "How well are the shares of three classes or more estimated, and where?"),
        ListedPage("Compare", "Which quantifier is better over many data sets, and may one claim it?"),
        ListedPage("Search space", "What does a measure reward, and where do learners go?", in_space=True),
        ListedPage("Losses", "What does a loss say of an estimate?"),
    ],
    "Use": [
        ListedPage("Estimate", "What share of my sample is positive, and how sure is that?"),
        ListedPage("Data sets", "What is here, and how do I bring my own table?"),
    ],
}
"""The pages, group by group."""


def page_name(title: str) -> str:
    """The name of a page: its title in lower case, with underscores; the app's own title is that of its home."""
    return "home" if title == APP else title.lower().replace(" ", "_")


def page_file(name: str) -> str:
    """The file of a page."""
    return f"pages/{name}.py"


def question(title: str) -> str:
    """The question that a page answers."""
    return next(page.question for pages in PAGES.values() for page in pages if page.title == title)


@cache
def listed_pages() -> dict[str, ListedPage]:
    """The path of each page in the URL, which for the first is empty, and the page."""
    return {_path(page): page for pages in PAGES.values() for page in pages}


def _path(page: ListedPage) -> str:
    return "" if page.title == APP else page_name(page.title).replace("_", "-")


def window_title(title: str) -> str:
    """The title of the browser's window: that of the page, and the app's."""
    return APP if title == APP else f"{title} – {APP}"  # noqa: RUF001


def chosen() -> StreamlitPage:
    """Draw the pages in the sidebar, group by group, and return the one to run.

    Streamlit's own menu puts the names of groups where a list may hold nothing but its items.
    """
    made = {path: _streamlit_page(path, page) for path, page in listed_pages().items()}
    page = st.navigation(list(made.values()), position="hidden")
    menu([f"/{one.url_path}" for one in made.values()])
    with st.sidebar.container(key="pages", gap=None):
        for group, pages in PAGES.items():
            if group:
                st.markdown(f":small[:gray[{group}]]")
            for listed in pages:
                st.page_link(made[_path(listed)])
    return page


def _streamlit_page(path: str, page: ListedPage) -> StreamlitPage:
    return st.Page(page_file(page_name(page.title)), title=page.title, url_path=path or None, default=not path)
