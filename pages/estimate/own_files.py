"""The user's two files: one labelled, one to be counted; in any order, or both in one file with a column partly empty."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.estimate.computations import OwnSample
from pages.estimate.settings import NO_GROUPS, OWN
from pages.frame.layout import narrow_row
from pages.frame.presets import shows_own_data
from pages.frame.sidebar import SidebarChoice
from pages.own_data import uploads
from pages.own_data.table_choices import reading_notes, say_how_it_was_read, table_choices
from pages.own_data.uploaded_tables import (
    COUNTED,
    FILE,
    LABELLED,
    UploadedFile,
    file_in_box,
    keep_file,
    kept_file,
    uploaded_frame,
)
from pages.own_data.uploads import UploadedTable
from pages.settings.address import current, mark_address_incomplete
from pages.settings.control import escaped
from pages.settings.number_text import listed
from pages.settings.page_declaration import SETTINGS
from pages.settings.setting import LONGEST_TEXT
from pages.work.refusals import shown_in_menu
from qcore import DatasetReference
from qcore.datasets.preparation import is_labelled
from qcore.datasets.table_columns import are_exchanged, may_hold_classes
from qcore.scoring.sample_scores import has_features, labels_in, unknown_labels

COLUMN = "column"
"""Says that it is not known yet which column of the labelled file holds the classes, or the scores."""

_TITLES = {
    LABELLED: "1. Labelled: a column holds the classes",
    COUNTED: "2. To be counted: the same columns, no classes; one file or several",
}
_HELP = {
    LABELLED: "Instances whose class is known, with features, or with texts, as comments are: a classifier is trained on all "
    "of them. Or scores of a classifier of your own, with the true classes. Rows without a class are counted, if there is no "
    "second file.",
    COUNTED: "Instances whose class is not known, with the columns of the labelled file in any order; or scores under the same "
    "name. Other columns, such as a date, do no harm. Several files, such as months, are compared.",
}
_KEYS = {LABELLED: "own labelled", COUNTED: "own sample"}
# A browser that replaces a file first takes the old one back, then sends the new one. The place must not move into the menu or
# out of it in between, or the new file would be lost.
_IN_MENU = "whether both files have been there, so that a menu holds their places"
_EXCHANGED = "files that were exchanged"
_TAKEN = "labelled file that was taken last"
_OF_LINK = "file that the link was made with"
_POSITIVE = "positive class of own files"
_LAST_POSITIVE = "positive class of the labelled file that was taken last"


class OwnFiles(NamedTuple):
    """The table to be counted, and what is missing: LABELLED, COUNTED, or COLUMN."""

    own: OwnSample | None
    missing: tuple[str, ...]


@dataclass(frozen=True)
class _Table:
    """A file and what is in it."""

    file: UploadedFile
    frame: pd.DataFrame

    @property
    def name(self) -> str:
        """The file's name, or names, as it can be shown."""
        return escaped(self.file.called)

    def sample(self, rows_without: str = "") -> OwnSample:
        """The table, or its rows without a value in a column, as a sample to be counted."""
        frame = self.frame[~is_labelled(self.frame[rows_without])] if rows_without else self.frame
        if rows_without:
            # How the file was read is said of its labelled rows.
            frame.attrs.clear()
        return OwnSample(self.file.called, self.file.digest, self.file.owner, frame, rows_without, self.file.names)


def has_files() -> bool:
    """Whether there is a file, or a data set of the user's own: then a classifier and a class are to be chosen."""
    data = uploads.reference(str(current(SETTINGS["data"])))
    return uploads.is_own(data) or any(kept_file(place) is not None for place in _TITLES)


def own_files(sidebar_choice: SidebarChoice) -> OwnFiles:
    """Draw the places of the two files and the choices of columns; a labelled file becomes the data set of the sidebar.

    Raises InvalidInput for a file that is not a table, and for labels that are not classes.
    """
    labelled, counted = kept_file(LABELLED), kept_file(COUNTED)
    known = uploads.is_own(sidebar_choice.data) if labelled is None else uploads.reading(labelled.digest) is not None
    are_both_there = counted is not None and known
    if are_both_there or (labelled is None and counted is None):
        st.session_state[_IN_MENU] = are_both_there
    if st.session_state.get(_IN_MENU):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            is_refused = labelled is not None and _TAKEN not in st.session_state
            named = labelled.called if labelled is not None and is_refused else sidebar_choice.data_name if known else ""
            names = (named, "" if counted is None else counted.called)
            with st.popover(_menu_label(*names), key="files"), shown_in_menu():
                result = _places(sidebar_choice)
            if are_both_there:
                _positive_class(sidebar_choice)
            _offer_again(sidebar_choice)
    else:
        result = _places(sidebar_choice)
        _offer_again(sidebar_choice)
    _say_of_both()
    _keep_in_link(counted)
    if result.own is not None:
        shows_own_data()
    return result


def _keep_in_link(counted: UploadedFile | None) -> None:
    """Name the counted file in the link, and say of one that a link names whether it is the same; nothing else is in a link."""
    asked = st.session_state.setdefault(_OF_LINK, str(current(SETTINGS["sample_file"])))
    name, _, digest = asked.rpartition("/")
    if counted is None:
        if name:
            st.caption(f"This link was made with {escaped(name)}: choose that file to see the same. A link holds no data.")
        return
    if counted.called == name and counted.digest != digest:
        st.caption(
            f"{escaped(name)} is not the file that the link was made with: the name is the same, the content is "
            "not. Numbers may differ."
        )
    now = f"{counted.called}/{counted.digest}"
    if len(now) <= LONGEST_TEXT:
        if st.session_state.get("sample_file") != now:
            st.session_state["sample_file"] = now
            mark_address_incomplete()
        # No control holds this setting, and Streamlit completes the address from controls alone.
        if st.query_params.get("sample_file") != now:
            st.query_params["sample_file"] = now


def _menu_label(labelled: str, counted: str) -> str:
    """The label of the menu of the files; the name of a file that is not there is empty."""
    return f"Files: {escaped(labelled) or 'which one is labelled?'} and {escaped(counted) or 'which one is to be counted?'}"


def use_again() -> None:
    """Take the person's labelled file again, if there is one, after another data set was chosen. To be used as a callback."""
    st.session_state.pop(_TAKEN, None)


def _say_of_both() -> None:
    """Draw what is remarkable about the two files together. It stands outside their menu, so that it is seen."""
    labelled, counted = _table(LABELLED), _table(COUNTED)
    if labelled is None or counted is None:
        return
    if labelled.file.digest == counted.file.digest:
        st.warning(
            f"{labelled.name} and {counted.name} are the same file: tpr and fpr would be measured on the instances that are "
            "counted."
        )
    reading = uploads.reading(labelled.file.digest)
    label = "" if reading is None else reading.label
    if label not in counted.frame.columns or label not in labelled.frame.columns or not is_labelled(counted.frame[label]).all():
        return
    classes = labels_in(labelled.frame[label])
    if strange := unknown_labels(counted.frame, label, classes):
        st.warning(
            f"{labels_unlike_classes(label, strange, classes)} So {counted.name} is taken for a table without known classes."
        )
    elif len(labels_in(counted.frame[label])) > 1:
        st.caption(
            f"{counted.name} has the column {escaped(label)} in every row, too: it is taken for the truth. If it does not hold "
            "the classes, choose another column."
        )


def labels_unlike_classes(label: str, strange: Sequence[str], classes: Sequence[str]) -> str:
    """Which values of a column of labels are not classes, and what the classes are: a sentence in Markdown."""
    values, known = (listed([escaped(name) for name in names], most=4, first=3) for names in (strange, classes))
    return f"The column {escaped(label)} of the file to be counted holds {values}, and the classes are called {known}."


def _places(sidebar_choice: SidebarChoice) -> OwnFiles:
    for part, place in zip(narrow_row("files", 2), _TITLES, strict=True):
        with part:
            _place(place)
    labelled, counted = _table(LABELLED), _table(COUNTED)
    if labelled and counted:
        _tell_apart(labelled, counted)
    if counted:
        say_how_it_was_read(counted.frame, f"{counted.name}: ")
    if labelled is None:
        return _without_labelled(counted, sidebar_choice)
    chosen = table_choices(labelled.frame, labelled.file)
    if counted is None:
        st.button("It has no classes: it is to be counted", on_click=_move, args=(LABELLED, COUNTED))
    if chosen is None:
        return OwnFiles(None, (COLUMN,))
    _take(labelled, chosen.table, sidebar_choice)
    label = chosen.table.label
    rest = None if is_labelled(labelled.frame[label]).all() else labelled.sample(label)
    own = rest if counted is None else counted.sample()
    return OwnFiles(own, () if own else (COUNTED,))


def _tell_apart(labelled: _Table, counted: _Table) -> None:
    """Exchange two files that seem to be in each other's places, once; say so, and offer to undo it."""
    pair, exchanged = {labelled.file.digest, counted.file.digest}, st.session_state.get(_EXCHANGED, set())
    if pair != exchanged and are_exchanged(labelled.frame, counted.frame):
        _exchange()
        st.session_state[_EXCHANGED] = pair
        st.rerun()
    if pair == exchanged and are_exchanged(counted.frame, labelled.frame):
        column = escaped(may_hold_classes(labelled.frame))
        st.caption(
            f"{labelled.name} has one more column, {column}: so it is taken for the labelled file, and {counted.name} is "
            "counted."
        )
        st.button("Exchange them again", on_click=_exchange)


def _place(place: str) -> None:
    """Draw a place for a file, which keeps the file when the page is left and opened again."""
    key = _key(place)
    several = place == COUNTED
    st.file_uploader(_TITLES[place], key=key, on_change=_keep, args=(place,), help=_HELP[place], accept_multiple_files=several)
    kept = kept_file(place)
    if kept is not None and not st.session_state.get(key):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"{escaped(kept.called)} is here.")
            st.button("Remove", key=f"remove {place}", type="tertiary", on_click=_keep_there, args=(place, None))


def _key(place: str) -> str:
    """The key of a place's control: another one after its file has been moved, so that it shows none."""
    moved = int(st.session_state.get(f"{place} moved", 0))
    return f"{_KEYS[place]} {moved}" if moved else _KEYS[place]


def _keep(place: str) -> None:
    file = file_in_box(_key(place))
    if file is not None and file.more and current(SETTINGS["by"]) == NO_GROUPS:
        st.session_state["by"] = FILE
        mark_address_incomplete()
    _keep_there(place, file)


def _keep_there(place: str, file: UploadedFile | None) -> None:
    """Keep a file in its place. A change of the labelled file removes the data set that was made of the former one."""
    keep_file(place, file)
    taken = st.session_state.get(_TAKEN)
    if place == LABELLED and taken is not None:
        if st.session_state.get("data") == str(taken):
            st.session_state["data"] = SETTINGS["data"].default
        uploads.discard(taken)
        del st.session_state[_TAKEN]


def learn_from_labelled(file: UploadedFile) -> None:
    """Take a table that is labelled in part for both files: its labelled rows, and those to be counted. A callback."""
    for place, kept in ((LABELLED, file), (COUNTED, None)):
        _keep_there(place, kept)
        _draw_empty(place)
    st.session_state["way"] = OWN
    mark_address_incomplete()


def _move(place: str, other: str) -> None:
    _keep_there(other, kept_file(place))
    _keep_there(place, None)
    _draw_empty(place)


def _exchange() -> None:
    labelled, counted = kept_file(LABELLED), kept_file(COUNTED)
    for place, file in ((LABELLED, counted), (COUNTED, labelled)):
        keep_file(place, file)
        _draw_empty(place)


def _draw_empty(place: str) -> None:
    st.session_state[f"{place} moved"] = int(st.session_state.get(f"{place} moved", 0)) + 1


def _table(place: str) -> _Table | None:
    """The table in the file of a place. Raises InvalidInput if it holds none."""
    file = kept_file(place)
    return None if file is None else _Table(file, uploaded_frame(file))


def _without_labelled(counted: _Table | None, sidebar_choice: SidebarChoice) -> OwnFiles:
    """Without a labelled file, the data set of the sidebar is the labelled one, if it was chosen, or has the columns."""
    chosen = uploads.is_own(sidebar_choice.data) or str(sidebar_choice.data) != SETTINGS["data"].default
    if chosen:
        st.caption(f"Labelled is {escaped(sidebar_choice.data_name)}, the data set of the sidebar.")
    if counted is None:
        return OwnFiles(None, (COUNTED,) if chosen else (LABELLED, COUNTED))
    if chosen or has_features(counted.frame, pipeline.dataset(sidebar_choice.data)):
        return OwnFiles(counted.sample(), ())
    if column := may_hold_classes(counted.frame):
        given = is_labelled(counted.frame[column])
        rest = "" if given.all() else f" in {given.sum():,} of its {len(given):,} rows"
        st.caption(f"{counted.name} has a column that may hold classes{rest}: {escaped(column)}.")
        label = "Take it as the labelled file" + ("" if given.all() else ", and count the rows without a class")
        st.button(label, on_click=_move, args=(COUNTED, LABELLED))
    return OwnFiles(None, (LABELLED,))


def _take(labelled: _Table, table: UploadedTable, sidebar_choice: SidebarChoice) -> None:
    """Make a labelled file the data set of the sidebar. Raises InvalidInput for labels that are not classes."""
    reference = DatasetReference(uploads.SOURCE, table.name, uploads.owner())
    taken = st.session_state.get(_TAKEN)
    if taken != reference or not uploads.is_there(reference):
        uploads.add(labelled.frame, table)
        if taken is not None and taken != reference:
            uploads.discard(taken)
        st.session_state[_TAKEN] = reference
        uploads.choose(str(reference), st.session_state.get(_LAST_POSITIVE, ""))
    if sidebar_choice.data == reference:
        st.session_state[_LAST_POSITIVE] = sidebar_choice.positive
    else:
        st.caption(f"Now {escaped(sidebar_choice.data_name)} is labelled, since it is chosen in the sidebar.")
    for note in reading_notes(reference):
        st.caption(escaped(note))


def _offer_again(sidebar_choice: SidebarChoice) -> None:
    """Offer the person's labelled file where another data set was chosen since, such as by an example."""
    labelled, taken = kept_file(LABELLED), st.session_state.get(_TAKEN)
    if labelled is not None and taken is not None and sidebar_choice.data != taken:
        st.button(f"Use {escaped(labelled.name)} again", on_click=use_again)


def _positive_class(sidebar_choice: SidebarChoice) -> None:
    """Draw the choice of the positive class, which is that of the sidebar, beside the files."""
    st.session_state[_POSITIVE] = sidebar_choice.positive
    st.selectbox(
        SETTINGS["positive"].label,
        pipeline.dataset(sidebar_choice.data).classes,
        key=_POSITIVE,
        on_change=_choose_positive,
        width=200,
    )


def _choose_positive() -> None:
    st.session_state["positive"] = st.session_state[_POSITIVE]
