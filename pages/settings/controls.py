"""Controls bound to the URL. An unusable value in the URL gives the default, and a sentence that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from pages.settings.links import PAGE_SHOWN
from pages.settings.pages import SETTINGS
from pages.settings.url import STATE_VERSION, url_word
from pages.streamlit_internals import restore_address

_NOTICES = "url notices"
_CHECKED = "url checked"
_RESERVED = {"v", "embed", "embed_options"}


def carry_settings(page: str) -> None:
    """Keep all settings when a person goes to another page; if Back led there, use the settings of its address.

    Streamlit does so by itself for settings that a person has changed, but not for settings of a link if the person goes on at
    once. Settings are carried only when the page changes: setting a value while its control is moved would send an older value
    to the browser.
    """
    if st.session_state.get(PAGE_SHOWN, page) != page:
        for key in SETTINGS:
            if key in st.session_state:
                st.session_state[key] = st.session_state[key]
        restore_address()
    st.session_state[PAGE_SHOWN] = page


def check_url() -> None:
    """Explain unusable values in the URL and remove them; once in each session, before any control is drawn.

    Streamlit itself would replace most of them by the default without a word, and fails on an infinite whole number.
    """
    if st.session_state.get(_CHECKED):
        return
    st.session_state[_CHECKED] = True
    notices: list[str] = []
    unusable: list[str] = []
    for key in st.query_params:
        words = st.query_params.get_all(key)
        if key == "v" and words != [str(STATE_VERSION)]:
            notices.append(
                f"This link was made by another version ({quoted(words)}, this is {STATE_VERSION}): check the settings."
            )
        if key in _RESERVED:
            continue
        problem = _problem(key, words)
        notices += problem
        unusable += [key] * len(problem)
    st.session_state[_NOTICES] = notices
    if unusable:
        kept = {key: st.query_params.get_all(key) for key in st.query_params if key not in unusable}
        st.query_params.from_dict(kept)
        st.rerun()


def _problem(key: str, words: list[str]) -> list[str]:
    if key not in SETTINGS:
        return [f"The link has a setting named {quoted([key])}, which there is not; it is left out."]
    setting = SETTINGS[key]
    try:
        setting.parse(words)
    except ValueError:
        return [refusal(key, words)]
    return []


def refusal(key: str, words: Iterable[str]) -> str:
    """The sentence for a value in the URL that does not fit its setting."""
    setting = SETTINGS[key]
    if isinstance(setting.default, list):
        instead = f" ({', '.join(setting.default) or 'none'})"
        return (
            f"The link's {setting.name}, {quoted(list(words))}, are not {setting.rule}; the default{instead} is used instead."
        )
    instead = "" if setting.default is None else f" ({url_word(setting.default)})"
    return f"The link's {setting.name}, {quoted(list(words))}, is not {setting.rule}; the default{instead} is used instead."


def note(sentence: str) -> None:
    """Add a sentence to the notices about the URL."""
    notices = st.session_state.setdefault(_NOTICES, [])
    if sentence not in notices:
        notices.append(sentence)


def show_notices() -> None:
    """Show the sentences about the URL, until the person closes them."""
    notices = st.session_state.get(_NOTICES, [])
    if notices:
        st.warning("\n\n".join(notices))
        st.button("Understood", key="dismiss_notices", on_click=_dismiss)


def _dismiss() -> None:
    st.session_state[_NOTICES] = []
    if "v" in st.query_params:
        del st.query_params["v"]


def escaped(text: str) -> str:
    """A text that a person or a file supplies, so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_\[\]$<!~|#]|:(?=\S))", r"\\\1", text)


def quoted(words: list[str]) -> str:
    """What a person typed, shortened and escaped for Markdown."""
    text = " ".join((" ".join(words) or "nothing").replace("`", "'").split())[:60]
    return f"`{text}`"


def choice(key: str, label: str, options: Sequence[Any], **more: Any) -> Any:
    """A select box for a setting."""
    return st.selectbox(label, options, index=list(options).index(SETTINGS[key].default), key=key, bind="query-params", **more)


def choice_among(key: str, label: str, options: Sequence[str], default: str, **more: Any) -> str:
    """A select box for a setting whose options depend on another; an earlier choice that is not among them is dropped."""
    if key in st.session_state and st.session_state[key] not in options:
        st.session_state[key] = default
    asked = st.query_params.get(key)
    if key not in st.session_state and asked is not None and asked not in options:
        note(f"The link's {SETTINGS[key].name}, {quoted([asked])}, is not here; {escaped(default)} is used instead.")
    chosen: str = st.selectbox(label, options, index=list(options).index(default), key=key, bind="query-params", **more)
    return chosen


def segments(key: str, label: str, options: Sequence[Any], **more: Any) -> Any:
    """A row of options for a setting; a person chooses one of them."""
    return st.segmented_control(
        label, options, default=SETTINGS[key].default, key=key, bind="query-params", required=True, **more
    )


def number(key: str, label: str, low: int, high: int, step: int = 1, **more: Any) -> int:
    """A box for a setting: a whole number to type."""
    return st.number_input(label, low, high, int(str(SETTINGS[key].default)), step, key=key, bind="query-params", **more)


def box(key: str, label: str, low: float, high: float, step: float, **more: Any) -> float:
    """A number to type for a setting whose name is elsewhere, such as on a bar beside it."""
    default = float(str(SETTINGS[key].default))
    return st.number_input(label, low, high, default, step, key=key, bind="query-params", label_visibility="collapsed", **more)


def fraction(key: str, label: str) -> float:
    """A box for a setting: a number from 0 to 1 to type."""
    return st.number_input(label, 0.0, 1.0, float(str(SETTINGS[key].default)), 0.01, key=key, bind="query-params")


def several(key: str, label: str, options: Sequence[str], **more: Any) -> list[str]:
    """Pills for a setting: a person chooses any number of `options`."""
    default = SETTINGS[key].default
    chosen: list[str] = st.pills(
        label, list(options), selection_mode="multi", default=default if isinstance(default, list) else None, key=key,
        bind="query-params", **more,
    )  # fmt: skip
    return chosen


def several_of(key: str, label: str, options: Sequence[str], **more: Any) -> list[str]:
    """A select box for a setting with many `options`: a person chooses any number of them."""
    default = SETTINGS[key].default
    chosen: list[str] = st.multiselect(
        label, list(options), default if isinstance(default, list) else None, key=key, bind="query-params", **more
    )
    return chosen


def money(key: str, label: str, most: float) -> float:
    """A cost to type for a setting: any number, so that an unusable one can be explained in words."""
    return st.number_input(
        label, -most, most, float(str(SETTINGS[key].default)), 1.0, format="%g", key=key, bind="query-params"
    )


def slider(key: str, label: str, low: Any, high: Any, step: Any, *, digits: int = 2, **more: Any) -> Any:
    """A slider for a setting, with a box beside it to type the value, which is shown with `digits` decimals."""
    bar, typed = st.columns([2, 1], vertical_alignment="bottom")
    with bar:
        if digits > 2:
            more["format"] = f"%.{digits}f"
        value = st.slider(label, low, high, SETTINGS[key].default, step, key=key, bind="query-params", **more)
    # The box shows the value only as its placeholder: if the box held the value, it would send back older values while a key
    # is held down on the slider.
    box = f"{key} typed"

    def on_typed() -> None:
        if st.session_state[box] is not None:
            st.session_state[key] = st.session_state[box]
            st.session_state[box] = None

    with typed:
        st.number_input(
            f"{label}, typed", low, high, None, step, key=box, on_change=on_typed, label_visibility="collapsed",
            placeholder=f"{value:.{digits}f}" if isinstance(value, float) else str(value),
        )  # fmt: skip
    return value
