"""The layout of pages: the app's style sheet, and rows of columns that wrap before they become too narrow."""

from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

# Streamlit's columns shrink without end above 640 px; beside an open sidebar that leaves a chart 200 px.
STYLE = """<style>
.stMainBlockContainer { padding: 2.3rem 2rem 3rem; max-width: initial; }
/* Until Streamlit draws the sidebar, its place is kept, so that the page does not move aside when it comes. */
@media (min-width: 769px) {
  .stAppViewContainer:not(:has(> .stSidebar)) { padding-left: 300px; }
}
/* The main part has the focus from the start, so that keys scroll it. It needs no outline: one cannot operate it. */
.stMain:focus::before { box-shadow: none !important; }
/* The bar of the sections does not cover an element that gets the focus. */
.stMain { scroll-padding-bottom: 4rem; }
[data-testid="stHeader"] { height: 2.3rem; min-height: 2.3rem; }
/* Components that draw nothing take no room. */
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-unseen"]) { display: none; }
.stElementContainer:is(.st-key-stage, .st-key-saved-file) {
  position: absolute; width: 0 !important; }
/* Four sizes of text: 32 px for the title, 20 for the finding, 16 for text and for what is chosen, 13 for what explains, for
   names of controls, buttons, tabs, tables and charts. */
.stMainBlockContainer h1 { font-size: 2rem; padding: 0; line-height: 1.2; }
.stMainBlockContainer h2 { font-size: 1.25rem; padding: 0.25rem 0; }
.stMain [data-testid="stMarkdownContainer"]:not(label *, button *, [role="tab"] *, summary *) {
  p, li { font-size: 1rem; } }
.stMain [data-testid="stCaptionContainer"]:not(label *, button *) { p, li { font-size: 0.8125rem; } }
.stMain :is(label, button, [role="tab"], summary, .stAlert, .stFileUploader)
  :is(p, span:not([data-testid="stIconMaterial"]), small),
[data-testid="stPopoverBody"] button p,
.stMain :is(button, [role="tab"], code, pre, .small-table table, .stMultiSelect [data-tag]) { font-size: 0.8125rem; }
/* One height of what is clicked in a row, and one look of what is chosen; the colours are those of .streamlit/config.toml. */
.stApp { --accent: light-dark(#005A8F, #7CC4F5); --chosen: light-dark(#0067A31A, #5CB3EE1A); }
:is(.stMain, [data-testid="stPopoverBody"]) :is(.stButton, .stPopover, .stDownloadButton, .stButtonGroup)
  button:not([aria-label^="Help for"]),
.stMain :is(.stSelectbox, .stNumberInput, .stTextInput) :is([role="group"], [data-testid="stNumberInputContainer"]),
.dragged-buttons button { min-height: 2.25rem; height: auto; box-sizing: border-box; }
.stMain :is(.stButtonGroup button[aria-checked="true"], .stButtonGroup button[aria-pressed="true"],
  .dragged-buttons button[aria-pressed="true"], .st-key-presets button[kind="primary"], .stTabs [aria-selected="true"]) {
  background: var(--chosen); color: var(--accent); border-color: var(--accent); border-width: 1px; font-weight: 600; }
.stMain .stTabs [aria-selected="true"] p { color: var(--accent); font-weight: 600; }
.stMain .stTabs [role="tab"] { padding-inline: 0.6rem; border-radius: 0.5rem 0.5rem 0 0; }
.stMain .stTabs [role="tablist"] { gap: 0.25rem; }
/* The box beside a slider shows its value; its ends need no numbers. Its looks are those of the sliders that charts follow. */
.stMain .stSlider :is([data-testid="stSliderThumbValue"], [data-testid="stSliderTickBar"]) { display: none; }
.stMain .stSlider [role="group"] > div > div:first-child { height: 6px; border-radius: 3px; }
.stMainBlockContainer > .stVerticalBlock { gap: 0.5rem; }
.st-key-header [data-testid="stHeadingWithActionElements"] a { display: none; }
.st-key-header { min-height: 40px; }
.stMain .st-key-headline [data-testid="stMarkdownContainer"]:not(label *, button *) p {
  font-size: 1.25rem; line-height: 1.35; }
.st-key-headline { min-height: 1.7rem; }
/* Lines are no longer than an eye can follow. */
.stMain :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]) {
  p, li, .katex-display { max-width: 75ch; } }
.stMain .st-key-headline p { max-width: none; }
/* Where there is room, long notes stand in two columns, not over an empty half. */
@media (min-width: 1300px) {
  .st-key-notes ul, .stTabs [data-testid="stMarkdownContainer"]:has(> :nth-child(3)):not(:has(table, pre, .katex-display)) {
    columns: 2; column-gap: 3rem; }
  .st-key-notes li, .stTabs [data-testid="stMarkdownContainer"] > * { break-inside: avoid; }
  /* The margin above the first item is lost at the top of the second column. */
  .stMain .st-key-notes li { margin-top: 0; }
}
/* The Tab key skips a closed sidebar. */
[data-testid="stSidebar"][data-collapsed="true"] { visibility: hidden;
  transition: transform 0.3s, min-width 0.3s, max-width 0.3s, visibility 0s 0.3s; }
[data-testid="stSidebarHeader"] { height: 2.6rem; padding-block: 0.25rem; margin-bottom: 0; }
/* The menu of the quantifiers stays beside the charts that it changes. */
[data-testid="stPopoverBody"]:has(.st-key-quantifiers-All) { width: 17.5rem; min-width: 0; max-width: 17.5rem; }
[data-testid="stSidebarUserContent"] { padding: 0 1.25rem 0.5rem; }
[data-testid="stSidebarUserContent"] .stVerticalBlock { gap: 0.4rem; }
.st-key-pages [data-testid="stPageLink-NavLink"] { padding-block: 0; min-height: 1.5rem; line-height: 1.3rem; }
.st-key-pages { padding-bottom: 0.6rem; }
.st-key-pages p { margin: 0; }
.st-key-pages a:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
.st-key-pages [data-testid="stMarkdownContainer"] { margin: 0.35rem 0 0.1rem; }
/* Places for the finding and the picture while they are computed: Streamlit draws no container without content. */
.stApp:not([data-test-script-state="notRunning"]) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-header) +
    [data-testid="stLayoutWrapper"]:has(> .st-key-hero) { margin-top: 40px; }
  [data-testid="stLayoutWrapper"]:has(> :is(.st-key-header, .st-key-headline)) +
    [data-testid="stLayoutWrapper"]:has(> .st-key-bar) { margin-top: 29rem; }
  [data-testid="stLayoutWrapper"]:has(> :is(.st-key-header, .st-key-headline)) +
    [data-testid="stLayoutWrapper"]:has(> .st-key-bar .st-key-beta-bar) { margin-top: 36rem; }
  .st-key-hero:not(:has(.stElementContainer > :not(.stEmpty, .stProgress, [data-testid="stSkeleton"]))) { min-height: 26.5rem; }
  /* Estimate has a verdict below the finding, and a lower picture. */
  .stMainBlockContainer:has(.st-key-moved-sample) {
    [data-testid="stLayoutWrapper"]:has(> .st-key-header) +
      [data-testid="stLayoutWrapper"]:has(> .st-key-hero) { margin-top: 86px; }
    [data-testid="stLayoutWrapper"]:has(> :is(.st-key-header, .st-key-headline)) +
      [data-testid="stLayoutWrapper"]:has(> .st-key-bar) { margin-top: 442px; }
    .st-key-hero:not(:has(.stElementContainer > :not(.stEmpty, .stProgress, [data-testid="stSkeleton"]))) { min-height: 340px; }
  }
}
/* With high-contrast colours, only an outline can show what is chosen. */
@media (forced-colors: active) {
  .stButtonGroup :is([aria-checked="true"], [aria-pressed="true"], [data-selected="true"]), .stTabs [aria-selected="true"],
  .stRadio [data-selected="true"], .stCheckbox [data-selected="true"] { outline: 3px solid Highlight; outline-offset: -2px; }
  .stTabs [role="tab"]:focus-visible, .stTooltipIcon button:focus-visible { outline: 3px solid CanvasText; }
  .stCheckbox label > div:first-of-type { border: 1px solid CanvasText; }
}
@media (prefers-contrast: more) {
  .stMain :is([data-testid="stCaptionContainer"], [data-testid="stMarkdownContainer"] :is(span, p)) {
    color: inherit !important; opacity: 1; }
  .stApp :is([data-baseweb="select"], [data-baseweb="input"], .stNumberInput, .stTextInput) > div,
  .stApp :is(.stButton, .stPopover, .stButtonGroup, .stDownloadButton) button { border-color: currentColor; }
  .stApp :is(a, button, input, [role="tab"], [tabindex]):focus-visible { outline: 3px solid currentColor; }
}
/* A bar of progress lies over the picture, which therefore stays where it is. */
.st-key-hero .stElementContainer:has(> .stProgress) {
  height: 0; margin-bottom: -1rem; overflow: visible; position: relative; z-index: 70; }
.st-key-hero .stProgress { padding: 0.25rem 0.75rem 0.5rem; border-radius: 0.5rem;
  background: canvas; box-shadow: 0 1px 4px rgb(0 0 0 / 25%); }
/* While Streamlit loads a control, it reserves 40 px; these are the heights that the controls will have. */
:is(.st-key-bar, .stSidebar) .stElementContainer[class*="st-key-"]
  [data-testid="stSkeleton"] { height: 68px; }
:is(.st-key-bar, [class*="st-key-pinned"]) .stElementContainer[class*="-bar"]
  [data-testid="stSkeleton"] { height: 24px; }
.st-key-bar :is(.st-key-p-bar, .st-key-size-bar, .st-key-sample_share-bar) { min-height: 46px; }
.st-key-bar :is(.st-key-today-bar, .st-key-true_p-bar) { min-height: 30px; }
.st-key-bar .stElementContainer:is(.st-key-beta, .st-key-iris_example)
  [data-testid="stSkeleton"] { height: 40px; }
.st-key-threshold-bar { min-height: 32px; }
.st-key-headline [class*="st-key-text-"] { min-height: 27px; }
.st-key-digit_tiles [data-testid="stSkeleton"] { height: auto; max-width: 400px; aspect-ratio: 1; margin-inline: auto; }
.st-key-other-pages [data-testid="stSkeleton"] { height: 26px; }
/* Four charts two by two, whose bar is drawn before them. */
@media (min-width: 1100px) {
  .stMainBlockContainer:has(:is(#corrections, .st-key-p-bar)) .st-key-hero:not(:has(.st-key-correction)) { min-height: 716px; }
  .stApp:not([data-test-script-state="notRunning"]) .stMainBlockContainer:has(.st-key-pinned-bar):not(:has(.st-key-p-bar))
    .st-key-hero:not(:has(.st-key-roc)) { min-height: 464px; }
}
.stVerticalBlock[class*="st-key-wide-row-gallery"] .stElementContainer.st-key-fetched [data-testid="stSkeleton"] {
  height: 68px; }
.stVerticalBlock[class*="st-key-wide-row-gallery"] .stElementContainer.st-key-own-file [data-testid="stSkeleton"] {
  height: 128px; }
.st-key-examples [data-testid="stSkeleton"] { height: 36px; }
.st-key-examples .stElementContainer:has([data-testid="stSkeleton"]) { min-width: 134px; }
.st-key-bar .st-key-iris_example:has([data-testid="stSkeleton"]) { min-width: 212px; }
.st-key-ways [class*="st-key-take"] [data-testid="stSkeleton"] { height: 1.8rem; }
.st-key-lessons-about { min-width: min(100%, 18rem); }
.st-key-pages [data-testid="stSkeleton"] { height: 20px; }
.st-key-bar .stElementContainer:is(.st-key-loss, .st-key-cells, .st-key-way, .st-key-on)
  [data-testid="stSkeleton"] { height: 60px; }
@media (min-width: 641px) {
  .st-key-bar .st-key-loss [data-testid="stSkeleton"] { width: 454px; }
  .st-key-bar .st-key-cells [data-testid="stSkeleton"] { width: 240px; }
  .st-key-bar .st-key-way [data-testid="stSkeleton"] { width: 296px; }
}
/* A box in which nothing is typed shows the current value; it has no arrows, which would count from nothing. */
[class*="-typed"] :is(.stNumberInput, .stTextInput) input::placeholder {
  color: inherit; opacity: 1; }
[class*="-typed"] [data-testid="stNumberInputStepUp"], [class*="-typed"] [data-testid="stNumberInputStepDown"] {
  display: none; }
.stElementContainer:has(.section-name) { position: absolute; width: 1px !important; overflow: hidden; }
.section-name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
/* The names of the sections stay in view below the header. */
.stTabs [role="tablist"] {
  position: sticky; top: 2.3rem; z-index: 80; }
/* A section that comes in place of a longer one would leave the page too short to stay where it was scrolled to. */
.stTabs { scroll-margin-top: 2.3rem; min-height: calc(100vh - 2.3rem); }
[data-testid="stLayoutWrapper"]:has(> .st-key-sheet) { display: none; }
/* On paper charts lie one below the other, without controls; the sheet says what was set, and where it can be seen again. */
@media print {
  .stSidebar, [data-testid="stHeader"], .st-key-bar, .st-key-examples, .modebar,
  [class*="st-key-pinned"], [role="tablist"], .st-key-go-on, [class*="st-key-narrow-row-doors"],
  [data-testid="stPopoverBody"] { display: none !important; }
  :is(.stButton, .stDownloadButton, .stPopover, .stButtonGroup, .stSelectbox, .stSlider, .stNumberInput, .stTextInput,
    .stMultiSelect, .stCheckbox, .stFileUploader, .stForm) { display: none !important; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-sheet) { display: block; }
  .st-key-sheet p { font-size: 0.75rem; overflow-wrap: anywhere; }
  .kept-chart { break-inside: avoid; }
  .stElementContainer:has(.kept-plot), .stElementContainer:has(.kept-plot) :not(.kept-plot *) { height: auto !important; }
  /* What is behind a click is on paper, too, but for pages of formulas. */
  .stMain details:not(:has(.katex))::details-content { display: block; content-visibility: visible; height: auto; }
  .small-table { max-height: none !important; overflow: visible !important; }
  :is(.stElementContainer:has(.small-table), .stElementContainer:has(.small-table) *) {
    height: auto !important; }
  .small-table-search { display: none; }
  .small-table table { font-size: 0.7rem; }
  .small-table th, .small-table td { padding: 0.15rem 0.3rem; }
  .stMainBlockContainer { padding: 0; max-width: 100%; }
  .stTabs { min-height: 0; }
  .stHorizontalBlock { display: block; }
  .stColumn { width: 100% !important; min-width: 0 !important; }
}
.stVerticalBlock[class*="st-key-wide-row"] > * > .stHorizontalBlock,
.stVerticalBlock[class*="st-key-wide-row"] > .stHorizontalBlock { flex-wrap: wrap; }
.stVerticalBlock[class*="st-key-wide-row"] > * > .stHorizontalBlock > .stColumn,
.stVerticalBlock[class*="st-key-wide-row"] > .stHorizontalBlock > .stColumn { min-width: min(100%, 22rem); }
.stVerticalBlock[class*="st-key-narrow-row"] > * > .stHorizontalBlock,
.stVerticalBlock[class*="st-key-narrow-row"] > .stHorizontalBlock { flex-wrap: wrap; }
.stVerticalBlock[class*="st-key-narrow-row"] > * > .stHorizontalBlock > .stColumn,
.stVerticalBlock[class*="st-key-narrow-row"] > .stHorizontalBlock > .stColumn { min-width: min(100%, 16rem); }
.stVerticalBlock[class*="st-key-wide-row-trio"] > * > .stHorizontalBlock > .stColumn,
.stVerticalBlock[class*="st-key-wide-row-trio"] > .stHorizontalBlock > .stColumn { min-width: min(100%, 19rem); }
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-pinned"]) { position: sticky; top: 2.3rem; z-index: 90; }
.stVerticalBlock[class*="st-key-pinned"] { padding: 0.25rem 0; }
/* Where what follows a control stands in one column, the control below it would be out of sight. */
@media (max-width: 1100px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-bar [class*="st-key-pinned-below"]) {
    position: sticky; bottom: 0; z-index: 90; }
}
@media (max-width: 640px) {
  [class*="st-key-pinned"] .stHorizontalBlock { flex-wrap: nowrap; gap: 0.5rem; }
  [class*="st-key-pinned"] .stColumn { min-width: 0; }
  [class*="st-key-pinned"] .stColumn:last-child { flex: 0 0 5.5rem; }
  [class*="st-key-pinned"] [data-testid="stNumberInputStepDown"], [class*="st-key-pinned"] [data-testid="stNumberInputStepUp"] {
    display: none; }
}
/* A click anywhere on a card follows its link. */
.stVerticalBlock[class*="st-key-whole-card"] {
  position: relative; gap: 0.15rem; padding: 0.6rem 0.9rem;
  .stElementContainer, a, button { position: static; }
  a::after, button::after { content: ""; position: absolute; inset: 0; border-radius: 0.5rem; }
  a:focus-visible::after, button:focus-visible::after { outline: 2px solid currentColor; }
  a { padding-inline: 0; }
  button { min-height: 1.8rem; padding: 0; p { font-weight: 600; } }
}
.stVerticalBlock[class*="st-key-card-grid"] {
  display: grid; gap: 0.75rem; grid-template-columns: repeat(2, minmax(0, 1fr));
  > *, > * > .stVerticalBlock { height: 100%; } }
@media (min-width: 1200px) { .stVerticalBlock[class*="st-key-card-grid"] { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
@media (max-width: 640px) { .stVerticalBlock[class*="st-key-card-grid"] { grid-template-columns: minmax(0, 1fr); } }
.stColumn:has(> .stVerticalBlock > * > .stVerticalBlock[class*="st-key-whole-card"]) :is(
  .stVerticalBlock, [data-testid="stLayoutWrapper"]) { height: 100%; }
.stMain .stVerticalBlock[class*="st-key-whole-card"] {
  :is(a, button) p, button { font-size: 1rem; }
  .stElementContainer .stButton button { min-height: 1.8rem; }
  .stMarkdown :is(p, li) { font-size: 0.8125rem; } }
.stVerticalBlock[class*="st-key-whole-card"]:has(:is(a, button):hover) { border-color: currentColor; }
/* The cards are drawn after what lies below them; with room reserved, that does not move down. */
.st-key-lesson-cards { min-height: 41rem; }
.stVerticalBlock[class*="st-key-whole-card-door"] { border-width: 2px; }
/* In a low window both doors are in the first screen, without what stands behind them. */
@media (min-width: 769px) and (max-height: 800px) {
  .stVerticalBlock[class*="st-key-whole-card-door"] { padding-block: 0.15rem;
    > .stElementContainer:has(> .stMarkdown) { display: none; } }
}
/* The chosen example, the way on in a lesson: Streamlit's own white on a bright colour cannot be read in the dark. */
.st-key-use_table button[kind="primary"], .st-key-lesson button[kind="primary"] {
  background: transparent; color: inherit; border: 2px solid currentColor; font-weight: 700; }
.st-key-presets button { padding-block: 0.15rem; }
@media (max-width: 640px) {
  .stApp:not([data-test-script-state="notRunning"])
    [data-testid="stLayoutWrapper"]:has(> :is(.st-key-header, .st-key-headline)) +
    [data-testid="stLayoutWrapper"]:has(> .st-key-bar) { margin-top: 85vh; }
  .stApp:not([data-test-script-state="notRunning"])
    [data-testid="stLayoutWrapper"]:has(> :is(.st-key-header, .st-key-headline)) +
    [data-testid="stLayoutWrapper"]:has(> .st-key-bar .st-key-compared_loss) { margin-top: 25rem; }
  .stApp:not([data-test-script-state="notRunning"])
    .st-key-hero:not(:has([data-drawn], .st-key-critical_difference)) { min-height: 85vh !important; }
  .st-key-lesson-cards { min-height: 127rem; }
  .st-key-language { min-width: 100%; }
  .st-key-hero .st-key-search_space { min-height: 704px; }
  [class*="st-key-pinned"] .st-key-threshold-bar { min-height: 83px; }
  .st-key-pages [data-testid="stPageLink-NavLink"] { min-height: 44px; }
  .stMainBlockContainer { padding-inline: 1rem; }
  .st-key-header { flex-wrap: nowrap; }
  .st-key-header > :nth-child(2) { display: none; }
  .stMainBlockContainer h1 { font-size: 1.25rem; }
  .st-key-header > :first-child { min-width: 0; flex-shrink: 1; }
  .stMain .st-key-headline [data-testid="stMarkdownContainer"]:not(label *, button *) p {
    font-size: 1rem; }
  .st-key-headline { min-height: 2.7rem; }
}
/* A finger finds the sign of a help text, which is 16 px large, in 44 x 36; a tap beside its button would not open it. */
@media (max-width: 640px), (pointer: coarse) {
  .stTooltipHoverTarget > button:has(> svg) { position: relative; }
  .stTooltipHoverTarget > button:has(> svg)::after { content: ""; position: absolute; inset: -10px -14px; }
}
/* Beside an open sidebar, the last of four choices would else lie outside the window of a tablet. */
.stButtonGroup [role="radiogroup"], .stButtonGroup > div { flex-wrap: wrap; }
/* The page's question takes two lines, rather than leave the button alone in a line of its own. */
@media (min-width: 641px) { .st-key-header > :nth-child(2) { flex: 1 1 0 !important; min-width: 10rem !important; } }
/* Streamlit writes in white on the theme's colour, which cannot be read where that is bright, as in the dark theme. */
.stMultiSelect [data-tag] { background: transparent; border: 1px solid; }
.stMultiSelect [data-tag], .stMultiSelect [data-tag] * { color: inherit; }
@media (max-width: 500px) { .katex-display .katex { font-size: 0.85em; } }
</style>"""
LEADING_JS = Path(__file__).with_name("leading.js").read_text()
"""The script that leads to a part of a page."""


def style() -> None:
    """Put the style sheet into the page, once a run; the first HTML holds it, too, so that nothing moves when this comes."""
    st.html(STYLE)


def add_style(rules: str) -> None:
    """Add rules to the style sheet; they hold as long as each run of the page adds them."""
    st.html(f"<style>{rules}</style>")


def hidden_heading(title: str) -> None:
    """Draw the heading of a section for screen readers, which go by headings; its tab shows it to the eye."""
    st.html(f'<h2 class="section-name">{title}</h2>')


def wide_row(name: str, widths: list[int], *, align: Literal["top", "center", "bottom"] = "center") -> list[DeltaGenerator]:
    """Draw a row of columns for charts, which wrap if a column would be narrower than 22rem; returns the columns."""
    with st.container(key=f"wide-row-{name}"):
        return st.columns(widths, gap="medium", vertical_alignment=align)


def pinned(name: str) -> DeltaGenerator:
    """A container for a control that stays at the top of the window while the user scrolls through the charts it changes."""
    return st.container(key=f"pinned-{name}")


def narrow_row(name: str, number: int) -> list[DeltaGenerator]:
    """Draw a row of columns for controls, which wrap if a column would be narrower than 16rem; returns the columns."""
    with st.container(key=f"narrow-row-{name}"):
        return st.columns(number, gap="medium")


def card_grid(name: str) -> DeltaGenerator:
    """A container whose cards are all equal, four in a row where there is room, two or one where there is less."""
    return st.container(key=f"card-grid-{name}")


def whole_card(name: str) -> DeltaGenerator:
    """A bordered container for one link or button, which a click anywhere on the card follows."""
    return st.container(border=True, key=f"whole-card-{name}")
