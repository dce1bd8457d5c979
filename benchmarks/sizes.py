"""The pages "Test size" and "Recommender" in a real headless browser, server on the same machine.

python -m benchmarks.sizes [--json]   (needs the group dev and a browser, as the tests do)

Each row starts from settings for which only the classifier's scores have been computed before.
"""

from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Row, main
from pages.settings.address import link_query
from pages.settings.setting import Value
from pages.settings.shared import family_members, quantifiers_key
from qcore.quantifiers import FAMILIES
from tests.browser import chromium
from tests.browser.heatmap import cell
from tests.browser.server import serve

TITLE = "From a click or a key to the chart repainted"
ALL: dict[str, Value] = {quantifiers_key(family): family_members(family) for family in FAMILIES}

# The browser's own clock, from the click or key to the frame after the chart has been drawn: what a person waits for.
WATCH = """() => {
  const start = () => { window.started = performance.now(); window.drawn = {}; window.bar = null; };
  addEventListener('keydown', (event) => { if (event.key !== 'Tab') start(); }, true);
  addEventListener('pointerdown', start, true);
  new MutationObserver((changes) => requestAnimationFrame(() => changes.forEach(({ target }) => {
    if (target.dataset?.drawn) window.drawn[target.dataset.name] = performance.now() - window.started; })))
    .observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-drawn'] });
  new MutationObserver(() => { if (document.querySelector('[data-testid=stProgress]'))
    window.bar ??= performance.now() - window.started; }).observe(document.body, { subtree: true, childList: true });
}"""
FITS = {
    "/test-size?test_size_section=Recommender": "wdbc, logistic regression",
    "/test-size?test_size_section=Recommender&classifier=random+forest&data=waveform": "waveform, 22 random forests trained",
}
RESTS = "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"


def taken(page: Page, act: Callable[[], object], chart: str) -> float:
    """Milliseconds from the act to the chart's last repaint."""
    act()
    page.wait_for_function(f"window.drawn?.['{chart}'] !== undefined", polling=20, timeout=120_000)
    page.wait_for_function(RESTS, timeout=120_000)
    page.wait_for_timeout(700)
    return float(page.evaluate(f"window.drawn['{chart}']"))


_ENLARGED = "document.querySelector('[data-name=enlarged-heatmap]').data.find(({ type }) => type === 'heatmap').name"


def _clicked(page: Page, prevalence: float) -> float:
    x, y = cell(page, "enlarged-heatmap", page.evaluate(_ENLARGED), prevalence, "30")
    page.mouse.move(x - 2, y)
    return taken(page, lambda: page.mouse.click(x, y), "column")


def opened(page: Page, address: str, path: str, chart: str) -> None:
    """Open a page, wait for its chart, and start to watch."""
    page.goto(f"{address}{path}")
    page.wait_for_selector(f".kept-plot[data-name={chart}][data-drawn]", timeout=120_000)
    page.wait_for_timeout(2500)
    page.evaluate(WATCH)


def measure() -> list[Row]:
    """A row for each of the most frequent actions and for the longest one: its milliseconds."""
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        page = browser.new_page(viewport={"width": 1400, "height": 1800})
        opened(page, address, "/test-size", "loss-by-size")
        page.locator("[data-testid=stPopover] button").filter(has_text="repeats").click()
        repeats = page.get_by_role("spinbutton", name="Repeats")
        times = [taken(page, lambda: repeats.press("ArrowUp"), "loss-by-size") for _ in range(6)]
        rows = [_row("default grid, 5 repeats more: all small heatmaps", times)]
        times = [_clicked(page, prevalence) for prevalence in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8)]
        rows.append(_row("another cell clicked: the curve along its column", times))
        opened(page, address, f"/test-size?{link_query({**ALL, 'data': 'waveform'})}", "loss-by-size")
        whole = page.get_by_role("button", name="The paper's grid")
        rows.append(
            _row("the paper's grid, all quantifiers, 14,140 samples: the heatmaps", [taken(page, whole.click, "loss-by-size")])
        )
        rows.append(_row("  of that, until progress was shown", [float(page.evaluate("window.bar"))]))
        page.close()
        for path, what in FITS.items():
            page = browser.new_page(viewport={"width": 1400, "height": 1800})
            page.goto(address)
            page.wait_for_selector("[data-drawn]")
            started = page.evaluate("Date.now()")
            page.goto(f"{address}{path}")
            page.wait_for_selector(".kept-plot[data-name=errors-by-size][data-drawn]", timeout=120_000)
            rows.append(_row(f"Recommender opened: {what}", [float(page.evaluate("Date.now()")) - started]))
            page.close()
        browser.close()
    return rows


def _row(what: str, times: list[float]) -> Row:
    return {"repainted": what, "median ms": float(np.median(times)), "longest": max(times), "times": len(times)}


if __name__ == "__main__":
    main(TITLE, measure)
