"""The choice of the data set in the sidebar; a link to a missing data set asks for its file, or whether to fetch it."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile as UploadedBytes

from pages.own_data import fetching, uploads
from pages.own_data.uploaded_tables import LABELLED, UploadedFile, keep_file, uploaded_frame
from pages.settings import control
from pages.settings.address import current
from pages.settings.page_declaration import SETTINGS
from pages.settings.shared import DATA
from pages.work.refusals import show_invalid_input
from qcore import DatasetReference, InvalidInput
from qcore.datasets.catalog import available
from qcore.datasets.repositories import REPOSITORIES

_ASKED_FOR = tuple(f"{source}:" for source in (uploads.SOURCE, *REPOSITORIES))


def data_box() -> DatasetReference:
    """Draw the box and return the chosen data set."""
    uploads.choose_arrived()
    words = [*map(str, available()), *uploads.words()]
    wanted = str(current(SETTINGS["data"]))
    # With the file that replaces a table, the browser may still send the dropped table's word: that file is not asked for.
    if wanted.startswith(_ASKED_FOR) and wanted not in words and not uploads.is_discarded(wanted):
        words.append(wanted)
    elif wanted not in words and "data" in st.session_state:
        st.session_state["data"] = SETTINGS["data"].default
    chosen = uploads.reference(str(st.session_state.get("data", wanted)))
    with _place_of(chosen):
        word = control.choice(
            DATA["data"], words, help=f"{len(words)} data sets are here. The page Data sets shows them, and takes your own."
        )
    return uploads.reference(word)


def _place_of(chosen: DatasetReference) -> DeltaGenerator:
    """The place of the box, which has the words of links: of a file its name is shown, and the box when it is asked for."""
    if chosen.source != uploads.SOURCE:
        return st.container()
    st.markdown(f"Data set: **{control.escaped(uploads.parse(chosen.name).file_name)}**")
    return st.expander("Another data set")


def forget_missing_table() -> None:
    """Take the default data set in place of a table that is not here, for a view that needs no table."""
    wanted = uploads.reference(str(current(SETTINGS["data"])))
    if not uploads.is_there(wanted):
        # Another data set does not have that table's positive class, so its default is taken.
        st.session_state.update(data=SETTINGS["data"].default, positive="")


def ask_for_what_is_missing(wanted: DatasetReference) -> None:
    """If a data set is missing (another session's upload, or a repository's), ask for it and end the page."""
    if fetching.is_missing(wanted):
        fetching.ask_whether_to_fetch(wanted)
        st.stop()
    if uploads.is_there(wanted):
        return
    st.info(
        "This link shows an uploaded table, which only the session that uploaded it can see. Choose the same file to see the "
        "same view; or choose another data set in the sidebar."
    )
    table = uploads.parse(wanted.name)
    n_files = 2 if table.pool else 1
    files = st.file_uploader(
        f"The file of this link: {control.escaped(table.file_name)}"
        if n_files == 1
        else f"The two files of this link: {control.escaped(table.file_name)} and {control.escaped(table.pool)}",
        key="file of the link",
        accept_multiple_files=True,
    )
    if len(files) >= n_files:
        try:
            uploads.restore([(file.name, file.getvalue()) for file in files], wanted, _read)
            _keep_labelled(files, table)
        except InvalidInput as error:
            show_invalid_input(error)
        else:
            st.rerun()
    st.stop()


def _keep_labelled(files: Sequence[UploadedBytes], table: uploads.UploadedTable) -> None:
    """Keep the file of a link as the labelled file of "Estimate", which may count its rows without a class."""
    for file in files:
        uploaded = UploadedFile(file.name, file.getvalue(), uploads.owner(), labelled=False)
        if uploaded.digest == table.digest:
            keep_file(LABELLED, uploaded)
            uploads.remember_reading(table.digest, table)


def _read(content: bytes, name: str) -> pd.DataFrame:
    return uploaded_frame(UploadedFile(name, content, uploads.owner()))
