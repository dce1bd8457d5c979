"""The value that a setting has in this session."""

from collections.abc import Mapping

import streamlit as st

from pages.settings.setting import Setting, Value


def current_settings(settings: Mapping[str, Setting]) -> dict[str, Value]:
    """The current values of settings; for controls that are not drawn (yet), the values of the URL, or the defaults."""
    return {key: current(setting) for key, setting in settings.items()}


def current(setting: Setting) -> Value:
    """The current value of a setting, as `current_settings`."""
    try:
        value = st.session_state[setting.key]
    except KeyError:
        default = "" if setting.default is None else setting.default
        asked = from_address(setting)
        # An empty list is a value, too: the address says that none of the options is chosen.
        value = default if asked is None else asked
    return setting.canonical(value)


def from_address(setting: Setting) -> Value | None:
    """The value that the address has for a setting; None without one, or with one that does not fit."""
    words = st.query_params.get_all(setting.key)
    try:
        return setting.parse(words) if words else None
    except ValueError:
        return None
