"""The gallery: all data sets on this machine, and the papers' data sets that can be fetched; a click opens one."""

import pandas as pd
import streamlit as st

from pages.charts.small_table import Column, small_table
from pages.data_sets import computations
from pages.own_data import fetching, uploads
from qcore import SOURCES, DatasetReference
from qcore.datasets import folder, keel
from qcore.datasets.catalog import available
from qcore.datasets.repositories import KNOWN_SETS, REPOSITORIES, cache_folder

_COLUMNS = (
    Column("shown", "Data set"),
    Column("rows", "Rows", ",d"),
    Column("features", "Features", ",d"),
    Column("classes", "Classes", "d"),
    Column("rarest", "Rarest class", ".0%", "The share of the rarest class, as a number and as a bar."),
    Column("source", "Where from"),
)


def gallery() -> None:
    """Draw the table; choosing a row chooses the data set on every page."""
    fetching.fetch_wanted()
    references = [*map(uploads.reference, map(str, available())), *map(uploads.reference, uploads.words())]
    here = [row for row in map(_row, references) if row]
    small_table(
        pd.DataFrame([*here, *_known({str(row["data"]) for row in here})]), _COLUMNS, label="Data sets", on_choose=_choose,
        word="data", hint="name",
        chosen=str(st.session_state.get("data", "")), searches="Find a data set", bars=("rarest",), height=400,
    )  # fmt: skip
    st.caption(_what_is_missing())


def _what_is_missing() -> str:
    """Sentences on how further data sets get onto this machine."""
    ways = [
        "A click on a data set at UCI or at OpenML fetches it; after that it stays here.",
        f"The table also lists the files of the folder that the environment variable {folder.VARIABLE} names.",
    ]
    if not keel.names():
        ways.append(
            f"KEEL's 43 data sets, most of them UCI's, are not in {cache_folder()} yet: with a network, "
            "python -m qcore keel fetches them."
        )
    return " ".join(ways)


def _choose(word: str) -> None:
    if word in map(str, available()) or word in uploads.words():
        st.session_state["data"] = word
    elif word in {one.word for one in KNOWN_SETS}:
        fetching.want(word)


def _known(here: set[str]) -> list[dict[str, object]]:
    """Rows of the papers' data sets that can be fetched and are not here."""
    return [
        {
            "data": one.word, "shown": one.name, "name": f"{one.name} ({one.word})", "rows": one.rows,
            "features": one.features, "classes": one.classes, "rarest": one.rarest,
            "source": f"at\u00a0{REPOSITORIES[one.word.partition(':')[0]].title}",
        }
        for one in KNOWN_SETS if one.word and one.word not in here
    ]  # fmt: skip


def _row(reference: DatasetReference) -> dict[str, object]:
    facts = computations.facts(reference)
    if not facts:
        return {}
    source = SOURCES[reference.source].title.replace(" ", "\u00a0") if reference.source in SOURCES else "uploaded"
    shown = facts["name"] if reference.source in REPOSITORIES else str(reference)
    return {"data": str(reference), "shown": shown, **facts, "source": source}
