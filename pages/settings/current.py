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
        value = _from_url(setting.key, setting)
    return setting.spell(value)


def _from_url(key: str, setting: Setting) -> Value:
    # A setting with several values needs an empty word for "none of them".
    default = "" if setting.default is None else setting.default
    words = st.query_params.get_all(key)
    if not words:
        return default
    try:
        return setting.parse(words)
    except ValueError:
        return default
