"""Fetches data sets of UCI and OpenML to this machine, while the page waits."""

import streamlit as st

from pages.own_data import uploads
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import yield_turn
from qcore import DatasetReference, InvalidInput
from qcore.datasets.repositories import REPOSITORIES, Repository

_WANTED = "data set to fetch"


def want(word: str) -> None:
    """Have a data set fetched and chosen when the page is drawn next. For callbacks, which cannot draw anything."""
    st.session_state[_WANTED] = word


def fetch_box() -> None:
    """Draw a box for the number of any data set."""

    def on_typed() -> None:
        if st.session_state["fetched"].strip():
            want(st.session_state["fetched"])

    st.text_input(
        "Or fetch any data set by its number",
        key="fetched",
        on_change=on_typed,
        max_chars=80,
        placeholder="uci:372, openml:1046",
        help="The number is in the address of its page at UCI (archive.ics.uci.edu/dataset/372) or OpenML (openml.org/d/1046). "
        "uci:184/COLUMN takes another column for the classes. The data set is then kept on this machine.",
    )


def fetch_wanted() -> None:
    """Fetch the wanted data set, if there is one; if that fails, a sentence says why."""
    word = st.session_state.pop(_WANTED, "")
    if word:
        fetch(word)


def fetch(word: str) -> None:
    """Fetch a data set and draw the page anew with it."""
    try:
        wanted = DatasetReference.parse(word.strip().lower() if "/" not in word else word.strip())
        if wanted.source not in REPOSITORIES:
            rule = f"say the repository and the number: {' or '.join(f'{key}:53' for key in REPOSITORIES)}"
            raise InvalidInput("data set", rule, repr(word[:40]), "The number is in the address of its page there.")
        repository = REPOSITORIES[wanted.source]
        with st.spinner(f"Asking {repository.title} for its data set {repository.parse(wanted.name)[0]}"), yield_turn():
            repository.fetch(wanted.name)
            _check(repository, wanted.name)
    except InvalidInput as error:
        show_invalid_input(error)
    else:
        uploads.choose(str(wanted))


def _check(repository: Repository, name: str) -> None:
    """Raise InvalidInput if the fetched table is not a valid data set; unless a column was named, its file is removed, too."""
    try:
        repository.load(name)
    except InvalidInput:
        if not repository.parse(name)[1]:
            repository.forget(name)
        raise


def is_missing(wanted: DatasetReference) -> bool:
    """Whether a data set is one of a repository, and not on this machine."""
    return wanted.source in REPOSITORIES and not REPOSITORIES[wanted.source].is_there(wanted.name)


def ask_whether_to_fetch(wanted: DatasetReference) -> None:
    """Ask whether to fetch the missing data set of a link: only the user's own click fetches anything."""
    title = REPOSITORIES[wanted.source].title
    name = control.escaped(wanted.name)
    st.info(
        f"This link shows data set {name} of {title}, which is not on this machine yet. Fetch it, or choose another in the "
        "sidebar."
    )
    if st.button(f"Fetch it from {title}", key="fetch"):
        fetch(str(wanted))
