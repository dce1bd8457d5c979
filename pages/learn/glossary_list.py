"""The glossary as a list that can be searched; a button beside each term opens the view that shows it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import streamlit as st

from pages.charts.figure import json_text
from pages.frame.page_frame import lead_to_section
from pages.frame.view import request_view, view_of_link
from pages.learn.glossary import GlossaryEntry
from pages.settings.component import component
from pages.settings.setting import section_key

_FOLDER: Final = Path(__file__).parent
_KEY: Final = "glossary"
_mount = component(
    "glossary",
    '<div class="glossary"><input type="search"><dl tabindex="0"></dl></div>',
    (_FOLDER / "glossary_list.css").read_text(),
    js=(_FOLDER / "glossary_list.js").read_text(),
)


def glossary_list(entries: Sequence[GlossaryEntry], labels: Mapping[str, str]) -> None:
    """Draw all terms in alphabetical order."""

    def seen() -> None:
        link = st.session_state[_KEY].see
        if link:
            view = view_of_link(str(link))
            request_view(view)
            if section_key(view.page) in view.settings:
                lead_to_section()

    listed = [
        {"name": one.name, "sentence": _sentence(one, labels["also_called"]), "link": one.link}
        for one in sorted(entries, key=lambda one: one.name.lower())
    ]
    data = {"entries": json_text(listed), "labels": {name: labels[name] for name in ("search", "see", "none")}}
    _mount(key=_KEY, data=data, on_see_change=seen, height="content")


def _sentence(entry: GlossaryEntry, also_called: str) -> str:
    """What the term is, and by which names readers may know it."""
    names = also_called.format(names=", ".join(entry.also_called)) if entry.also_called else ""
    return f"{entry.sentence} {names}".rstrip()
