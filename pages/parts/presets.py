"""Presets: settings that show something, each with the sentence that says what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from pages.parts import cached
from pages.parts.settings import PAGE, Value, spelt


@dataclass(frozen=True)
class Preset:
    """Settings that differ from the defaults, and why they are interesting."""

    name: str
    why: str
    settings: Mapping[str, Value]


PRESETS: Final = (
    Preset(
        "Textbook case",
        "A good classifier and enough data: counting is biased all the same, and every correction repairs most of it.",
        {},
    ),
    Preset(
        "Rare positives",
        "Only 8 % of the scales balance, and a linear model finds none of them: at the threshold 0.5 there is nothing to "
        "correct, while a lower threshold still sees a little.",
        {"data": "balance", "positive": "balanced", "size": 20},
    ),
    Preset(
        "Weak classifier",
        "Naive Bayes finds half of the positives and raises many false alarms: counting hardly moves with the truth, and "
        "the corrections pay for being right on average with a wide spread.",
        {"data": "tictactoe", "positive": "x does not win", "classifier": "Gaussian naive Bayes"},
    ),
    Preset(
        "Tiny training set",
        "With 28 training instances the tpr and fpr are themselves guesses: see which corrections inherit their error.",
        {"share": 0.05},
    ),
)


def filled(preset: Preset) -> dict[str, Value | None]:
    """All settings of the workbench and the shift controls, as the preset wants them."""
    values = {key: setting.default for key, setting in PAGE.items()} | dict(preset.settings)
    if values["positive"] is None:
        values["positive"] = cached.dataset(str(values["data"])).default_positive
    return values


def choose(preset: Preset) -> None:
    """Set every setting as the preset wants it."""
    for key, value in filled(preset).items():
        st.session_state[key] = value


def preset_buttons() -> None:
    """A button for each preset, and one that goes back to the defaults; the chosen one says why it is interesting."""
    with st.container(horizontal=True, key="presets"):
        for preset in PRESETS:
            st.button(preset.name, key=f"preset {preset.name}", on_click=choose, args=(preset,), help=preset.why)
        st.button("Reset", key="reset", on_click=choose, args=(Preset("Reset", "", {}),), type="tertiary", help="All defaults.")


def current() -> Preset | None:
    """The preset that the settings are at, if they are at one."""
    now = {key: spelt(key, st.session_state[key]) for key in PAGE}
    return next((preset for preset in PRESETS if filled(preset) == now), None)
