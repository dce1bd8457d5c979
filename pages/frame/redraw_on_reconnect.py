"""A page is drawn again when its lost connection is back."""

import streamlit as st

_A_DAY = 86_400.0


@st.fragment(run_every=_A_DAY)
def draw_again_when_connected_again() -> None:
    """Draw nothing, but have the whole page run again when a lost connection is restored.

    Streamlit then runs a page only if it has a part that is to run by itself now and then. The connection may lead to another
    process, because the earlier one was restarted or the proxy chose another one; that process has never drawn the page, so a
    control of a fragment would never work there. Settings are not lost: the browser sends them, and the URL holds them.
    """
