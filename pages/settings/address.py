"""The address of the page in the browser, where Streamlit by itself leaves it incomplete."""

from typing import Final

import streamlit as st

from pages.settings.current import current_settings
from pages.settings.pages import SETTINGS, settings_of
from pages.settings.url import url_words, without_defaults
from pages.streamlit_internals import write_address

_INCOMPLETE: Final = "address lacks settings"


def lacks_settings() -> None:
    """Have the next whole run of the page complete the address: settings were given values other than by their controls.

    Streamlit writes what changes on a page that is drawn, but not the value with which a control appears, nor an empty choice.
    """
    st.session_state[_INCOMPLETE] = True


def complete_address(page: str) -> None:
    """Write all settings of the drawn controls into the address, if that was asked for; call it when the page is drawn."""
    if st.session_state.pop(_INCOMPLETE, False):
        settings = {key: setting for key, setting in settings_of(page).items() if key in st.session_state}
        write_address(without_defaults(url_words(current_settings(settings))), SETTINGS)
