"""Reads the tables of uploaded files, in another process if they may be large."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from pages.own_data import uploads
from pages.settings.number_text import enumerated
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from pages.work.limits import check_within
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.datasets.limited_reading import read_table_within_limits
from qcore.datasets.table_reader import is_light

_BYTES_PER_SECOND = 5_000_000
_FILES = "files for an estimate"
_REFUSED = "a file that was not kept"

FILE = "file"
"""The column that says which of several files a row is from."""

LABELLED, COUNTED = "labelled", "counted"
"""The places of the user's two files on the page Estimate."""


@dataclass(frozen=True)
class UploadedFile:
    """An uploaded file: its name, what is in it, whose it is, and how it is read.

    Attributes
    ----------
    name, content : of the file.
    owner : the secret of the session that it belongs to, which keeps it from others.
    labelled : whether it is to hold classes.
    more : further files of the same kind, which are read into one table with it.
    digest : the hash of its content.
    """

    name: str
    content: bytes = field(repr=False)
    owner: str = field(repr=False)
    labelled: bool = True
    more: "tuple[UploadedFile, ...]" = ()

    @cached_property
    def digest(self) -> str:
        """The hash of its content."""
        return uploads.digest_of(self.content, *(one.content for one in self.more))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files."""
        return (self.name, *(one.name for one in self.more))

    @property
    def called(self) -> str:
        """What it is called in sentences: by its name, or its names."""
        return enumerated(list(self.names)) if self.more else self.name

    @property
    def size(self) -> int:
        """The number of bytes of all files."""
        return sum(len(one.content) for one in (self, *self.more))

    @property
    def cache_key(self) -> Hashable:
        """What a cache knows it by."""
        return (self.digest, self.names, self.owner, self.labelled)


@shared
def _is_light(file: UploadedFile) -> bool:
    """Whether a file is read in a moment: a packed one is unpacked to know, once and not with each run of a page."""
    return is_light(file.content, file.name)


def _seconds(file: UploadedFile) -> float:
    # A file whose content may be large is read in another process, however few bytes it has.
    return len(file.content) / _BYTES_PER_SECOND + (0.0 if _is_light(file) else 1.0)


@work("Reading the file", _seconds)
def _table(file: UploadedFile) -> Work[pd.DataFrame]:
    return Work(read_table_within_limits, (file.content, file.name), {"labelled": file.labelled}, tells=False, is_local=True)


@shared
def _together(file: UploadedFile) -> pd.DataFrame:
    """The tables in several files as one. Raises InvalidInput."""
    first, *rest = map(uploaded_frame, (replace(file, more=()), *file.more))
    for one, table in zip(file.more, rest, strict=True):
        if set(table.columns) != set(first.columns):
            odd = min(map(str, set(table.columns) ^ set(first.columns)))
            hint = "Choose files with the same columns, or one file."
            raise InvalidInput(f"the columns of {one.name}", f"be those of {file.name}", f"a difference in {odd}", hint)
    names = np.repeat(np.array(file.names, dtype=object), [len(table) for table in (first, *rest)])
    # In the order in which they were chosen.
    of_file = pd.Categorical(names, categories=list(dict.fromkeys(file.names)), ordered=True)
    together = pd.concat([first, *rest], ignore_index=True).assign(**{FILE: of_file})
    together.attrs = dict(first.attrs)
    return together


def uploaded_frame(file: UploadedFile) -> pd.DataFrame:
    """The table in an uploaded file; of several files all rows, with a column FILE that says where they are from.

    Raises InvalidInput.
    """
    if file.more:
        return _together(file)
    table = _table(file)
    check_within("ROWS", f"the rows of {file.name}", len(table), "Draw some of them at random, and upload these.")
    return table


def keep_file(place: str, file: UploadedFile | None) -> None:
    """Keep a file in the session under the name of its place, for when the page is opened again; None drops it.

    A file for which there is no memory is not kept: `kept_file` says so once.
    """
    files: dict[str, UploadedFile] = st.session_state.setdefault(_FILES, {})
    files.pop(place, None)
    try:
        uploads.hold(uploads.owner(), place, 0 if file is None else file.size)
    except InvalidInput as error:
        st.session_state[_REFUSED] = error
        return
    if file is not None:
        files[place] = file


def kept_file(place: str) -> UploadedFile | None:
    """The kept file of a place."""
    if refused := st.session_state.pop(_REFUSED, None):
        show_invalid_input(refused)
    files: dict[str, UploadedFile] = st.session_state.get(_FILES, {})
    return files.get(place)


def forget_files() -> None:
    """Drop all kept files of this session."""
    for place in st.session_state.pop(_FILES, {}):
        uploads.hold(uploads.owner(), place, 0)


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
