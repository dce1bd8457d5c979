"""A view of the app: a page with settings, as "Copy link" writes it; and how a session gets to a view from any page."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from pages.frame.navigation import streamlit_page
from pages.frame.presets import with_defaults
from pages.settings.address import apply_settings, mark_address_incomplete, url_words, without_defaults
from pages.settings.page_declaration import PAGES, settings_of
from pages.settings.setting import Value, section_key
from qcore import InvalidInput

WANTED_VIEW = "view that is wanted"
"""The key of the session state that holds it."""
_ON_THE_WAY = "page from which the view that is wanted is on its way"
ARRIVED = "positive class of a view"
"""Whether the positive class was given by a view that the sidebar has not drawn yet."""
_HAS_RUN = "a page has been asked for"


@dataclass(frozen=True)
class View:
    """A page, and its settings that the link names; all others have their default values."""

    page: str
    settings: Mapping[str, Value]

    @property
    def section(self) -> str:
        """The section that the view leads to; empty where it leads to the page's picture."""
        return str(self.settings.get(section_key(self.page), ""))


def view_of_link(link: str) -> View:
    """The view that a link leads to: a whole address, or what follows the host, such as `/corrections?threshold=0.4`.

    Raises InvalidInput if there is no such page, or if a setting or its value is unknown there.
    """
    parts = urlsplit(link.strip())
    path = parts.path.strip("/").rpartition("/")[2]
    page = PAGES.of_path(path)
    if page is None:
        known = ", ".join(f"/{one.path}" for one in PAGES.values())
        raise InvalidInput("the page of a link", f"be one of {known}", repr(parts.path), "Copy the link from the menu Share.")
    settings = {}
    asked = PAGES.words_of_today(path, parse_qs(parts.query, keep_blank_values=True))
    opened = section_key(page.name)
    if asked.pop("v", None) and asked.get(opened) == list(page.titles[:1]):
        # A link that spells every setting names the first section without leading to it.
        del asked[opened]
    for key, words in asked.items():
        if key not in page.settings:
            raise InvalidInput(
                f"a setting of {page.name}",
                f"be one of {', '.join(page.settings)}",
                repr(key),
                "Copy the link from the menu Share.",
            )
        try:
            settings[key] = page.settings[key].parse(words)
        except ValueError as error:
            rule = f"be {page.settings[key].rule}"
            raise InvalidInput(
                f"{page.settings[key].name} ({key})", rule, repr(" ".join(words)), "Correct the link."
            ) from error
    return View(page.name, settings)


def values_of(view: View) -> dict[str, Value]:
    """The value of every setting of the view's page; without the positive class if the data set is not here."""
    try:
        values = with_defaults(view.page, view.settings)
    except InvalidInput:
        # Its data set is not here: the page asks for it, and then takes its class.
        values = {key: setting.default for key, setting in settings_of(view.page).items()} | dict(view.settings)
    return {key: value for key, value in values.items() if value is not None}


def request_view(view: View) -> None:
    """Show a view as soon as this run has ended: for callbacks. What was wanted before, and is on its way, is not shown."""
    st.session_state[WANTED_VIEW] = view
    st.session_state.pop(_ON_THE_WAY, None)


def open_requested_view(page: str) -> None:
    """Show the wanted view, if there is one: go to its page, then give all its settings their values.

    Call it before anything of `page` is drawn.
    """
    state = st.session_state
    is_first_run = not state.get(_HAS_RUN)
    state[_HAS_RUN] = True
    if WANTED_VIEW not in state:
        return
    view: View = state[WANTED_VIEW]
    values = values_of(view)
    left = state.get(_ON_THE_WAY)
    # Another run of the former page may have cancelled the switch, which is then begun anew. A session's first page needs a run
    # of its own: Streamlit writes into the address what changes on a drawn page, not the values that the page begins with.
    if (view.page != page and left in (None, page)) or (is_first_run and left is None):
        state[_ON_THE_WAY] = page
        words = without_defaults(url_words(values))
        # A control of the page that is left holds its parameter; on the next page it follows the control's value.
        held = () if is_first_run else settings_of(page)
        st.switch_page(streamlit_page(view.page), query_params={k: v for k, v in words.items() if k not in held})
    for key in (WANTED_VIEW, _ON_THE_WAY):
        state.pop(key, None)
    apply_settings(values)
    state[ARRIVED] = "positive" in values
    mark_address_incomplete()
