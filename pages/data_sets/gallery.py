"""The data sets that are here, and how to bring your own: the gallery and the place for files."""

import pandas as pd
import streamlit as st

from pages.charts.small_table import Column, small_table
from pages.data_sets import computations
from pages.own_data import fetching, uploads
from pages.own_data.table_choices import table_choices
from pages.own_data.uploaded_tables import UploadedFile, forget_files, uploaded_frame
from pages.own_data.uploads import UploadedTable
from pages.settings.page_declaration import SETTINGS
from pages.work.limits import limit
from pages.work.refusals import show_invalid_input
from qcore import SOURCES, DatasetReference, InvalidInput
from qcore.datasets import keel
from qcore.datasets.catalog import available
from qcore.datasets.repositories import KNOWN_SETS, REPOSITORIES
from qcore.datasets.table_reader import FORMATS

_COLUMNS = (
    Column("shown", "Data set"),
    Column("rows", "Rows", ",d"),
    Column("features", "Features", ",d"),
    Column("classes", "Classes", "d"),
    Column("rarest", "Rarest class", ".0%", "The share of the rarest class; the bar shows the shares of all classes."),
    Column("source", "Where from"),
)


def gallery() -> None:
    """Draw the table; choosing a row chooses the data set on every page."""
    fetching.fetch_wanted()
    references = [*map(uploads.reference, map(str, available())), *map(uploads.reference, uploads.words())]
    here = [row for row in map(_row, references) if row]
    small_table(
        pd.DataFrame([*here, *_known({str(row["data"]) for row in here})]),
        _COLUMNS,
        label="Data sets",
        on_choose=_choose,
        word="data",
        hint="name",
        chosen=str(st.session_state.get("data", "")),
        searches="Find a data set",
        bars={"rarest": "shares"},
        height=400,
    )
    missing = "" if keel.names() else " KEEL's 43 data sets, most of them UCI's, are not here yet."
    st.caption(
        f"A click on a data set at UCI or at OpenML fetches it; after that it stays here.{missing} Whoever runs the app can "
        "add them and folders of tables: docs/deploying.md says how."
    )


def _choose(word: str) -> None:
    if word in map(str, available()) or word in uploads.words():
        st.session_state["data"] = word
    elif word in {one.word for one in KNOWN_SETS}:
        fetching.want(word)


def _known(here: set[str]) -> list[dict[str, object]]:
    """Rows of the papers' data sets that can be fetched and are not here."""
    return [
        {
            "data": one.word,
            "shown": one.name,
            "name": f"{one.name} ({one.word})",
            "rows": one.rows,
            "features": one.features,
            "classes": one.classes,
            "rarest": one.rarest,
            "shares": [] if one.rarest is None else [one.rarest, 1.0 - one.rarest],
            "source": f"at\u00a0{REPOSITORIES[one.word.partition(':')[0]].title}",
        }
        for one in KNOWN_SETS
        if one.word and one.word not in here
    ]


def _row(reference: DatasetReference) -> dict[str, object]:
    facts = computations.facts(reference)
    if not facts:
        return {}
    source = SOURCES[reference.source].title.replace(" ", "\u00a0") if reference.source in SOURCES else "uploaded"
    shown = facts["name"] if reference.source in REPOSITORIES else str(reference)
    return {"data": str(reference), "shown": shown, **facts, "source": source}


_REFUSED = "why the uploaded table is refused"


def upload_zone() -> None:
    """Draw the zone, and below it the file's content and the choices of how to read it."""
    file = st.file_uploader(
        "Bring your own table",
        key="own file",
        help=f"{FORMATS}, up to {limit('UPLOAD_MEGABYTES')} MB. One column must hold the classes.",
    )
    if uploads.words():
        st.button(
            "Forget my tables",
            on_click=_forget,
            help="Removes them, and the files on the page Estimate, from this session; nothing is kept.",
        )
    if file is None:
        st.caption("It stays in this session: no other session can see it, and a link to it asks for the file again.")
        return
    uploaded = UploadedFile(file.name, file.getvalue(), uploads.owner())
    try:
        frame = uploaded_frame(uploaded)
        _choices(frame, uploaded)
    except InvalidInput as error:
        show_invalid_input(error)


def _forget() -> None:
    if st.session_state.get("data") in uploads.words():
        st.session_state["data"] = SETTINGS["data"].default
    uploads.forget()
    forget_files()


def _choices(frame: pd.DataFrame, file: UploadedFile) -> None:
    chosen = table_choices(frame, file, offers_pool=True)
    if chosen is not None:
        label = f"Use {'these scores' if chosen.table.score else 'this table'}"
        st.button(label, type="primary", key="use_table", on_click=_use, args=(frame, *chosen))
    if refused := st.session_state.pop(_REFUSED, None):
        show_invalid_input(refused)
    with st.expander(f"The first rows of {len(frame):,}"):
        st.dataframe(frame.iloc[:5, :50], hide_index=True)


def _use(frame: pd.DataFrame, table: UploadedTable, pool: pd.DataFrame | None = None) -> None:
    try:
        reference = uploads.add(frame, table, pool)
    except InvalidInput as error:
        st.session_state[_REFUSED] = error
        return
    st.session_state["data"] = str(reference)
