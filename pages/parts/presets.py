"""How a page offers its presets: buttons, what choosing one sets, and which one the settings are at."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from pages.parts import cached
from pages.parts.cases import PAGE_PRESETS, Preset
from pages.parts.settings import ASSUMPTION, CALIBRATED, LOOK_CLOSER, SAMPLE, TREND, Value
from pages.parts.share import page_settings

OWN_SETTINGS: Final = "Settings of your own. A preset above shows something in particular; Copy link keeps what you have."

_VIEW: Final = {"loss", "free", *SAMPLE, *TREND, *ASSUMPTION, "on", *CALIBRATED, *LOOK_CLOSER} - {"size"}
"""Settings of how one looks, not of what one looks at: a preset stays itself under another loss or threshold."""


def filled(preset: Preset) -> dict[str, Value | None]:
    """All settings of the page, as the preset wants them."""
    values = {key: setting.default for key, setting in preset.page.items()} | dict(preset.settings)
    if values["positive"] is None:
        values["positive"] = cached.dataset(str(values["data"])).default_positive
    return values


def choose(preset: Preset) -> None:
    """Set every setting as the preset wants it."""
    for key, value in filled(preset).items():
        st.session_state[key] = value


def preset_buttons(page: str = "error") -> None:
    """A button for each preset of a page, and one that goes back to the defaults; the chosen one says why it is interesting."""
    presets = PAGE_PRESETS[page]
    defaults = replace(presets[0], name="Reset", why="", settings={})
    with st.container(horizontal=True, key="presets"):
        for preset in presets:
            st.button(preset.name, key=f"preset {preset.name}", on_click=choose, args=(preset,), help=preset.why)
        st.button("Reset", key="reset", on_click=choose, args=(defaults,), type="tertiary", help="All defaults.")


def current(page: str = "error") -> Preset | None:
    """The preset that the page's settings are at, if they are at one; what is only a way of looking may differ."""
    presets = PAGE_PRESETS[page]
    keys = presets[0].page.keys() - _VIEW
    now = {key: value for key, value in page_settings(presets[0].page).items() if key in keys}
    return next((preset for preset in presets if all(filled(preset)[key] == now[key] for key in keys)), None)


def show_current(page: str = "error") -> None:
    """Why the preset that a page is at is interesting, or that the settings are the person's own."""
    preset = current(page)
    st.info(f"**{preset.name}.** {preset.why}" if preset else OWN_SETTINGS)
