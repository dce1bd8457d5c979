"""What holds on every page: the picture is seen first, nothing reaches out sideways, no section is long, all can be read."""

import contextlib
import importlib.resources

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.conftest import SCREENSHOTS, WANTS_SCREENSHOTS
from tests.browser.server import ROOT

pytestmark = pytest.mark.browser
PATHS = {
    folder.parent.name.replace("_", "-"): "/" if folder.parent.name == "home" else f"/{folder.parent.name.replace('_', '-')}"
    for folder in sorted((ROOT / "pages").glob("*/page.py"))
} | {"estimate": "/estimate?way=An+example", "estimate, what do you have": "/estimate"}

SIZES = {(1400, 900): 200, (1920, 1080): 200, (390, 844): 320}
"""Window -> how far down the first chart may start."""

MOST_WORDS = 40

# Top of the first chart, bottom of the last one, and the words that are seen above: not those of the bar of a threshold.
HERO = """() => {
  const hero = document.querySelector('[class*=st-key-hero]');
  const charts = [...hero.querySelectorAll('.kept-plot, .small-table, .lesson-cards, .st-key-ways')];
  const boxes = charts.map((chart) => chart.getBoundingClientRect()), top = Math.min(...boxes.map((box) => box.top));
  const seen = (element) => element.checkVisibility() && element.getBoundingClientRect().top < top;
  const words = ['header', 'headline'].map((key) => document.querySelector(`[class*=st-key-${key}]`)).filter(seen)
    .flatMap((element) => element.innerText.split(/\\s+/)).filter(Boolean).length;
  return { top, bottom: Math.max(...boxes.map((box) => box.bottom)), words }; }"""

MOST_SHIFT = 0.15
"""How much may move while a page loads, as browsers count it: under 0.1 on a free machine, where less comes piece by piece."""

SHIFT = """() => new Promise((done) => {
  setTimeout(() => done(0), 500);
  new PerformanceObserver((list) => done(list.getEntries().filter((one) => !one.hadRecentInput)
    .reduce((sum, one) => sum + one.value, 0))).observe({ type: "layout-shift", buffered: true }); })"""

LONGEST_SECTION = {(1400, 900): 1500, (390, 844): 3000}
"""Window -> length of the longest section; on a phone charts lie one below the other."""

SECTION = """() => Math.max(0, ...[...document.querySelectorAll('[role=tabpanel]')].filter((panel) => panel.checkVisibility())
  .map((panel) => panel.getBoundingClientRect().height))"""
SIDEBAR = "() => document.querySelector('[data-testid=stSidebarContent]').scrollHeight"
TOOLS = "[...document.querySelectorAll('.modebar-btn')].map((button) => button.tabIndex)"
TOUCHED = """[...document.querySelectorAll('[class*=st-key-hero] .kept-plot .nsewdrag')]
  .map((area) => getComputedStyle(area).touchAction)"""
OUTLINE = """() => [...document.querySelectorAll('[data-testid=stMain] :is(h1, h2, h3)')]
  .map((heading) => [heading.tagName, heading.innerText.trim()])"""

# What scrolls inside itself may be wider than the window; so may the invisible input behind a slider's thumb, and shapes that
# a drawing cuts off, such as those of Plotly's 3-D icons; not its words.
TOO_WIDE = """() => [...document.querySelectorAll('[data-testid=stMain] *')]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
  .filter(e => !e.closest('[data-testid=stSlider] input, [role=radiogroup], pre, .small-table table'))
  .filter(e => !e.closest('[role=tablist], .section-bar, .katex-mathml'))
  .filter(e => !e.closest('.katex-display') && (!e.ownerSVGElement || e.closest('text')))
  .map(e => e.className)"""

# How bright the page is, from 0 to 1.
LUMINANCE = """(() => { const [r, g, b] = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor
  .match(/[0-9.]+/g).map(Number); return (r + g + b) / 765; })()"""


# The least contrast of a name in a picture with the page behind it, as WCAG 2.2 counts it, and the name.
CONTRAST = """() => {
  const rgb = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const part = (value) => value <= 0.04045 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const light = (colour) => rgb(colour).map(part).reduce((sum, one, i) => sum + [0.2126, 0.7152, 0.0722][i] * one, 0.05);
  const page = light(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor);
  return [...document.querySelectorAll('[class*=st-key-hero] .kept-plot .annotation-text')]
    .map((text) => [light(getComputedStyle(text).fill), text.textContent])
    .map(([one, text]) => [Math.max(one, page) / Math.min(one, page), text]).sort(([a], [b]) => a - b)[0] ?? [21, ""]; }"""


# What is the same on all pages: sizes of text, the height of what is clicked in a row, and the look of what is chosen.
LOOK = """() => {
  const main = document.querySelector("[data-testid=stMain]"), sizes = new Set(), charts = new Set();
  const seen = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const isIcon = element.closest("style, script, .katex, .modebar, [data-testid=stIconMaterial]");
    if (!walk.currentNode.textContent.trim() || !seen(element) || isIcon) continue;
    (element.closest(".kept-plot") ? charts : sizes).add(Math.round(parseFloat(getComputedStyle(element).fontSize)));
  }
  const clicked = [...main.querySelectorAll(":is(.stButton, .stPopover, .stDownloadButton, .stButtonGroup) button")]
    .filter((button) => seen(button) && !button.closest("[class*=whole-card], .stTooltipIcon") && button.innerText.trim());
  const chosen = ".stButtonGroup [aria-checked=true], .st-key-presets [kind=primary], [aria-selected=true]";
  const looks = [...main.querySelectorAll(chosen)].filter(seen).map((one) => getComputedStyle(one))
    .map(({ backgroundColor, color }) => backgroundColor + color);
  return { sizes: [...sizes], charts: [...charts], looks: [...new Set(looks)],
    heights: [...new Set(clicked.map((button) => Math.round(button.getBoundingClientRect().height)))] }; }"""


def assert_one_look(page):
    """Four sizes of text, two in charts; one height of what is clicked, one look of what is chosen."""
    look = page.evaluate(LOOK)
    assert set(look["sizes"]) <= {32, 20, 16, 13}, look
    assert set(look["charts"]) <= {16, 13}, look
    assert set(look["heights"]) <= {36}, look
    assert len(look["looks"]) <= 1, look


def assert_picture_first(one, width, height):
    """The picture starts high, few words stand above it, and on a wide window it ends inside."""
    hero = one.page.evaluate(HERO)
    assert hero["top"] <= SIZES[width, height], (width, hero)
    assert hero["words"] <= MOST_WORDS, (width, hero)
    if width > 1000:
        assert hero["bottom"] <= height, (width, hero)


def assert_accessible(page, **options):
    """Axe finds nothing to complain of."""
    page.evaluate(importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text())
    # Without `resultTypes`, most of its time goes into what is fine.
    # Streamlit's drop zone for files is a section with the role of a decoration, and a name; its button beside it is all right.
    run = "options => axe.run({ exclude: [['[data-testid=stFileUploaderDropzone]']] }, options)"
    violations = page.evaluate(run, {"resultTypes": ["violations"], **options})["violations"]
    assert [(v["id"], v["help"], [node["html"][:200] for node in v["nodes"]]) for v in violations] == []


def assert_fits(one, name, look):
    """Nothing on the page reaches out sideways."""
    assert one.page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    with contextlib.suppress(PlaywrightTimeout):
        # Charts follow the width a moment later.
        one.page.wait_for_function(f"() => ({TOO_WIDE})().length === 0", timeout=5_000)
    assert one.page.evaluate(TOO_WIDE) == []
    take_screenshot(one, f"{name}-{look}")


def take_screenshot(one, name):
    """Leave a picture of the whole page, if somebody wants to look at it."""
    if not WANTS_SCREENSHOTS:
        return
    before = one.page.viewport_size
    full = one.page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight")
    resized(one, before["width"], min(int(full) + 100, 6000))
    SCREENSHOTS.mkdir(exist_ok=True)
    one.page.screenshot(path=SCREENSHOTS / f"{name}.png")
    resized(one, **before)


def resized(one, width, height):
    one.page.set_viewport_size({"width": width, "height": height})
    one.settle()


@pytest.mark.parametrize("name", PATHS)
def test_picture_first_wide_and_narrow_light_and_dark(visit, name):
    one = visit(PATHS[name], width=1400, height=900)
    if one.page.evaluate(SHIFT) >= MOST_SHIFT:
        # A machine that does something else meanwhile draws piece by piece what comes at once otherwise.
        assert one.open(PATHS[name]).page.evaluate(SHIFT) < MOST_SHIFT
    assert_picture_first(one, 1400, 900)
    assert [level for level, _ in one.page.evaluate(OUTLINE)].count("H1") == 1
    assert one.page.evaluate(SIDEBAR) <= 900, "the sidebar is one screen"
    assert set(one.page.evaluate(TOOLS)) <= {-1}, "charts' tools stay out of the order of the Tab key"
    assert_one_look(one.page)
    assert_fits(one, name, "light")
    assert_accessible(one.page)
    words = """(([chart, card]) => chart ? getComputedStyle(chart).fill : getComputedStyle(card).color)(
      [".kept-plot text", ".lesson-cards h2, .st-key-ways button p"].map((one) => document.querySelector(one)))"""
    assert one.page.evaluate(CONTRAST)[0] >= 4.5, one.page.evaluate(CONTRAST)
    light = one.page.evaluate(words)
    one.page.emulate_media(color_scheme="dark")
    one.page.wait_for_function(f"() => {LUMINANCE} < 0.2")
    one.page.wait_for_timeout(500)  # colours that Streamlit fades
    one.page.wait_for_function(f"light => {words} !== light", arg=light)
    assert_accessible(one.page, runOnly=["color-contrast", "link-in-text-block"])  # the rest has not changed
    assert one.page.evaluate(CONTRAST)[0] >= 4.5, one.page.evaluate(CONTRAST)
    take_screenshot(one, f"{name}-dark")
    resized(one, 390, 844)
    assert_picture_first(one, 390, 844)
    assert set(one.page.evaluate(TOUCHED)) <= {"pan-y"}, "a finger scrolls the page over a chart"
    assert_fits(one, name, "390px")


@pytest.mark.thorough
@pytest.mark.parametrize("name", PATHS)
def test_picture_first_at_1920_px_and_nothing_wide_at_900(visit, name):
    one = visit(PATHS[name], width=1920, height=1080)
    assert_picture_first(one, 1920, 1080)
    resized(one, 900, 900)
    assert_fits(one, name, "900px")


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(PATHS.keys() - {"home", "learn", "estimate, what do you have"}))
def test_no_section_is_longer_than_two_screens(visit, name):
    """On a data set on which everything is trained at once."""
    settings = "data=iris&classifier=Gaussian+naive+Bayes&learners="
    one = visit(f"{PATHS[name]}{'&' if '?' in PATHS[name] else '?'}{settings}", height=900)
    lengths, sizes = {}, LONGEST_SECTION
    for tab in one.page.get_by_role("tab").all():
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
        one.page.wait_for_function(SECTION, timeout=30_000)
        one.settle()
        for (width, height), longest in sizes.items():
            one.page.set_viewport_size({"width": width, "height": height})
            one.page.wait_for_timeout(150)
            lengths[tab.inner_text(), width] = (round(one.page.evaluate(SECTION)), longest)
        # The next one is seen first as this one was last.
        sizes = dict(reversed(sizes.items()))
    assert lengths, "a page without sections"
    assert all(length <= longest for length, longest in lengths.values()), {k: v for k, v in lengths.items() if v[0] > v[1]}
