"""Tables that a person has uploaded: they belong to the session, and no other session can see, list or guess them.

A link holds the hash of the file and how it is read, never the table; whoever opens it is asked for the file.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, unquote

import pandas as pd
import streamlit as st

from qcore import Dataset, DatasetReference, InvalidInput
from qcore.datasets import folder
from qcore.datasets.folder import chosen_columns
from qcore.datasets.table_reader import read_table

SOURCE: Final = "upload"
_TABLES, _OWNER = "uploaded tables", "owner of uploads"
_HASH_LENGTH: Final = 16


@dataclass(frozen=True)
class UploadedTable:
    """How an uploaded file is read: its name and hash, the column of classes, columns left out, those that are names."""

    file_name: str
    digest: str
    label: str
    left_out: tuple[str, ...] = ()
    as_text: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As a reference spells it."""
        parts = [
            self.file_name,
            self.digest,
            self.label,
            *(f"-{column}" for column in self.left_out),
            *(f"={column}" for column in self.as_text),
        ]
        return "/".join(quote(part, safe=" -=") for part in parts)


def parse(name: str) -> UploadedTable:
    """What the name of a reference spells."""
    file_name, digest, label, *parts = [*(unquote(part) for part in name.split("/")), "", ""]
    left_out = tuple(part[1:] for part in parts if part.startswith("-"))
    return UploadedTable(file_name, digest, label, left_out, tuple(part[1:] for part in parts if part.startswith("=")))


def digest_of(content: bytes) -> str:
    """The hash by which a link knows a file."""
    return hashlib.sha256(content).hexdigest()[:_HASH_LENGTH]


def reference(word: str) -> DatasetReference:
    """The reference of a word, as caches know it.

    That of an upload carries the session's secret, so that no cache is shared with another; that of a file in the folder when
    it was written, so that a file that is replaced is read anew.
    """
    result = DatasetReference.parse(word)
    if result.source == SOURCE:
        return replace(result, owner=owner())
    return replace(result, owner=folder.written(result.name)) if result.source == "folder" else result


def add(frame: pd.DataFrame, table: UploadedTable) -> DatasetReference:
    """Keep a table for this session. Raises InvalidInput if it holds no data set."""
    result = DatasetReference(SOURCE, table.name, owner())
    data = Dataset.from_frame(
        chosen_columns(frame, table.left_out, table.as_text), table.label,
        key=table.file_name, name=table.file_name, description="Uploaded; only this session can see it.",
        source=f"File {table.file_name}, label column {table.label!r}",
    )  # fmt: skip
    st.session_state.setdefault(_TABLES, {})[result] = data
    return result


def words() -> list[str]:
    """The words of this session's uploads."""
    return [str(one) for one in st.session_state.get(_TABLES, {})]


def forget() -> None:
    """Let go of all tables of this session."""
    st.session_state.pop(_TABLES, None)


def is_there(data: DatasetReference) -> bool:
    """Whether a data set is no upload, or one of this session."""
    return data.source != SOURCE or data in st.session_state.get(_TABLES, {})


def shown_name(word: str) -> str:
    """What a picture says of its data set: the word of its reference, or the name of an uploaded file."""
    data = reference(word)
    return load(data).name if data.source == SOURCE and is_there(data) else word


def load(data: DatasetReference) -> Dataset:
    """The data set of this session. Raises InvalidInput for one of another session."""
    tables: dict[DatasetReference, Dataset] = st.session_state.get(_TABLES, {})
    if data not in tables:
        raise InvalidInput("uploaded file", "belong to this session", "none", "Upload the file again, on the page Data sets.")
    return tables[data]


def restore(content: bytes, file_name: str, wanted: DatasetReference) -> None:
    """Keep the file that a link asks for. Raises InvalidInput for another file, and as `read_table`."""
    table = parse(wanted.name)
    if digest_of(content) != table.digest:
        raise InvalidInput(
            f"file {file_name!r}", "be the one of the link", "another", "Choose the file that the link was made of."
        )
    add(read_table(content, file_name), table)


def owner() -> str:
    """The secret of this session."""
    secret: str = st.session_state.setdefault(_OWNER, secrets.token_hex(16))
    return secret
