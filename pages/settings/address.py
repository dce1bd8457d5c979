"""The address of the page in the browser, where Streamlit by itself leaves it incomplete."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from pages.settings.current import current_settings, from_address
from pages.settings.page_declaration import SETTINGS, settings_of
from pages.settings.setting import Value
from pages.settings.url import url_words, without_defaults
from pages.streamlit_internals import drawn_controls, write_address

_INCOMPLETE: Final = "address lacks settings"


def mark_address_incomplete() -> None:
    """Have the next whole run of the page complete the address: settings were given values other than by their controls.

    Streamlit writes what changes on a page that is drawn, but not the value with which a control appears, nor an empty choice.
    """
    st.session_state[_INCOMPLETE] = True


def apply_settings(values: Mapping[str, Value | None]) -> None:
    """Give settings these values before a page is drawn, and correct the address, which undrawn controls take theirs from."""
    known = {key: value for key, value in values.items() if value is not None}
    words, drawn = without_defaults(url_words(known)), drawn_controls()
    for key, value in values.items():
        st.session_state[key] = value
        if key in st.query_params and key not in drawn:
            if key in words:
                st.query_params[key] = words[key]
            else:
                del st.query_params[key]


def undrawn_in_address(page: str) -> dict[str, Value]:
    """Settings of a page that its address has, but no control yet: those of sections that have not been opened."""
    settings = settings_of(page)
    undrawn = [key for key in st.query_params if key in settings and key not in st.session_state]
    return {key: value for key in undrawn if (value := from_address(settings[key])) is not None}


def complete_address(page: str) -> None:
    """Write all settings of drawn controls into the address after `mark_address_incomplete`: when the page is drawn."""
    if st.session_state.pop(_INCOMPLETE, False):
        settings = {key: setting for key, setting in settings_of(page).items() if key in st.session_state}
        write_address(without_defaults(url_words(current_settings(settings))), SETTINGS)
