"""The place of one file of the user's own, which the session keeps when its page is left and opened again."""

from dataclasses import replace

import streamlit as st

from pages.own_data import uploads
from pages.own_data.uploaded_tables import UploadedFile, keep_file, kept_file


def file_place(place: str, key: str) -> None:
    """Draw the box of a file, of the key `key`, and where the box has forgotten the file, a button that removes it."""
    st.file_uploader("A table", key=key, on_change=_keep, args=(place, key), label_visibility="collapsed")
    if kept_file(place) is not None and st.session_state.get(key) is None:
        st.button("Remove it", key=f"remove {key}", on_click=keep_file, args=(place, None))


def file_in_box(key: str) -> UploadedFile | None:
    """The file in the box of that key, with further ones if it takes several; None for none."""
    inside = st.session_state[key]
    files = inside if isinstance(inside, list) else [] if inside is None else [inside]
    made = [UploadedFile(file.name, file.getvalue(), uploads.owner(), labelled=False) for file in files]
    return replace(made[0], more=tuple(made[1:])) if made else None


def _keep(place: str, key: str) -> None:
    keep_file(place, file_in_box(key))
