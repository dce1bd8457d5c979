"""A box to read and type a percentage. Streamlit's own boxes show numbers alone."""

import streamlit as st

from pages.settings.number_text import exact_percentage
from pages.settings.setting import Setting
from pages.settings.typed_text import typed_percentage
from qcore import InvalidInput


def percentage_box(setting: Setting, value: float, *, beside_slider: bool = False) -> None:
    """Draw a box that shows `value`, a share, as a percentage, and sets the setting to what is typed.

    It shows the value as its placeholder: a box that held it would, while a key is held on a slider, send back older values.
    What cannot be read leaves the setting as it is, and a message says what can.
    """
    box = f"{setting.key} typed"

    def on_typed() -> None:
        text = st.session_state[box]
        st.session_state[box] = ""
        try:
            if text:
                st.session_state[setting.key] = typed_percentage(text, *(setting.limits or (0.0, 1.0)))
        except InvalidInput as error:
            st.toast(f"{setting.label}: {error}", icon="⚠️")

    label = f"{setting.label}, typed" if beside_slider else setting.label
    st.text_input(
        label, "", 20, key=box, on_change=on_typed, placeholder=exact_percentage(value), help=setting.help,
        label_visibility="collapsed" if beside_slider else "visible",
    )  # fmt: skip
