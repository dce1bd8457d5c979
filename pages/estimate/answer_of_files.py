"""An answer to other files takes another place, so that the one to the former files leaves before the new one comes."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.estimate import labelled_part, over_time
from pages.estimate.settings import LABELLED_PART, OWN, SETTINGS, WATCHED
from pages.frame.page_frame import PageParts, headline
from pages.own_data.uploaded_tables import COUNTED, LABELLED, kept_file
from pages.settings.address import current
from pages.settings.control import escaped
from pages.settings.number_text import enumerated
from qcore import DatasetReference

_PLACES = {OWN: (LABELLED, COUNTED), LABELLED_PART: (labelled_part.PLACE,), WATCHED: (over_time.PLACE,)}
"""The places of the files of each way to estimate that takes files."""
_SHOWN = "files of the shown answer"
_MORE = 6
"""An answer that is not made of files has at most this many more elements in one container."""


@dataclass
class _Shown:
    """What an answer was made of, how many others came before it, and whether it has been drawn to its end."""

    made_of: tuple[object, ...]
    number: int
    drawn: bool


@contextlib.contextmanager
def answer_of_files(
    parts: PageParts, data: DatasetReference
) -> Iterator[tuple[PageParts, contextlib.AbstractContextManager[Any]]]:
    """Yield the containers for the answer, and one for what is below; a sentence stands there until a new one is drawn.

    Streamlit keeps what the last run drew until this run draws something in the same place. So the answers to different files
    take turns between two places, and what stands in the other one leaves at once. An answer without files stands as it is.
    """
    places = _PLACES.get(str(current(SETTINGS["way"])))
    if places is None:
        yield parts, contextlib.nullcontext()
        return
    files = [file for file in map(kept_file, places) if file is not None]
    made_of = (places, data, *((file.name, file.digest) for file in files))
    shown: _Shown | None = st.session_state.get(_SHOWN)
    if shown is None or shown.made_of != made_of:
        shown = _Shown(made_of, 0 if shown is None else shown.number + 1, drawn=not files)
        st.session_state[_SHOWN] = shown
    there = {name: _in_turn(getattr(parts, name), shown.number) for name in ("headline", "hero", "notes")}
    under = _in_turn(st.container(), shown.number)
    if not shown.drawn:
        with there["headline"].other:
            headline(f"Working on {enumerated([escaped(file.called) for file in files])} …")
    own: dict[str, Any] = {name: places.own for name, places in there.items()}
    yield replace(parts, **own), under.own
    if not shown.drawn:
        there["headline"].other.empty()
        shown.drawn = True


@dataclass(frozen=True)
class _Places:
    """The place of an answer, and the other one."""

    own: DeltaGenerator
    other: DeltaGenerator


def _in_turn(part: DeltaGenerator, number: int) -> _Places:
    if number % 2:
        other, own = part.empty(), part.container()
    else:
        own, other = part.container(), part.empty()
    # What another way to estimate has drawn here leaves, too.
    for _ in range(_MORE):
        part.empty()
    return _Places(own, other)
