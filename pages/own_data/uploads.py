"""Tables that the user has uploaded: they belong to the session, and no other session can see, list or guess them.

A link holds the hash of the file and how it is read, never the table; whoever opens it is asked for the file. Tables and files
take memory while their page is open, up to the server's limits.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import NoReturn
from urllib.parse import quote, unquote

import pandas as pd
import streamlit as st

from pages.work.by_address import Held, Holding, TooMuch, network_of
from pages.work.limits import limit
from pages.work.turns import visitor
from qcore import Dataset, DatasetReference, InvalidInput
from qcore.datasets import folder
from qcore.datasets.catalog import available
from qcore.datasets.table_reader import read_table
from qcore.datasets.user_tables import TableReading, dataset_of_table, guessed_reading

SOURCE = "upload"
_TABLES, _OWNER, _ARRIVED = "uploaded tables", "owner of uploads", "data set that has arrived"
_READINGS = "how files are read"
_DISCARDED = "words of dropped tables"
_HOLDERS = "what holds uploaded tables"
_HASH_LENGTH = 16
_MARKS = "-=~+*"
"""What names begin with in a reference: columns left out, read as text, of scores, the pool's file, a column of sentences."""


@dataclass(frozen=True)
class UploadedTable:
    """How an uploaded file is read: its name and hash, the column of classes, columns left out, columns read as text.

    If the file holds the scores of the user's own classifier, `score` is their column and `pool` is the name of a second file
    (empty for none); with a second file, the hash is that of both. `text` is a column of sentences that is learnt from.
    """

    file_name: str
    digest: str
    label: str
    left_out: tuple[str, ...] = ()
    as_text: tuple[str, ...] = ()
    score: str = ""
    pool: str = ""
    text: str = ""

    @property
    def name(self) -> str:
        """The table's name in a data set's reference."""
        parts = [
            self.file_name,
            self.digest,
            self.label,
            *(f"-{column}" for column in self.left_out),
            *(f"={column}" for column in self.as_text),
            *(f"~{column}" for column in (self.score,) if column),
            *(f"+{name}" for name in (self.pool,) if name),
            *(f"*{column}" for column in (self.text,) if column),
        ]
        return "/".join(quote(part, safe=f" {_MARKS}") for part in parts)


def parse(name: str) -> UploadedTable:
    """The uploaded table that the name of a reference describes."""
    file_name, digest, label, *parts = [*(unquote(part) for part in name.split("/")), "", ""]
    marked = {mark: tuple(part[1:] for part in parts if part.startswith(mark)) for mark in _MARKS}
    score, pool, text = ("".join(marked[mark][:1]) for mark in "~+*")
    return UploadedTable(file_name, digest, label, marked["-"], marked["="], score, pool, text)


def digest_of(*contents: bytes) -> str:
    """The hash by which a link knows a file, or two."""
    if len(contents) > 1:
        # The hash of the hashes: other pairs of files could have the same bytes in sequence.
        contents = (b"".join(hashlib.sha256(content).digest() for content in contents),)
    return hashlib.sha256(contents[0]).hexdigest()[:_HASH_LENGTH]


def reference(word: str) -> DatasetReference:
    """The reference of a word, as caches use it.

    The reference of an upload holds the session's secret, so that no other session shares its cache; the reference of a file
    in the folder holds the time when it was written, so that a replaced file is read again.
    """
    result = DatasetReference.parse(word)
    if result.source == SOURCE:
        return replace(result, owner=owner())
    return replace(result, owner=folder.written(result.name)) if result.source == "folder" else result


def add(frame: pd.DataFrame, table: UploadedTable, pool: pd.DataFrame | None = None) -> DatasetReference:
    """Keep a table, or scores and their pool's scores, for this session.

    Raises InvalidInput for an invalid data set, and where there is no memory for it.
    """
    result = DatasetReference(SOURCE, table.name, owner())
    dataset = _dataset(frame, table, pool).loaded_by(result)
    hold(owner(), str(result), sum(int(one.memory_usage(deep=True).sum()) for one in (frame, pool) if one is not None))
    st.session_state.setdefault(_TABLES, {})[result] = dataset
    return result


def _dataset(frame: pd.DataFrame, table: UploadedTable, pool: pd.DataFrame | None) -> Dataset:
    reading = TableReading(table.label, table.score, table.left_out, table.as_text, text=table.text)
    if table.score:
        of_classes = guessed_reading(frame, label=table.label, score=table.score).class_scores
        reading = replace(reading, class_scores=of_classes)
    return dataset_of_table(
        frame,
        reading,
        pool=pool,
        key=table.file_name,
        name=table.file_name,
        description="Uploaded; only this session can see it.",
        source=f"File {table.file_name}, label column {table.label!r}",
    )


def choose(word: str, positive: str = "") -> NoReturn:
    """Choose a data set that has just arrived, and draw the page anew: the box of data sets cannot be set once it is drawn.

    `positive` becomes its positive class if it has a class of that name; otherwise its default does.
    """
    st.session_state[_ARRIVED] = word, positive
    st.rerun()


def choose_arrived() -> None:
    """Choose the data set that has just arrived; before the box of data sets is drawn."""
    if arrived := st.session_state.pop(_ARRIVED, None):
        st.session_state["data"], positive = arrived
        if positive:
            st.session_state["positive"] = positive


def words() -> list[str]:
    """The words of this session's uploads."""
    return [str(one) for one in st.session_state.get(_TABLES, {})]


def when_forgotten(act: Callable[[], object]) -> None:
    """Call `act` when this session's tables are dropped: for objects that hold one of them."""
    st.session_state.setdefault(_HOLDERS, []).append(act)


def words_with_features() -> list[str]:
    """The words of all data sets here, of this machine and of this session, that a classifier can be trained on."""
    return [*map(str, available()), *(word for word in words() if not are_scores(word))]


def words_of_scores() -> list[str]:
    """The words of this session's uploads that hold scores of the user's own classifier."""
    return [word for word in words() if parse(DatasetReference.parse(word).name).score]


def forget() -> None:
    """Drop all tables of this session, and what holds them."""
    for word in words():
        hold(owner(), word, 0)
    st.session_state.pop(_TABLES, None)
    st.session_state.pop(_READINGS, None)
    for act in st.session_state.pop(_HOLDERS, []):
        act()


def is_there(data: DatasetReference) -> bool:
    """Whether this session has the upload that a data set is; True for a data set that is not an upload."""
    return data.source != SOURCE or data in st.session_state.get(_TABLES, {})


def shown_name(word: str) -> str:
    """The name of a data set in pictures: the word of its reference, or the name of an uploaded file."""
    data = reference(word)
    return load(data).name if data.source == SOURCE and is_there(data) else word


def is_own(data: DatasetReference) -> bool:
    """Whether a data set is the user's own table: uploaded, or of the folder that the app was started with."""
    return data.source in {SOURCE, "folder"}


def discard(data: DatasetReference) -> None:
    """Drop one table of this session that another file replaces; the session does not ask for its file again."""
    st.session_state.get(_TABLES, {}).pop(data, None)
    hold(owner(), str(data), 0)
    st.session_state.setdefault(_DISCARDED, set()).add(str(data))


def is_discarded(word: str) -> bool:
    """Whether a word refers to a table that this session has dropped, and not taken again."""
    return word in st.session_state.get(_DISCARDED, ()) and word not in words()


def remember_reading(digest: str, table: UploadedTable) -> None:
    """Keep how a file is read, for when its controls are drawn again: Streamlit forgets those that were not drawn."""
    st.session_state.setdefault(_READINGS, {})[digest] = table


def reading(digest: str) -> UploadedTable | None:
    """How a file was read last in this session."""
    known: UploadedTable | None = st.session_state.get(_READINGS, {}).get(digest)
    return known


def label_column(data: DatasetReference) -> str:
    """The column of an uploaded table that holds the classes; empty for other data sets."""
    return parse(data.name).label if data.source == SOURCE else ""


def are_scores(word: str) -> bool:
    """Whether a word refers to uploaded scores or texts, on which no classifier of the app is trained."""
    if not word.startswith(f"{SOURCE}:"):
        return False
    table = parse(DatasetReference.parse(word).name)
    return bool(table.score or table.text)


def load(data: DatasetReference) -> Dataset:
    """The uploaded data set of this session. Raises InvalidInput for another session's upload."""
    tables: dict[DatasetReference, Dataset] = st.session_state.get(_TABLES, {})
    if data not in tables:
        raise InvalidInput("uploaded file", "belong to this session", "none", "Upload the file again, on the page Data sets.")
    return tables[data]


def restore(
    files: Sequence[tuple[str, bytes]], wanted: DatasetReference, read: Callable[[bytes, str], pd.DataFrame] = read_table
) -> None:
    """Keep the file, or the two files, that a link asks for, as `read` reads them.

    Raises InvalidInput for others, and as `read` does.
    """
    table = parse(wanted.name)
    # The user chooses two files in any order, and perhaps a wrong one with them.
    orders = permutations(files, 2 if table.pool else 1)
    order = next((one for one in orders if digest_of(*(content for _, content in one)) == table.digest), None)
    if order is None:
        names, expected = ", ".join(name for name, _ in files), " and ".join(filter(None, (table.file_name, table.pool)))
        raise InvalidInput(
            f"file {names!r}", "be the one of the link", "another", f"Choose what the link was made of: {expected}."
        )
    frames = [read(content, name) for name, content in order]
    add(frames[0], table, *frames[1:2])


def owner() -> str:
    """The secret of this session, by which caches know its uploads."""
    secret: str = st.session_state.setdefault(_OWNER, secrets.token_hex(16))
    return secret


_MEGABYTE = 2**20
_HELD = Held(limit("TABLES_MEGABYTES") * _MEGABYTE, limit("TABLES_MEGABYTES_OF_ONE_SESSION") * _MEGABYTE)
_SHARES = "memory of tables"
"""Where a session keeps its holdings: they end with it."""
_WHOSE = {
    "session": (
        "the tables and files of this page",
        "TABLES_MEGABYTES_OF_ONE_SESSION",
        "Remove one, or reload the page.",
    ),
    "address": ("the tables and files of all pages from your network address", "TABLES_MEGABYTES", "Try again later."),
    "all": ("the tables and files of all open pages", "TABLES_MEGABYTES", "Try again when others have closed theirs."),
}


def hold(session: str, name: str, n_bytes: int) -> None:
    """Count what a session keeps under a name, instead of what it kept there; 0 if it keeps nothing. Raises InvalidInput."""
    shares: dict[str, Holding] = st.session_state.setdefault(_SHARES, {})
    _HELD.give_back(shares.pop(name, None))
    if n_bytes:
        try:
            shares[name] = _HELD.take(n_bytes, network_of(visitor()), session)
        except TooMuch as error:
            whose, key, hint = _WHOSE[error.of]
            most = _HELD.of_one_address // _MEGABYTE if error.of == "address" else limit(key)
            rule = f"take at most {most:,} MB on this server"
            raise InvalidInput(whose, rule, f"{n_bytes / _MEGABYTE:,.0f} MB more", hint) from error
