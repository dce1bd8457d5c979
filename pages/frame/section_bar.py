"""The names of a page's sections at the lower edge of the window, for as long as their tabs are further down."""

import secrets
from pathlib import Path
from typing import Final

import streamlit as st

_HTML = '<nav class="section-bar" aria-label="Sections of this page" hidden><span>More below:</span></nav>'
_CSS = """
.section-bar { position: fixed; bottom: 0; z-index: 95; display: flex; gap: 0.25rem; align-items: center; overflow-x: auto;
  background: var(--st-background-color); border-top: 1px solid var(--st-border-color); height: 2.3rem; white-space: nowrap; }
.section-bar[hidden] { display: none; }
.section-bar span { font-size: 0.8rem; opacity: 0.75; margin-inline-end: 0.25rem; }
.section-bar button { font: inherit; font-size: 0.875rem; color: var(--st-text-color); background: transparent; border: 0;
  padding: 0.3rem 0.5rem; border-radius: 0.5rem; cursor: pointer; }
.section-bar button:hover, .section-bar button:focus-visible { color: var(--st-link-color); text-decoration: underline; }
@media print { .section-bar { display: none; } }
"""
_LEAD: Final = "mark of the way to a section"
"""The key of a random word, new each time: the browser scrolls to the section once for each word."""
LEADING_JS: Final = Path(__file__).with_name("leading.js").read_text()
"""The script that leads to a part of a page."""
_JS = (
    LEADING_JS
    + """
export default function ({ data, parentElement }) {
  const bar = parentElement.querySelector(".section-bar");
  const tabs = () => document.querySelector("[data-testid=stMain] [role=tablist]");
  const lead = () => leadBy(() => tabs()?.closest("[data-testid=stTabs]").scrollIntoView({ block: "start" }));
  bar.replaceChildren(bar.firstElementChild, ...data.titles.map((title, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.onclick = () => {
      tabs().querySelectorAll("[role=tab]")[i].click();
      lead();
    };
    return button;
  }));
  const place = () => {
    const list = tabs(), main = document.querySelector("[data-testid=stMainBlockContainer]");
    if (!list || !main) return;
    // Only components know the theme's colours.
    list.style.background = getComputedStyle(bar).backgroundColor;
    const box = main.getBoundingClientRect(), style = getComputedStyle(main);
    bar.style.left = box.left + parseFloat(style.paddingLeft) + "px";
    bar.style.width = box.width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) + "px";
    bar.hidden = list.getBoundingClientRect().top < innerHeight;
  };
  bar.place = place;
  if (!bar.watch) {
    bar.watch = new ResizeObserver(() => bar.isConnected ? place() : bar.watch.disconnect());
    bar.watch.observe(document.querySelector("[data-testid=stMainBlockContainer]"));
  }
  // One listener for the bars of all pages: that of a page that was left is not in the document.
  if (!window.sectionBarHears) {
    window.sectionBarHears = true;
    const all = () => document.querySelectorAll(".section-bar").forEach((one) => one.place?.());
    addEventListener("scroll", all, { passive: true, capture: true });
    addEventListener("resize", all);
  }
  // Of many tabs the open one may lie beyond the end of their row.
  const open = tabs()?.querySelector("[aria-selected=true]");
  if (open && bar.openTab !== open.textContent) {
    bar.openTab = open.textContent;
    const row = tabs(), all = row.getBoundingClientRect(), one = open.getBoundingClientRect();
    if (one.left < all.left || one.right > all.right) row.scrollLeft += one.left - all.left - (all.width - one.width) / 2;
  }
  place();
  if (data.lead && window.sectionLed !== data.lead) {
    window.sectionLed = data.lead;
    lead();
  }
}
"""
)
_mount = st.components.v2.component("section_bar", html=_HTML, css=_CSS, js=_JS, isolate_styles=False)


def lead_to_section() -> None:
    """Scroll once to the open section of the page that is shown next. For callbacks."""
    st.session_state[_LEAD] = secrets.token_hex(4)


def section_bar(titles: list[str]) -> None:
    """Draw the bar. Its buttons open a section and lead there."""
    _mount(key="section_bar", data={"titles": titles, "lead": st.session_state.get(_LEAD, "")}, height=1)
