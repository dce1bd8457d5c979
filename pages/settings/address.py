"""The address of a page: the values that it gives to settings, how it is completed, and links to a view."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from pages.settings.component import base_path
from pages.settings.page_declaration import SETTINGS, settings_of
from pages.settings.setting import Setting, Value
from pages.streamlit_internals import drawn_controls, write_address
from qcore import DATASETS, __version__, load_dataset


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


def url_word(value: object) -> str:
    """A single value as a URL and a sentence write it: true, 0.5, wdbc."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def url_words(settings: Mapping[str, Value]) -> dict[str, list[str]]:
    """Settings in the words of a URL, which each setting's `parse` reads back; an empty choice is an empty word."""
    return {key: list(value) or [""] if isinstance(value, list) else [url_word(value)] for key, value in settings.items()}


def without_defaults(words: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The parameters of a URL without default values and without the current version."""
    kept = {}
    for key, value in words.items():
        if key == "v" and value in ([LINK_VERSION], [str(STATE_VERSION)]):
            continue
        if key not in SETTINGS or not _is_default(key, value, words):
            kept[key] = value
    return kept


def _is_default(key: str, value: list[str], words: Mapping[str, list[str]]) -> bool:
    default = SETTINGS[key].default
    if key == "positive":
        data = words.get("data", [str(SETTINGS["data"].default)])[0]
        # Only of known data sets: what is kept must not grow with what addresses say.
        default = _default_positive(data) if data in DATASETS else None
    try:
        return SETTINGS[key].parse(value) == default
    except ValueError:
        return False


@cache
def _default_positive(data: str) -> str:
    """The class that is counted by default in a bundled data set."""
    return load_dataset(data).default_positive


_INCOMPLETE = "address lacks settings"


def mark_address_incomplete() -> None:
    """Have the next whole run of the page complete the address: settings were given values other than by their controls.

    Streamlit writes what changes on a page that is drawn, but not the value with which a control appears, nor an empty choice.
    """
    st.session_state[_INCOMPLETE] = True


def apply_settings(values: Mapping[str, Value | None]) -> None:
    """Give settings these values before a page is drawn, and correct the address, which undrawn controls take theirs from."""
    known = {key: value for key, value in values.items() if value is not None}
    words, drawn = without_defaults(url_words(known)), drawn_controls()
    for key, value in values.items():
        st.session_state[key] = value
        if key in st.query_params and key not in drawn:
            if key in words:
                st.query_params[key] = words[key]
            else:
                del st.query_params[key]


def undrawn_in_address(page: str) -> dict[str, Value]:
    """Settings of a page that its address has, but no control yet: those of sections that have not been opened."""
    settings = settings_of(page)
    undrawn = [key for key in st.query_params if key in settings and key not in st.session_state]
    return {key: value for key in undrawn if (value := from_address(settings[key])) is not None}


def complete_address(page: str) -> None:
    """Write all settings of drawn controls into the address after `mark_address_incomplete`: when the page is drawn."""
    if st.session_state.pop(_INCOMPLETE, False):
        settings = {key: setting for key, setting in settings_of(page).items() if key in st.session_state}
        write_address(without_defaults(url_words(current_settings(settings))), SETTINGS)


_LINK_HTML = '<button type="button" class="copy-link">Copy link</button><input class="copy-link-text" hidden readonly>'
_LINK_CSS = """
.copy-link { font: inherit; font-size: 0.8125rem; color: var(--st-text-color); background: transparent; cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem);
  padding: 0.35rem 0.75rem; min-height: 2.5rem; }
.copy-link:hover, .copy-link:focus-visible { border-color: var(--st-primary-color); color: var(--st-link-color); }
.copy-link-text { width: 100%; margin-top: 0.25rem; }
"""
_LINK_JS = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button"), text = parentElement.querySelector("input");
  text.setAttribute("aria-label", data.address ? data.label : "Link to this view");
  // A run of the page that ends just after a click must not replace what the button says of the click.
  const say = (words) => {
    button.textContent = words;
    clearTimeout(button.says);
    button.says = setTimeout(() => { button.says = 0; button.textContent = button.label; }, 2500);
  };
  button.label = data.label;
  if (!button.says) button.textContent = data.label;
  const link = () => location.origin + (data.address ?? location.pathname + "?" + data.query);
  button.dataset.query = data.query;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(link());
      say(data.copied ?? "Link copied");
    } catch {
      text.hidden = false; text.value = link(); text.focus(); text.select();
      say(data.keys ?? "Press Ctrl+C to copy");
    }
  };
}
"""
_link_button = st.components.v2.component("copy_link", html=_LINK_HTML, css=_LINK_CSS, js=_LINK_JS, isolate_styles=False)


PAGE_SHOWN = "page shown"
"""Where a session keeps the name of its page."""


def link_query(settings: Mapping[str, Value]) -> str:
    """The query string with every one of `settings`, also those with default values, and the version."""
    return urlencode({"v": [LINK_VERSION], **url_words(settings)}, doseq=True)


def copy_address(name: str, address: str, label: str) -> None:
    """Draw a button that copies an address of this server, which starts with a slash."""
    _link_button(key=f"copy {name}", data={"address": base_path() + address, "label": label}, width="content")


def page_address(page: str) -> str:
    """The address of a page with all its settings except default values."""
    return _address(current_settings(settings_of(page)))


def _address(settings: Mapping[str, Value]) -> str:
    kept = without_defaults(url_words(settings))
    here = str(st.context.url or "").partition("?")[0]
    return f"{here}{query_part(kept)}"


def query_part(words: Mapping[str, list[str]]) -> str:
    """The part of an address that follows the path: empty, or one that starts with a question mark."""
    return f"{'?' if words else ''}{urlencode(words, doseq=True)}"


def settings_on_paper(page: str) -> str:
    """The settings of a page's controls in words, and its address: what a printed page says of itself.

    Controls of other ways and sections are not drawn: their settings change nothing on this sheet.
    """
    settings = settings_of(page)
    current = current_settings(settings)
    drawn = drawn_controls()
    # An empty choice that is the default means what its control says, such as all methods.
    used = {key: value for key, value in current.items() if key in drawn and not value == settings[key].default == []}
    said = "; ".join(f"{settings[key].name}: {', '.join(words) or 'none'}" for key, words in url_words(used).items())
    # Without a browser there is no address.
    return f"{said[:1].upper()}{said[1:]}. {_address(current) if st.context.url else ''}".strip()


def copy_page_link(page: str, words: Sequence[str] = ("Copy link", "Link copied", "Press Ctrl+C to copy")) -> None:
    """Draw a button that copies the link to a page with all its settings; `words`: its label, and what it says of a click."""
    query = link_query(current_settings(settings_of(page)))
    label, copied, keys = words
    _link_button(key="copy_link", data={"query": query, "label": label, "copied": copied, "keys": keys}, width="content")


STATE_VERSION = 2
"""The version of links, which increases when an older link would show another picture."""

LINK_VERSION = f"{STATE_VERSION}-{__version__}"
"""What a link says of the app that made it: the version of links, and that of the app."""

_CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
_RELEASES = {"1": "0.1.0"}
"""Versions of links that name no version of the app -> the app that made them."""


def said_of_version(word: str) -> str:
    """What is to be said of a link with this version; empty if all that it shows is as it was."""
    state, _, release = word.partition("-")
    release = release or _RELEASES.get(state, __version__ if state == str(STATE_VERSION) else "")
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4}){2}", release):
        return ""
    if _order(release) > _order(__version__):
        return f"This link was made by version {release}; this is {__version__}, which is older: numbers may differ."
    changed = changed_numbers(release, _changelog())
    if not changed:
        return ""
    return (
        f"This link was made by version {release}; this is {__version__}. Numbers that have changed since: {' '.join(changed)}"
    )


def changed_numbers(since: str, changelog: str) -> list[str]:
    """The lines under "Numbers" of all versions after one, such as "1.0.0"; the newest first."""
    changed = []
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        found = re.match(r"\[?(\d+\.\d+\.\d+)", section)
        numbers = re.search(r"^### Numbers\n(.*?)(?=^### |\Z)", section, re.MULTILINE | re.DOTALL)
        if found and numbers and _order(found[1]) > _order(since):
            changed += [" ".join(line.split()) for line in re.split(r"^- ", numbers[1], flags=re.MULTILINE)[1:]]
    return changed


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


@cache
def _changelog() -> str:
    return _CHANGELOG.read_text(encoding="utf-8")
