"""Presets: settings of a page that show something, offered as buttons; a page without presets has none of this."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Final

import streamlit as st

from pages.parts import cached
from pages.parts.links import current_settings
from pages.parts.settings.pages import settings_of
from pages.parts.settings.setting import Value

OWN_SETTINGS: Final = "Settings of your own. A preset above shows something in particular; Copy link keeps what you have."


@dataclass(frozen=True)
class Preset:
    """Settings of a page that differ from the defaults, and why they are interesting."""

    name: str
    why: str
    settings: Mapping[str, Value]


_DEFAULTS: Final = Preset("Reset", "", {})


@cache
def presets_of(page: str) -> tuple[Preset, ...]:
    """The presets of a page: `PRESETS` in `pages/parts/NAME/presets.py`, or none."""
    name = f"{__package__}.{page}.presets"
    if find_spec(f"{__package__}.{page}") is None or find_spec(name) is None:
        return ()
    presets: tuple[Preset, ...] = importlib.import_module(name).PRESETS
    return presets


def all_values(page: str, preset: Preset) -> dict[str, Value | None]:
    """The value of every setting of the page under a preset."""
    values = {key: setting.default for key, setting in settings_of(page).items()} | dict(preset.settings)
    if values.get("positive", "") is None:
        values["positive"] = cached.dataset(str(values["data"])).default_positive
    return values


def choose(page: str, preset: Preset) -> None:
    """Set every setting of the page as the preset has it."""
    for key, value in all_values(page, preset).items():
        st.session_state[key] = value


def preset_buttons(page: str) -> None:
    """A button for each preset of a page, and one for the defaults; nothing for a page without presets."""
    presets = presets_of(page)
    if not presets:
        return
    with st.container(horizontal=True, key="presets"):
        for preset in presets:
            st.button(preset.name, key=f"preset {preset.name}", on_click=choose, args=(page, preset), help=preset.why)
        st.button("Reset", key="reset", on_click=choose, args=(page, _DEFAULTS), type="tertiary", help="All defaults.")


def current_preset(page: str) -> Preset | None:
    """The preset that the page's settings are those of, if any; settings that are a way of looking may differ."""
    settings = {key: setting for key, setting in settings_of(page).items() if not setting.is_view}
    current = current_settings(settings)
    for preset in presets_of(page):
        values = all_values(page, preset)
        if all(values[key] == current[key] for key in settings):
            return preset
    return None


def show_current_preset(page: str) -> None:
    """Why the current preset of a page is interesting, or that the settings are the person's own."""
    if presets_of(page):
        preset = current_preset(page)
        st.info(f"**{preset.name}.** {preset.why}" if preset else OWN_SETTINGS)
