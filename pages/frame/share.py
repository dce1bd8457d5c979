"""The menu "Share": link, picture, file, tables and Python of a view, its place in a talk; and a text to copy."""

import html
import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd
import segno
import streamlit as st

from pages.frame import talk
from pages.frame.downloads import csv_button, python_code, settings_button, without_unused_imports
from pages.frame.recording import add_tables, section_shown, want_file
from pages.frame.stage import PRESENT, TALK, VIEW, present
from pages.frame.words import said
from pages.settings.address import copy_address, copy_page_link, page_address, query_part
from pages.settings.component import component
from pages.settings.control import escaped
from pages.settings.page_declaration import PAGES
from pages.work.limits import PREFIX

_COPIED_HTML = '<div class="copied-text"><details><summary></summary><p></p></details><button type="button">Copy</button></div>'
_COPIED_CSS = """
.copied-text { display: flex; align-items: flex-start; gap: 0.75rem; padding: 0.6rem 0.75rem; border-radius: 0.5rem;
  background: var(--st-secondary-background-color); }
.copied-text details { flex: 1; }
.copied-text summary { cursor: pointer; font-size: 0.8125rem; }
.copied-text p { margin: 0.3rem 0 0; overflow-wrap: anywhere; }
.copied-text button { font: inherit; font-size: 0.8125rem; flex: none; cursor: pointer;
  color: var(--st-link-color); background: none;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); padding: 0.2rem 0.6rem; }
@media (pointer: coarse) { .copied-text button { min-height: 44px; } }
@media print { .copied-text button { display: none; } }
"""
_COPIED_JS = """
export default function ({ data, parentElement }) {
  const text = parentElement.querySelector("p"), button = parentElement.querySelector("button");
  text.textContent = data.text;
  parentElement.querySelector("summary").textContent = data.title;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(data.text);
      button.textContent = "Copied";
    } catch {
      parentElement.querySelector("details").open = true;
      getSelection().selectAllChildren(text);
      button.textContent = "Press Ctrl+C to copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2500);
  };
}
"""
_mount_copied = component("copied_text", _COPIED_HTML, _COPIED_CSS, js=_COPIED_JS)


def copied_text(title: str, text: str, *, key: str) -> None:
    """Draw a title that opens a text, with a button that copies the text."""
    _mount_copied(key=key, data={"title": title, "text": text})


_HTML = """
<div class="save-picture" role="group" aria-label="Save the picture">
<button type="button" value="PNG">Save as PNG</button><button type="button" value="SVG">Save as SVG</button>
<button type="button" value="PDF">Save as PDF</button><button type="button" value="print">Print a handout</button></div>
"""
_CSS = """
.save-picture { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.save-picture button { font: inherit; font-size: 0.8125rem; min-height: 2.25rem;
  color: var(--st-text-color); background: transparent;
  cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); padding: 0.35rem 0.75rem; }
.save-picture button[hidden] { display: none; }
.save-picture button:hover, .save-picture button:focus-visible { border-color: var(--st-primary-color); }
"""
_JS = """
// The buttons of the charts themselves do the work, by a click that the page does not hear: it would close the menu. A picture
// of several charts is several files: the main one comes first, as a browser asks before it saves more than one.
const pictures = (main) => {
  const inPage = [...document.querySelectorAll("[data-testid=stMain] .kept-plot")];
  const first = inPage.filter((plot) => plot.closest("[class*=st-key-hero]"));
  return (first.length ? first : inPage).sort((a, b) => (b.dataset.name === main) - (a.dataset.name === main));
};
const save = (format, main) => pictures(main).forEach((plot, i) => {
  const button = plot.querySelector(`.modebar-btn[data-title="Save as ${format}"]`);
  setTimeout(() => button?.dispatchEvent(new MouseEvent("click")), 400 * i);
});

// Plotly saves by a link that it clicks itself: the menu would take that for a click beside it, and close.
window.quietDownloads ??= !window.addEventListener("click", (event) => {
  if (!event.isTrusted && event.target.closest?.("a[download]")) event.stopPropagation();
}, true);

// The browser's own window for printing saves the pictures as PDF.
const print = (main) => { const plots = pictures(main); plots[0].keptPrint(plots); };

export default function ({ data, parentElement }) {
  const act = (value) => {
    if (value === "print") window.print();
    else if (value === "PDF") print(data.main);
    else save(value, data.main);
  };
  // This runs when the menu opens.
  const none = !pictures().length;
  parentElement.querySelectorAll("button").forEach((button) => {
    button.onclick = () => act(button.value);
    button.hidden = !data.shown.includes(button.value) || (none && button.value !== "print");
    button.textContent = data.labels[button.value];
  });
}
"""
_FILE_HELP = (
    "This view as one HTML file that works without a network: what can be dragged here can be dragged there. For course pages, "
    "and for those who come later."
)
_SAVED = {"PNG": "Save as PNG", "SVG": "Save as SVG", "PDF": "Save as PDF", "print": "Print a handout"}
"""What a button saves -> its label."""
_MADE_OF = "What was done"
"""The title of the facts in the interactive file."""
_EMBED = """<iframe src="{source}" title="{title}" style="width: 100%; border: 0" height="640" loading="lazy"></iframe>
<script>
  addEventListener("message", ({{ data, source }}) => {{
    const frame = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow === source);
    if (frame && data?.quantificationLab) frame.height = data.quantificationLab.height;
  }});
</script>"""
SHARE_MENU = "share_menu"
"""Where a session keeps whether the menu is open."""
_mount = st.components.v2.component("save_picture", html=_HTML, css=_CSS, js=_JS, isolate_styles=False)


@dataclass
class Downloads:
    """What a page offers in the menu: the script that draws its picture, its tables, and other files.

    `facts` say what the picture was made of, by name; the interactive file lists them.
    """

    source: str = ""
    tables: list[tuple[str, Callable[[], pd.DataFrame], str]] = field(default_factory=list)
    files: list[tuple[str, Callable[[], str | bytes], str, str]] = field(default_factory=list)
    facts: Mapping[str, str] = field(default_factory=dict)

    def csv(self, label: str, table: Callable[[], pd.DataFrame], name: str) -> None:
        """Offer a table, made only when it is downloaded, as NAME.csv."""
        self.tables.append((label, table, name))

    def file(self, label: str, content: Callable[[], str | bytes], name: str, kind: str) -> None:
        """Offer a text or bytes, made only when it is downloaded, as a file of that name and media type."""
        self.files.append((label, content, name, kind))


def download_buttons(downloads: Downloads, place: str = "") -> None:
    """Draw a button for each table and file; `place` says where, if they are drawn twice."""
    for label, table, name in downloads.tables:
        csv_button(label, table, name, place)
    for label, content, name, kind in downloads.files:
        st.download_button(label, content, name, kind, key=f"download {name} {place}".strip(), on_click="ignore")


def interactive_file_button(place: str = "") -> None:
    """Draw the button that downloads the view as one HTML file; `place` says where, if it is drawn twice."""
    if st.button(said("Interactive file"), key=f"interactive_file {place}".strip(), help=_FILE_HELP):
        want_file()
        st.rerun()


def share_menu(page: str, downloads: Downloads) -> None:
    """Draw the menu "Share" of a page."""
    tables = {label.removesuffix(" as CSV"): table for label, table, _ in downloads.tables}
    if downloads.facts:
        tables[_MADE_OF] = lambda: pd.DataFrame(downloads.facts.items(), columns=["what", "value"])
    add_tables(tables)
    # What a closed menu holds is neither made nor sent: it would cost every move of a control some milliseconds.
    menu = st.popover(said("Share"), key=SHARE_MENU, on_change="rerun")
    if menu.open:
        with menu:
            _choices(page, downloads)


def _choices(page: str, downloads: Downloads) -> None:
    """Draw what the open menu offers."""
    copy_page_link(page, [said(word) for word in ("Copy link", "Link copied", "Press Ctrl+C to copy")])
    with st.container(horizontal=True, gap="small"):
        _picture_buttons(page, "PNG")
        if PAGES[page].has_file:
            interactive_file_button()
        download_buttons(downloads)
    if downloads.source:
        st.markdown(f"**{said('Python that draws the picture')}**")
        python_code(without_unused_imports(downloads.source), height=220)
    if st.toggle(said("More"), key="share_more"):
        _more_choices(page, downloads)


def _picture_buttons(page: str, *shown: str) -> None:
    """Draw the buttons that save the picture in these ways."""
    labels = {value: said(label) for value, label in _SAVED.items()}
    data = {"main": PAGES[page].main_picture, "labels": labels, "shown": list(shown)}
    _mount(key=f"save_picture_{shown[0]}", data=data, width="content")


def _more_choices(page: str, downloads: Downloads) -> None:
    """Draw what fewer people look for: other files, the stage, the view in another page."""
    with st.container(horizontal=True, gap="small"):
        _picture_buttons(page, "SVG", "PDF", "print")
        if downloads.tables:
            settings_button()
    _stage_choices(page)
    if st.toggle(said("Show this view in another site's page"), key="embed_code"):
        embed_code(page)
    if st.toggle(said("QR code of this view"), key="qr_code"):
        picture = qr_code(page_address(page))
        if picture:
            st.image(picture, caption="QR code of this view", width=260)
        else:
            st.caption("This view has too many settings for a QR code; copy its link instead.")


def embed_code(page: str) -> None:
    """Draw the HTML that shows a view in a frame of another page, which is told how high the view is."""
    address = page_address(page)
    source = html.escape(f"{address}{'&' if '?' in address else '?'}embed=true")
    st.code(_EMBED.format(source=source, title=html.escape(PAGES[page].title)), language="html", wrap_lines=True)
    sites = ", ".join(filter(None, (name.strip() for name in os.environ.get(f"{PREFIX}EMBED_IN", "").split(","))))
    known = f"These sites may show it: {sites}." if sites else "No other site may show it yet: this server knows none."
    st.caption(f"{known} Whoever runs the app names them, and gives it an address of https: docs/deploying.md says how.")


def qr_code(address: str) -> bytes:
    """An address as a QR code (PNG), black on white in both themes, as many readers need it. Empty for too long an address."""
    picture = io.BytesIO()
    try:
        segno.make(address, error="l").save(picture, kind="png", scale=5, border=3)
    except segno.DataOverflowError:
        return b""
    return picture.getvalue()


_TALK_HELP = (
    "One HTML file that works without a network, and is stepped through like the talk. Each view is shown once and recorded: a "
    "second or two for each, and longer where something has yet to be computed."
)


def _stage_choices(page: str) -> None:
    """Draw the buttons that put this view on the stage and into the talk, and the talk's views.

    Each button reruns the whole page: the menu may lie in a fragment, which a click would otherwise rerun alone.
    """
    views = talk.talk()
    with st.container(horizontal=True, gap="small"):
        if st.button(said("Present (P)"), key="present", help="Without menus, with text for the last row. Escape leads back."):
            present(True)
            st.rerun()
        full = len(views) >= talk.MOST_VIEWS
        for section in (False, True) if (opened := section_shown(page)) else (False,):
            label = said("Add “{section}” to my talk").format(section=escaped(opened)) if section else said("Add to my talk")
            why = "The view, and on the stage its section." if section else "Views to step through with arrows or a clicker."
            if st.button(label, key=f"add_{'section_' if section else ''}to_talk", disabled=full, help=why):
                talk.take([*views, talk.link_of(page, at_section=section)])
                st.rerun()
        if views and st.button(f"{said('Present my talk')} ({len(views)})", key="present_talk"):
            present(True, 1)
            st.rerun()
    if not views:
        return
    with st.expander(f"{said('My talk')}: {len(views)} {said('views' if len(views) > 1 else 'view')}"):
        for number, link in enumerate(views, 1):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"{number}. {talk.title(link)}", width="stretch")
                if st.button(said("Earlier"), key=f"talk earlier {number}", disabled=number == 1, type="tertiary"):
                    talk.take([*views[: number - 2], link, views[number - 2], *views[number:]])
                    st.rerun()
                if st.button(said("Remove"), key=f"talk remove {number}", type="tertiary"):
                    talk.take([*views[: number - 1], *views[number:]])
                    st.rerun()
        first = PAGES[talk.page_of(views[0])].path
        words = {PRESENT: ["1"], TALK: [talk.spelt(views)], VIEW: ["1"]}
        query = talk.query_of(views[0]) | words
        st.caption(said("This browser keeps the list; the link brings it to another one."))
        with st.container(horizontal=True, gap="small"):
            copy_address("talk", f"/{first}{query_part(query)}", said("Copy the link to my talk"))
            if st.button(said("Save my talk as one file"), key="save_talk", help=_TALK_HELP):
                talk.save(page)
                st.rerun()
