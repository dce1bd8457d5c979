"""The way into a classroom: open one as its teacher, or join one by its code."""

import streamlit as st

from pages.learn.classroom.labels import CLASSROOM_LABELS
from pages.learn.classroom.membership import CODE_KEY, join, refusal_of_code, teach
from pages.learn.classroom.store import classrooms
from pages.learn.settings import CLASSROOM
from pages.work.by_address import network_of
from pages.work.reach import address_for_others
from pages.work.turns import visitor
from qcore import InvalidInput

_TYPED = "typed code of a classroom"
_REFUSED = "why no classroom was entered"


def link_to_entrance(language: str) -> str:
    """A sentence with a link to the entrance, as Markdown; empty for the user who is in a classroom."""
    return "" if st.session_state.get(CODE_KEY) else CLASSROOM_LABELS[language]["way_in"]


def entrance(language: str) -> None:
    """Draw the entrance; nothing for the user who is in a classroom, since the strip says so."""
    if st.session_state.get(CODE_KEY):
        return
    labels = CLASSROOM_LABELS[language]
    st.header(labels["classroom"], anchor="classroom")
    st.markdown(labels["about"])
    with st.container(key="classroom-entrance", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(labels["begin"], key="classroom-begin", on_click=_begin, args=(language,))
        with st.form("classroom-join", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.text_input(labels["code"], key=_TYPED, width=180, max_chars=12)
            st.form_submit_button(labels["join"], on_click=_join, args=(labels["no_code"],))
    for_others = address_for_others()
    st.caption(labels["reached"].format(address=for_others) if for_others else labels["here_only"])
    if refused := st.session_state.pop(_REFUSED, None):
        st.warning(refused)


def _begin(language: str) -> None:
    try:
        teach(*classrooms().begin(network_of(visitor()), language))
    except InvalidInput as error:
        st.session_state[_REFUSED] = str(error)


def _join(no_code: str) -> None:
    try:
        code = str(CLASSROOM.parse([st.session_state[_TYPED]]))
    except ValueError:
        code = ""
    try:
        st.session_state[_REFUSED] = no_code if not code else refusal_of_code(code)
    except InvalidInput as error:
        st.session_state[_REFUSED] = str(error)
    if not st.session_state[_REFUSED]:
        join(code)
