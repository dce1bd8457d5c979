"""The drop zone: a file, of features or of scores, becomes a data set of this session."""

import pandas as pd
import streamlit as st

from pages.own_data import uploads
from pages.own_data.table_choices import table_choices
from pages.own_data.uploaded_tables import UploadedFile, forget_files, uploaded_frame
from pages.own_data.uploads import UploadedTable
from pages.settings.page_declaration import SETTINGS
from pages.work.limits import limit
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.datasets.table_reader import FORMATS

_REFUSED = "why the uploaded table is refused"


def upload_zone() -> None:
    """Draw the zone, and below it the file's content and the choices of how to read it."""
    file = st.file_uploader(
        "Bring your own table", key="own file",
        help=f"{FORMATS}, up to {limit('UPLOAD_MEGABYTES')} MB. One column must hold the classes.",
    )  # fmt: skip
    if uploads.words():
        st.button(
            "Forget my tables",
            on_click=_forget,
            help="Removes them, and the files on the page Estimate, from this session; nothing of them is kept.",
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
