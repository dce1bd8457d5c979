"""How an uploaded table is read: which column holds the classes, which are left out, or which holds the scores."""

from typing import NamedTuple

import pandas as pd
import streamlit as st

from pages.own_data import uploads
from pages.own_data.uploaded_tables import UploadedFile, uploaded_frame
from pages.own_data.uploads import UploadedTable
from pages.settings.control import escaped
from pages.settings.number_text import enumerated
from qcore import DatasetReference
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.table_columns import NAMELESS, column_of_one_class, free_texts, rivals_of_label, why_no_classes
from qcore.datasets.user_tables import TEXT_CLASSIFIER, TableReading, are_decisions, guessed_reading, likely_score

_FEATURES, _SCORES, _TEXTS = "A table of features", "Scores of a classifier", "Texts"
_RIVALS = 3
_CHOSEN = "files whose column of classes was chosen"
"""Where a session keeps their hashes."""


class ChosenTable(NamedTuple):
    """How a table is read, and the second table with the pool's scores, if there is one."""

    table: UploadedTable
    pool: pd.DataFrame | None = None


def table_choices(frame: pd.DataFrame, file: UploadedFile, *, offers_pool: bool = False) -> ChosenTable | None:
    """Draw the choices and return them; None while something is missing. `offers_pool`: whether scores may have a second file.

    Raises InvalidInput for a second file that is not a table.
    """
    digest, columns, before = file.digest, list(frame.columns), uploads.reading(file.digest)
    numbers = [column for column in columns if pd.api.types.is_numeric_dtype(frame[column])]
    guess = guessed_reading(frame)
    kind = _kind(frame, file, guess, has_numbers=bool(numbers))
    first_guess = guess.label if before is None and not why_no_classes(frame, file.name) else ""
    guessed = first_guess if before is None else before.label
    label = st.selectbox(
        "Column with the classes",
        columns,
        index=columns.index(guessed) if guessed in columns else None,
        key=f"label {digest}",
        placeholder="Which column?",
        on_change=_note_choice,
        args=(digest,),
    )
    say_how_it_was_read(frame)
    if label is None:
        of_one_class = column_of_one_class(frame)
        why = "" if of_one_class.startswith(NAMELESS) else why_no_classes(frame, file.name)
        nothing = "" if of_one_class else " If none does, this is no labelled table."
        st.caption(f"{escaped(why)}{' ' if why else ''}Which column holds two classes or more?{nothing}")
        return None
    is_guess = label == guess.label and digest not in st.session_state.get(_CHOSEN, ())
    if is_guess and (rivals := rivals_of_label(frame, label)):
        others = enumerated([f"*{escaped(name)}*" for name in rivals[:_RIVALS]])
        st.caption(f"{escaped(label)} is a guess: {others} may hold the classes as well. Choose above which one it is.")
    numbers = [column for column in numbers if column != label]
    if kind == _TEXTS:
        chosen = _texts(frame, file, label)
    elif kind == _SCORES:
        chosen = _scores(frame, file, label, numbers, offers_pool)
    else:
        chosen = _features(frame, file, label, numbers)
    if chosen is not None:
        uploads.remember_reading(digest, chosen.table)
    return chosen


def _kind(frame: pd.DataFrame, file: UploadedFile, guess: TableReading, *, has_numbers: bool) -> str:
    """Draw the choice of what a table holds, where there is one; returns it."""
    texts = free_texts(frame)
    kinds = [_FEATURES, *([_SCORES] if has_numbers or guess.score else []), *([_TEXTS] if texts else [])]
    if len(kinds) == 1:
        return _FEATURES
    rest = set(frame.columns) - {guess.label, *texts, *guess.left_out}
    likely = _SCORES if guess.score else _TEXTS if texts and not rest else _FEATURES
    if before := uploads.reading(file.digest):
        likely = _TEXTS if before.text else _SCORES if before.score else _FEATURES
    kind: str = st.segmented_control(
        "It holds",
        kinds,
        default=likely,
        required=True,
        key=f"kind {file.digest}",
        help="Scores of a classifier of your own, from 0 to 1, with the true classes: nothing is trained on them. Texts: a "
        "column of sentences, such as comments, whose words are learnt from.",
    )
    return kind


def _texts(frame: pd.DataFrame, file: UploadedFile, label: str) -> ChosenTable | None:
    """The choice of the column of sentences; None where the only one is said to hold the classes."""
    texts, before = [name for name in free_texts(frame) if name != label], uploads.reading(file.digest)
    if not texts:
        return None
    known = before.text if before is not None and before.text in texts else texts[0]
    text = st.selectbox("Column with the texts", texts, index=texts.index(known), key=f"text {file.digest}")
    st.caption(f"A classifier learns from its words alone: {TEXT_CLASSIFIER} (scikit-learn).")
    return ChosenTable(UploadedTable(file.name, file.digest, label, text=str(text)))


def _note_choice(digest: str) -> None:
    """Note that the user has chosen the column of the classes: it is no longer a guess."""
    st.session_state[_CHOSEN] = {*st.session_state.get(_CHOSEN, ()), digest}


def _features(frame: pd.DataFrame, file: UploadedFile, label: str, numbers: list[str]) -> ChosenTable:
    before = uploads.reading(file.digest)
    others = [column for column in frame.columns if column != label]
    likely = guessed_reading(frame, label=label).left_out if before is None else before.left_out
    named = [name for name in others if name in likely]
    left_out = st.multiselect(
        "Leave out", others, default=named, key=f"left out {file.digest}", placeholder="such as numbers of rows"
    )
    if texts := [escaped(name) for name in free_texts(frame[others])]:
        are = f"The column {texts[0]} is" if len(texts) == 1 else f"The columns {enumerated(texts)} are"
        st.caption(f"{are} free text, which is left out. Choose “{_TEXTS}” above to learn from its words alone.")
    words = [] if before is None else [name for name in before.as_text if name in numbers]
    as_text = st.multiselect(
        "Numbers that are names", numbers, default=words, key=f"as text {file.digest}", placeholder="such as postcodes"
    )
    return ChosenTable(UploadedTable(file.name, file.digest, label, tuple(left_out), tuple(as_text)))


def _scores(frame: pd.DataFrame, file: UploadedFile, label: str, numbers: list[str], offers_pool: bool) -> ChosenTable | None:
    """The choice of the scores' column, and the upload of a second file with the pool's scores. Raises InvalidInput."""
    digest = file.digest
    before = uploads.reading(digest)
    guess = guessed_reading(frame, label=label)
    guessed = (guess.score or likely_score(frame, label)) if before is None else before.score
    offered = [column for column in frame.columns if column in numbers or are_decisions(frame, label, column)]
    offered = [column for column in offered if column != label]
    index = offered.index(guessed) if guessed in offered else None
    score = st.selectbox(
        "Column with the scores", offered, index=index, key=f"score {digest}", placeholder="from 0 to 1, or decisions"
    )
    if guess.class_scores:
        names = enumerated([f"{escaped(column)} ({escaped(name)})" for name, column in guess.class_scores])
        st.caption(f"A score for each class: {names}. That of the positive class is taken.")
    pool, pool_name = None, ""
    if offers_pool:
        second = st.file_uploader(
            "A second file for the pool, if you have one",
            key=f"pool {digest}",
            help="It needs the same columns. The first file then gives tpr and fpr, and samples are drawn from the second; "
            "without it, the rows of the first are split. A file without classes is counted on the page Estimate.",
        )
        if second is not None:
            content, pool_name = second.getvalue(), second.name
            digest = uploads.digest_of(file.content, content)
            pool = uploaded_frame(UploadedFile(pool_name, content, uploads.owner(), labelled=False))
            if label not in pool.columns:
                st.warning(
                    f"{escaped(pool_name)} has no column {escaped(label)}, so its classes are not known, and no samples can be "
                    "drawn from it. To have its share estimated, remove it here, and choose it on the page Estimate as the "
                    "file to be counted."
                )
                return None
    return ChosenTable(UploadedTable(file.name, digest, label, score=score, pool=pool_name), pool) if score else None


def say_how_it_was_read(frame: pd.DataFrame, before: str = "") -> None:
    """Draw what the user should know of how a file was read, `before` in front of each sentence."""
    for sentence in sentences_on_reading(frame):
        st.caption(f"{before}{escaped(sentence)}")


def reading_notes(data: DatasetReference) -> list[str]:
    """Sentences on how a table was read, and what of it is not used."""
    return [*uploads.load(data).notes]
