"""The drop zone: a file becomes a data set of this session."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts import cached, controls, uploads
from pages.parts.data_box import FILE_TYPES
from pages.parts.settings.pages import SETTINGS
from pages.parts.uploads import UploadedTable
from qcore import InvalidInput
from qcore.datasets.folder import likely_label

_REFUSED = "why the uploaded table is refused"


def upload_zone() -> None:
    """The zone, and below it what the file holds and how it is to be read."""
    file = st.file_uploader(
        "Bring your own table", type=FILE_TYPES, key="own file",
        help="CSV with any separator, TSV, ARFF, Parquet or Excel, gzipped or not, up to 200 MB. A column holds the classes.",
    )  # fmt: skip
    if uploads.words():
        st.button("Forget my tables", on_click=_forget, help="They go out of this session; nothing of them is kept.")
    if file is None:
        st.caption("It stays in this session: no other session can see it, and a link to it asks for the file again.")
        return
    content = file.getvalue()
    digest = uploads.digest_of(content)
    try:
        frame = cached.uploaded_frame(digest, file.name, uploads.owner(), content)
    except InvalidInput as error:
        controls.show_invalid_input(error)
        return
    _choices(frame, digest, file.name)


def _forget() -> None:
    if st.session_state.get("data") in uploads.words():
        st.session_state["data"] = SETTINGS["data"].default
    uploads.forget()


def _choices(frame: pd.DataFrame, digest: str, file_name: str) -> None:
    columns = list(frame.columns)
    label = st.selectbox("Column with the classes", columns, index=columns.index(likely_label(frame)), key=f"label {digest}")
    others = [column for column in columns if column != label]
    left_out = st.multiselect("Leave out", others, key=f"left out {digest}", placeholder="such as names and numbers of rows")
    numbers = [column for column in others if pd.api.types.is_numeric_dtype(frame[column])]
    as_text = st.multiselect("Numbers that are names", numbers, key=f"as text {digest}", placeholder="such as postcodes")
    table = UploadedTable(file_name, digest, label, tuple(left_out), tuple(as_text))
    st.button("Use this table", type="primary", key="use_table", on_click=_use, args=(frame, table))
    if refused := st.session_state.pop(_REFUSED, None):
        controls.show_invalid_input(refused)
    with st.expander(f"The first rows of {len(frame):,}"):
        st.dataframe(frame.iloc[:5, :50], hide_index=True)


def _use(frame: pd.DataFrame, table: UploadedTable) -> None:
    try:
        reference = uploads.add(frame, table)
    except InvalidInput as error:
        st.session_state[_REFUSED] = error
        return
    st.session_state["data"] = str(reference)
