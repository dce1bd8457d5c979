"""The gallery: every data set that is here, with its size and the share of each class; a click opens one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts import cached, uploads
from pages.parts.small_table import Column, small_table
from qcore import SOURCES, DatasetReference
from qcore.datasets import folder, keel
from qcore.datasets.cache_folder import cache_folder
from qcore.datasets.sources import available

_COLUMNS = (
    Column("data", "Data set"),
    Column("rows", "Rows", ",d"),
    Column("features", "Features", ",d"),
    Column("classes", "Classes", "d"),
    Column("rarest", "Rarest class", ".0%", "The share of the rarest class, as a number and as a bar."),
    Column("source", "Where from"),
)


def gallery() -> None:
    """Draw the table; choosing a row chooses the data set on every page."""
    references = [*available(), *map(uploads.reference, uploads.words())]
    small_table(
        pd.DataFrame([row for row in map(_row, references) if row]), _COLUMNS, label="Data sets", on_choose=_choose,
        chosen=str(st.session_state.get("data", "")), searches="Find a data set", bars=("rarest",), height=400,
    )  # fmt: skip
    st.caption(_what_is_missing())


def _what_is_missing() -> str:
    """What else can be here, and how it comes."""
    ways = [f"Where the environment variable {folder.VARIABLE} names a folder, its files are here, too."]
    if not keel.names():
        ways.append(
            f"KEEL's 43 data sets, most of them UCI's, are not in {cache_folder()} yet: with a network, "
            "python -m qcore.datasets.keel fetches them."
        )
    return " ".join(ways)


def _choose(word: str) -> None:
    if word in map(str, available()) or word in uploads.words():
        st.session_state["data"] = word


def _row(reference: DatasetReference) -> dict[str, object]:
    facts = cached.facts(reference)
    if not facts:
        return {}
    source = SOURCES[reference.source].title if reference.source in SOURCES else "uploaded"
    return {"data": str(reference), **facts, "source": source}
