"""What Streamlit's menu leaves undone: on a phone it closes after a choice, and a chosen theme holds on every page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

_JS = """
const PREFIX = "stActiveTheme-";

// Streamlit keeps the chosen theme under the path of the page it was chosen on.
function shareTheme(paths) {
  const base = location.pathname.slice(0, location.pathname.lastIndexOf("/"));
  const own = Object.keys(localStorage).find((key) => key.startsWith(PREFIX + location.pathname + "-"));
  if (!own) return;
  const value = localStorage.getItem(own), version = own.slice((PREFIX + location.pathname).length);
  for (const path of paths) localStorage.setItem(PREFIX + base + path + version, value);
}

function closeOnPhones(event) {
  if (innerWidth >= 768 || !event.target.closest?.("[data-testid=stSidebar] [data-testid=stPageLink-NavLink]")) return;
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click(), 100);
}

export default function ({ data }) {
  window.menuPaths = data.paths;
  if (window.menuHeard) return;
  window.menuHeard = true;
  document.addEventListener("click", (event) => {
    closeOnPhones(event);
    setTimeout(() => shareTheme(window.menuPaths), 500);
  });
}
"""
_mount = st.components.v2.component("menu", html="<span></span>", js=_JS, isolate_styles=False)


def menu(paths: Sequence[str]) -> None:
    """Watch the menu; `paths` are those of all pages, with a slash in front."""
    with st.sidebar:
        _mount(key="menu", data={"paths": list(paths)}, height=1)
