"""The frame of all pages: a header in one line, the finding, the picture, the bar below it, examples, and sections as tabs."""

import contextlib
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import pipeline
from pages.frame.layout import LEADING_JS, add_style, hidden_heading
from pages.frame.presets import preset_chips, rerun_if_chosen
from pages.frame.recording import note_section
from pages.frame.share import Downloads, share_menu
from pages.frame.sidebar import SidebarChoice, sidebar, undrawn_choice
from pages.frame.words import said
from pages.own_data import uploads
from pages.settings import control
from pages.settings.address import current, settings_on_paper
from pages.settings.page_declaration import PAGES, SETTINGS, Page, Tab
from pages.settings.shared import DATA
from qcore import InvalidInput

_HTML = '<nav class="section-bar" aria-label="Sections of this page" hidden><span>More below:</span></nav>'
_CSS = """
.section-bar { position: fixed; bottom: 0; z-index: 95; display: flex; gap: 0.25rem; align-items: center; overflow-x: auto;
  background: var(--st-background-color); border-top: 1px solid var(--st-border-color); height: 2.3rem; white-space: nowrap; }
.section-bar[hidden] { display: none; }
.section-bar span { font-size: 0.8125rem; opacity: 0.75; margin-inline-end: 0.25rem; }
.section-bar button { font: inherit; font-size: 0.8125rem; color: var(--st-text-color); background: transparent; border: 0;
  padding: 0.3rem 0.5rem; border-radius: 0.5rem; cursor: pointer; }
.section-bar button:hover, .section-bar button:focus-visible { color: var(--st-link-color); text-decoration: underline; }
@media print { .section-bar { display: none; } }
"""
_LEAD = "mark of the way to a section"
"""The key of a random word, new each time: the browser scrolls to the section once for each word."""
_JS = (
    LEADING_JS
    + """
export default function ({ data, parentElement }) {
  const bar = parentElement.querySelector(".section-bar");
  const tabs = () => document.querySelector("[data-testid=stMain] [role=tablist]");
  const lead = () => leadBy(() => tabs()?.closest("[data-testid=stTabs]").scrollIntoView({ block: "start" }));
  bar.replaceChildren(bar.firstElementChild, ...data.titles.map(([title, place]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.onclick = () => {
      tabs().querySelectorAll("[role=tab]")[place].click();
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
  // Where the names of the sections stick, the one that is opened begins right below them.
  const list = tabs(), box = list?.closest("[data-testid=stTabs]");
  if (list && !list.leads) {
    list.leads = true;
    const begin = () => setTimeout(() => {
      const hidden = box.getBoundingClientRect().top < list.getBoundingClientRect().top - 1;
      if (hidden) leadBy(() => box.scrollIntoView({ block: "start" }));
    });
    for (const act of ["pointerdown", "keyup"]) list.addEventListener(act, begin, true);
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


def section_bar(titles: list[tuple[str, int]]) -> None:
    """Draw the bar of these titles, each with the place of its tab. Its buttons open a section and lead there."""
    _mount(key="section_bar", data={"titles": titles, "lead": st.session_state.get(_LEAD, "")}, height=1)


@dataclass(frozen=True)
class PageParts:
    """The containers of a page, from the top: they are filled in any order.

    Attributes
    ----------
    headline : the finding, in one sentence.
    hero : the page's one picture.
    bar : the most used controls, right under the picture.
    notes : further sentences on the picture.
    downloads : downloads that the menu "Share" offers.
    """

    headline: DeltaGenerator
    hero: DeltaGenerator
    bar: DeltaGenerator
    notes: DeltaGenerator
    downloads: Downloads


@contextlib.contextmanager
def page(*, quantifiers: bool = True, positive_class: bool = True) -> Iterator[SidebarChoice]:
    """Draw a page on data inside its frame, and yield the choices of the sidebar."""
    with notices():
        yield sidebar(quantifiers=quantifiers, positive_class=positive_class)


@contextlib.contextmanager
def page_without_sidebar() -> Iterator[SidebarChoice]:
    """Draw a page inside its frame, whose sidebar shows the pages alone, and yield the choices that the sidebar would show."""
    with notices():
        yield undrawn_choice()


@contextlib.contextmanager
def notices() -> Iterator[None]:
    """Draw notices about the URL above what is drawn inside, but last, because controls add notices while they are drawn."""
    notice_part = st.container()
    control.check_url()
    yield
    with notice_part:
        control.show_notices()


@contextlib.contextmanager
def first_viewport(name: str) -> Iterator[PageParts]:
    """Draw the header and yield the containers of the first view; a fragment calls it to draw all that its controls change.

    The link and the examples are drawn after the controls in `bar`, so that they know the current settings.
    """
    listed = PAGES[name]
    rerun_if_chosen()
    with st.container(key="header", horizontal=True, vertical_alignment="center", gap="small"):
        # The place of the heading stays that of the English title, which styles and links know.
        st.title(said(listed.title), width="content", anchor=listed.path or None)
        st.markdown(f":gray[{said(listed.question)}]", width="stretch")
        share = st.container(width="content")
    names = ("headline", "hero", "bar", "examples", "notes", "sheet")
    drawn = {name: st.container(key=name) for name in names}
    example_part, sheet = drawn.pop("examples"), drawn.pop("sheet")
    downloads = Downloads()
    yield PageParts(**drawn, downloads=downloads)
    with example_part:
        preset_chips(name)
    with share:
        share_menu(name, downloads)
    with sheet:
        st.markdown(control.escaped(f"{settings_on_paper(name)} {_source_of_data(name)}".strip()))


def _source_of_data(name: str) -> str:
    """Where a page's data are from, in a sentence; empty for a page without data, or where they are not here."""
    if "data" not in PAGES[name].settings:
        return ""
    data = uploads.reference(str(current(DATA["data"])))
    try:
        source = pipeline.dataset(data).source if uploads.is_there(data) else ""
    except InvalidInput:
        return ""
    return f"Data: {source}" if source else ""


def headline(sentence: str) -> None:
    """Draw the finding as a headline."""
    st.markdown(f"**{sentence.replace('**', '')}**")


def draw_tabs(page: Page, **values: object) -> None:
    """Draw the tabs of a page that apply; the URL holds the open one, and only this one is computed.

    `values` are what the tabs need of what the page's body has computed, by the names in their declarations.
    """
    setting = page.tab_setting
    assert setting is not None
    # The first section, which is open where nobody has asked for one, need not apply: then none is open.
    asked = st.query_params.get(setting.key)
    left_out = [i for i, tab in enumerate(page.tabs) if tab.shown_if and not values[tab.shown_if] and tab.title != asked]
    if left_out:
        # Other tabs would be another element for Streamlit, which takes its value from the address anew.
        add_style(", ".join(f'.st-key-{setting.key} [role="tab"][data-key="{i}"]' for i in left_out) + " { display: none; }")
    tabs = st.tabs(list(page.titles), key=setting.key, bind="query-params")
    note_section(page.name, "")
    for i, (tab, drawn) in enumerate(zip(page.tabs, tabs, strict=True)):
        if drawn.open and i not in left_out:
            note_section(page.name, tab.title)
            with drawn:
                _draw_tab(tab, values)
    section_bar([(title, i) for i, title in enumerate(page.titles) if i not in left_out])


def _draw_tab(tab: Tab, values: Mapping[str, object]) -> None:
    if tab.parts:
        shown = [part for part in tab.parts if not part.shown_if or values[part.shown_if]]
        chosen = control.part(SETTINGS[tab.key], [part.title for part in shown])
        _draw_tab(next(part for part in shown if part.title == chosen), values)
    elif any(values[name] is None for name in tab.needs):
        applies = not tab.shown_if or values[tab.shown_if]
        why = "the picture above says why" if applies else "this section needs another data set, or another way of working"
        st.caption(f"Nothing to show here: {why}.")
    elif tab.draw is not None:
        hidden_heading(tab.title)
        tab.draw(*(values[name] for name in (*tab.needs, *tab.may_use)))
