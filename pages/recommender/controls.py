"""The control of the candidates that the recommender chooses from."""

import streamlit as st

from pages.recommender.settings import SETTINGS
from pages.settings import control
from pages.settings.current import current
from qcore import QUANTIFIERS


def controls() -> tuple[str, ...]:
    """Draw the control in a popover named after the choice; returns the candidates in the order of the registry."""
    known = current(SETTINGS["candidates"])
    count = len(known) if isinstance(known, list) else 0
    with st.popover(f"Candidates: {', '.join(known[:3]) if isinstance(known, list) else ''}{' ...' if count > 3 else ''}"):
        chosen = control.several(SETTINGS["candidates"])
    return tuple(method for method in QUANTIFIERS if method in chosen)
