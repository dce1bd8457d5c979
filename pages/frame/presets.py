"""Presets: settings of a page that show something, offered as chips; a page without presets has none of this."""

from collections.abc import Collection, Mapping

import streamlit as st

from pages import pipeline
from pages.own_data import uploads
from pages.own_data.fetching import is_missing
from pages.settings.address import apply_settings, current, current_settings, mark_address_incomplete
from pages.settings.page_declaration import PAGES
from pages.settings.setting import Preset, Value
from pages.settings.shared import SIDEBAR
from qcore import InvalidInput

OWN_SETTINGS = "These are your own settings, not those of an example. The link keeps them."
OWN_DATA = "These are your own data, not those of an example. The link keeps the settings, not the data."
OWN_RESULTS = "This is your own experiment. The link keeps the settings, not the results: save them before you reload the page."
_WHOLE_PAGE = "whole page asked for"
_SAID = "what is said of settings that are not those of an example"
_OWN_DATA = "own data are shown in place of an example's"


_DEFAULTS = Preset("Reset", "", {})


def all_values(page: str, preset: Preset) -> dict[str, Value | None]:
    """The value of every setting of the page under a preset, except those of the sidebar if the preset keeps it."""
    return with_defaults(page, preset.settings, SIDEBAR if preset.keeps_sidebar else ())


def with_defaults(page: str, chosen: Mapping[str, Value], left_out: Collection[str] = ()) -> dict[str, Value | None]:
    """The chosen settings of a page, and the defaults of its others but those left out.

    Raises InvalidInput if the positive class follows from a data set that is not here.
    """
    values = {key: setting.default for key, setting in PAGES[page].settings.items() if key not in left_out} | dict(chosen)
    if values.get("positive", "") is None:
        data = uploads.reference(str(values["data"]))
        if is_missing(data):
            # Only the user's own click fetches anything.
            raise InvalidInput("data set", "be on this machine", str(data), "Fetch it on the page that shows it.")
        values["positive"] = pipeline.dataset(data).default_positive
    return values


def choose(page: str, preset: Preset) -> None:
    """Give the settings of the page the preset's values; view settings, such as the loss, stay unless the preset names them.

    Only the preset of the defaults sets all of them.
    """
    settings = PAGES[page].settings
    apply_settings(
        {
            key: value
            for key, value in all_values(page, preset).items()
            if not settings[key].is_view or key in preset.settings or preset is _DEFAULTS
        }
    )


def _choose_here(page: str, preset: Preset) -> None:
    choose(page, preset)
    rerun_whole_page()


def rerun_whole_page() -> None:
    """Run the whole page anew. For callbacks of controls in a fragment that change what is drawn outside the fragment."""
    st.session_state[_WHOLE_PAGE] = True


def rerun_if_chosen() -> None:
    """Run the whole page again if `rerun_whole_page` asked for it, as when a preset was chosen.

    A run of one fragment alone would leave the sidebar as it was.
    """
    if st.session_state.pop(_WHOLE_PAGE, False):
        mark_address_incomplete()
        st.rerun()


def shows_own_data(said: str = OWN_DATA) -> None:
    """Say, with each run of a page before its chips are drawn, that the user's own data are shown in place of an example's.

    `said` : what the link holds; OWN_SETTINGS of what was typed.
    """
    st.session_state[_OWN_DATA] = said


def says_of_settings(said: str) -> None:
    """Say, with each run of a page before its chips are drawn, what stands in place of OWN_SETTINGS if no example is marked."""
    st.session_state[_SAID] = said


def preset_chips(page: str) -> None:
    """Draw a chip for each preset of a page (the current one marked), one for the defaults, and what the current one shows.

    Draws nothing on a page without presets. Call it after the controls, so that it knows their values.
    """
    presets = PAGES[page].presets
    if not presets:
        return
    own, said = str(st.session_state.pop(_OWN_DATA, "")), str(st.session_state.pop(_SAID, _of_own(page)))
    current = None if own else current_preset(page)
    left = current is not None and _is_left(page, current)
    marked = None if left else current
    with st.container(horizontal=True, key="presets", gap="small", vertical_alignment="center"):
        for preset in presets:
            st.button(
                preset.name,
                key=f"preset {preset.name}",
                on_click=_choose_here,
                args=(page, preset),
                help=None if preset == marked else preset.why,
                type="primary" if preset == marked else "secondary",
            )
        st.button("Reset", key="reset", on_click=_choose_here, args=(page, _DEFAULTS), type="tertiary", help="All defaults.")
    st.caption(f"{f'You started from “{current.name}”. ' if left else ''}{current.why}" if current else own or said)


def _of_own(page: str) -> str:
    """What is said of settings of no example: a link keeps them, but no table that was uploaded."""
    data = PAGES[page].settings.get("data")
    is_uploaded = data is not None and str(current(data)).startswith(f"{uploads.SOURCE}:")
    return OWN_DATA if is_uploaded else OWN_SETTINGS


def _is_left(page: str, preset: Preset) -> bool:
    """Whether a view setting that the preset names, such as the threshold, has been moved since: its text may ask for that."""
    named = {key: setting for key, setting in PAGES[page].settings.items() if setting.is_view and key in preset.settings}
    return any(value != preset.settings[key] for key, value in current_settings(named).items())


def current_preset(page: str) -> Preset | None:
    """The preset whose values the page's settings have, or None; view settings may differ.

    Of several, the one whose own view settings, such as an open section, are those of the page, and which names most of them.
    """
    settings = {key: setting for key, setting in PAGES[page].settings.items() if not setting.is_view}
    current = current_settings(settings)
    if not current.get("positive", "chosen"):
        # On a page without that control nobody may have chosen a class.
        del current["positive"]
    found = [
        preset
        for preset in PAGES[page].presets
        if all(value == current[key] for key, value in all_values(page, preset).items() if key in current)
    ]
    found.sort(key=lambda preset: sum(key not in settings for key in preset.settings), reverse=True)
    return next((preset for preset in found if not _is_left(page, preset)), found[-1] if found else None)
