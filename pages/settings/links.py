"""Links to a view: the full one that "Copy link" copies, with every setting, and shorter ones without default values."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from pages.settings.component import base_path
from pages.settings.current import current_settings
from pages.settings.page_declaration import settings_of
from pages.settings.setting import Value
from pages.settings.url import STATE_VERSION, url_words, without_defaults
from pages.streamlit_internals import drawn_controls

_LINK_HTML = '<button type="button" class="copy-link">Copy link</button><input class="copy-link-text" hidden readonly>'
_LINK_CSS = """
.copy-link { font: inherit; font-size: 0.875rem; color: var(--st-text-color); background: transparent; cursor: pointer;
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
      say("Link copied");
    } catch {
      text.hidden = false; text.value = link(); text.focus(); text.select();
      say("Press Ctrl+C to copy");
    }
  };
}
"""
_link_button = st.components.v2.component("copy_link", html=_LINK_HTML, css=_LINK_CSS, js=_LINK_JS, isolate_styles=False)


PAGE_SHOWN: Final = "page shown"
"""Where a session keeps the name of its page."""


def link_query(settings: Mapping[str, Value]) -> str:
    """The query string with every one of `settings`, also those with default values, and the state version."""
    return urlencode({"v": [str(STATE_VERSION)], **url_words(settings)}, doseq=True)


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


def copy_page_link(page: str) -> None:
    """Draw a button that copies the link to a page with all its settings."""
    query = link_query(current_settings(settings_of(page)))
    _link_button(key="copy_link", data={"query": query, "label": "Copy link"}, width="content")
