"""The menu "Share": the link to this view, and its picture as PNG or SVG."""

from __future__ import annotations

import streamlit as st

from pages.parts.links import copy_page_link

_HTML = """
<div class="save-picture" role="group" aria-label="Save the picture">
<button type="button" value="PNG">Save as PNG</button><button type="button" value="SVG">Save as SVG</button></div>
"""
_CSS = """
.save-picture { display: flex; gap: 0.5rem; }
.save-picture button { font: inherit; font-size: 0.875rem; color: var(--st-text-color); background: transparent;
  cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); padding: 0.35rem 0.75rem; }
.save-picture button:hover, .save-picture button:focus-visible { border-color: var(--st-primary-color); }
"""
_JS = """
// The buttons of the charts themselves do the work; a picture of several charts is several files.
const save = (format) => document.querySelectorAll(`[class*=st-key-hero] .modebar-btn[data-title="Save as ${format}"]`)
  .forEach((button) => button.click());

export default function ({ parentElement }) {
  parentElement.querySelectorAll("button").forEach((button) => { button.onclick = () => save(button.value); });
}
"""
_mount = st.components.v2.component("save_picture", html=_HTML, css=_CSS, js=_JS, isolate_styles=False)


def share_menu(page: str) -> None:
    """The menu of a page."""
    with st.popover("Share", key="share_menu"):
        copy_page_link(page)
        _mount(key="save_picture", data={})
        if page != "home":
            st.caption("Tables as CSV and the Python behind the picture are in the sections below it.")
