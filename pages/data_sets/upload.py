"""The drop zone: a file, of features or of scores, becomes a data set of this session."""

import pandas as pd
import streamlit as st

from pages.own_data import uploads
from pages.own_data.data_box import FILE_TYPES
from pages.own_data.uploaded_tables import UploadedFile, uploaded_frame
from pages.own_data.uploads import UploadedTable
from pages.settings.pages import SETTINGS
from pages.work.limits import limit
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.datasets.given_scores import likely_score
from qcore.datasets.table_columns import likely_identifiers, likely_label

_KINDS = ("A table of features", "Scores of a classifier")
_REFUSED = "why the uploaded table is refused"


def upload_zone() -> None:
    """Draw the zone, and below it the file's content and the choices of how to read it."""
    file = st.file_uploader(
        "Bring your own table", type=FILE_TYPES, key="own file",
        help="CSV with any separator, TSV, ARFF, Parquet or Excel, gzipped or not, up to "
        f"{limit('UPLOAD_MEGABYTES')} MB. A column holds the classes.",
    )  # fmt: skip
    if uploads.words():
        st.button("Forget my tables", on_click=_forget, help="They go out of this session; nothing of them is kept.")
    if file is None:
        st.caption("It stays in this session: no other session can see it, and a link to it asks for the file again.")
        return
    uploaded = UploadedFile(file.name, file.getvalue(), uploads.owner())
    try:
        frame = uploaded_frame(uploaded)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    _choices(frame, uploaded)


def _forget() -> None:
    if st.session_state.get("data") in uploads.words():
        st.session_state["data"] = SETTINGS["data"].default
    uploads.forget()


def _choices(frame: pd.DataFrame, file: UploadedFile) -> None:
    digest = file.digest
    columns = list(frame.columns)
    numbers = [column for column in columns if pd.api.types.is_numeric_dtype(frame[column])]
    if numbers:
        kind = st.segmented_control(
            "It holds", _KINDS, default=_KINDS[bool(likely_score(frame))], required=True, key=f"kind {digest}",
            help="Scores of a classifier of your own, from 0 to 1, with the true classes: nothing is trained on them.",
        )  # fmt: skip
    label = st.selectbox("Column with the classes", columns, index=columns.index(likely_label(frame)), key=f"label {digest}")
    others = [column for column in columns if column != label]
    if numbers and kind == _KINDS[1]:
        _scores_choices(frame, file, label)
    else:
        named = [name for name in likely_identifiers(frame) if name in others]
        left_out = st.multiselect(
            "Leave out", others, default=named, key=f"left out {digest}", placeholder="such as numbers of rows"
        )
        names = [column for column in numbers if column != label]
        as_text = st.multiselect("Numbers that are names", names, key=f"as text {digest}", placeholder="such as postcodes")
        table = UploadedTable(file.name, digest, label, tuple(left_out), tuple(as_text))
        st.button("Use this table", type="primary", key="use_table", on_click=_use, args=(frame, table))
    if refused := st.session_state.pop(_REFUSED, None):
        show_invalid_input(refused)
    with st.expander(f"The first rows of {len(frame):,}"):
        st.dataframe(frame.iloc[:5, :50], hide_index=True)


def _scores_choices(frame: pd.DataFrame, file: UploadedFile, label: str) -> None:
    """Draw the choice of the scores' column, and the upload of a second file with the pool's scores."""
    digest = file.digest
    numbers = [column for column in frame.columns if column != label and pd.api.types.is_numeric_dtype(frame[column])]
    guessed = likely_score(frame)
    index = numbers.index(guessed) if guessed in numbers else None
    score = st.selectbox("Column with the scores", numbers, index=index, key=f"score {digest}", placeholder="from 0 to 1")
    second = st.file_uploader(
        "A second file for the pool, if you have one", type=FILE_TYPES, key=f"pool {digest}",
        help="The same columns. Then the first file gives tpr and fpr, and samples are drawn from the second; without it, the "
        "rows of the one are split.",
    )  # fmt: skip
    pool = None
    if second is not None:
        content = second.getvalue()
        digest = uploads.digest_of(file.content, content)
        try:
            pool = uploaded_frame(UploadedFile(second.name, content, uploads.owner()))
        except InvalidInput as error:
            show_invalid_input(error)
            return
    if score:
        table = UploadedTable(file.name, digest, label, score=score, pool=second.name if second else "")
        st.button("Use these scores", type="primary", key="use_table", on_click=_use, args=(frame, table, pool))


def _use(frame: pd.DataFrame, table: UploadedTable, pool: pd.DataFrame | None = None) -> None:
    try:
        reference = uploads.add(frame, table, pool)
    except InvalidInput as error:
        st.session_state[_REFUSED] = error
        return
    st.session_state["data"] = str(reference)
