"""Taking it with you: the link that spells every setting, tables as CSV, the Python behind a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from pages.parts.settings import STATE_VERSION, Setting, Value, spelt, url_words

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

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
  text.setAttribute("aria-label", "Link to this view");
  // Parts of a page run by themselves: the one that ran last has told what holds now.
  window.linkQuery = data.query;
  const link = () => location.origin + location.pathname + "?" + window.linkQuery;
  button.dataset.query = data.query;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(link());
      button.textContent = "Link copied";
    } catch {
      text.hidden = false; text.value = link(); text.focus(); text.select();
      button.textContent = "Press Ctrl+C to copy";
    }
    setTimeout(() => { button.textContent = "Copy link"; }, 2500);
  };
}
"""
_TOLD_JS = "export default ({ data }) => { window.linkQuery = data.query; };"
_told = st.components.v2.component("link_told", html="<span></span>", js=_TOLD_JS, isolate_styles=False)
_link_button = st.components.v2.component("copy_link", html=_LINK_HTML, css=_LINK_CSS, js=_LINK_JS, isolate_styles=False)


def link_query(settings: Mapping[str, Value]) -> str:
    """The query string that spells every one of `settings`, defaults too, with the state version."""
    return urlencode({"v": [str(STATE_VERSION)], **url_words(settings)}, doseq=True)


def copy_link(settings: Mapping[str, Value]) -> None:
    """A button that copies the link to this view."""
    _link_button(key="copy_link", data={"query": link_query(settings)}, width="content")


def page_settings(page: Mapping[str, Setting]) -> dict[str, Value]:
    """All settings of a page as they are; of controls that are not drawn, or not yet, as the URL has them, or by default."""
    return {key: spelt(st.session_state.get(key, _from_url(key, setting))) for key, setting in page.items()}


def _from_url(key: str, setting: Setting) -> Value:
    try:
        return setting.parse(st.query_params.get_all(key))
    except (ValueError, KeyError):
        return setting.default or ""


def copy_page_link(page: Mapping[str, Setting]) -> None:
    """A button that copies the link to a page with all its settings."""
    copy_link(page_settings(page))


def tell_link(page: Mapping[str, Setting], part: str) -> None:
    """Tell that button what holds now, from a part of the page that runs without it."""
    _told(key=f"link told by {part}", data={"query": link_query(page_settings(page))}, height=1)


def safe_csv(table: pd.DataFrame) -> bytes:
    """The table as CSV (UTF-8) that a spreadsheet opens without running anything: text that starts like a formula gets a '."""

    def neutralise(cell: object) -> object:
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell

    text = {name: table[name].map(neutralise) for name in table.columns if not pd.api.types.is_numeric_dtype(table[name])}
    return table.assign(**text).rename(columns=neutralise).to_csv(index=False).encode()


def csv_button(label: str, table: Callable[[], pd.DataFrame], name: str) -> None:
    """A button that downloads a table, made only when it is pressed."""
    st.download_button(label, lambda: safe_csv(table()), f"{name}.csv", "text/csv", key=f"download {name}", on_click="ignore")
