"""Documents of the folder `docs`, shown inside the app, so that every reference to one leads somewhere."""

import re
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st

_FOLDER: Final = Path(__file__).parents[2] / "docs"
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?://)[^)]*\)")


@cache
def document(name: str) -> str:
    """The text of docs/NAME.md; links to other files become their words, since the app has no such address."""
    return _LINK.sub(r"\1", (_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def document_popover(name: str, label: str) -> None:
    """Draw a button that opens the document docs/NAME.md."""
    with st.popover(label, key=f"document {name}"):
        st.markdown(document(name))
