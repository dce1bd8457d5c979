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
        "A good classifier and enough data: counting is biased all the same. AC, PACC, EMQ and DyS-PS repair most of that; "
        "T50, at an unlucky threshold, makes it worse.",
        {},
    ),
    Preset(
        "Rare positives",
        "With one positive in ten in training, no training instance gets a score of 0.5: CC and AC say 0 whatever the truth. "
        "PACC and MS look below 0.5 and follow it; T50, EMQ and DyS-PS follow less closely.",
        {
            "data": "tictactoe",
            "positive": "x does not win",
            "classifier": "k nearest neighbours",
            "prior": "0.10",
            "free": True,
        },
    ),
    Preset(
        "Weak classifier",
        "Naive Bayes finds half of the positives and takes a fifth of the negatives for positives: counting hardly moves with "
        "the truth. The corrections do, but with a wide spread, and AC inherits what training got wrong about tpr and fpr. "
        "DyS-PS, which looks at all scores, makes most of them.",
        {"data": "tictactoe", "positive": "x does not win", "classifier": "Gaussian naive Bayes", "free": True},
    ),
    Preset(
        "Tiny training set",
        "With 28 training instances the tpr and fpr are guesses. With these 28, AC, PACC and T50 inherit their error and do "
        "worse than plain counting; MS and DyS-PS, which lean on no single threshold, hold their own. Another seed draws "
        "another 28: try.",
        {"share": 0.05, "free": True},
    ),
)

OWN_SETTINGS: Final = "Settings of your own. A preset above shows something in particular; Copy link keeps what you have."

_VIEW: Final = {"loss", "free"}
"""Settings of how one looks, not of what one looks at: a preset stays itself under another loss."""


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
    """The preset that the settings are at, if they are at one; the loss and the axes may be others."""
    keys = PAGE.keys() - _VIEW
    now = {key: spelt(st.session_state[key]) for key in keys}
    return next((preset for preset in PRESETS if all(filled(preset)[key] == now[key] for key in keys)), None)
