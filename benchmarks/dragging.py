"""From a moved threshold to all charts that follow it repainted, in a real headless browser, server on the same machine.

python -m benchmarks.dragging [--json]   (needs the group dev and a browser, as the tests do)

The same run measures how long the server takes to redraw these charts when the sample size is moved.
"""

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Row, main
from tests.browser import chromium
from tests.browser.server import serve

TITLE = "From a moved threshold to all charts repainted that follow it; nothing is requested of the server"
PRESSES = 40
PAGES = {
    "Corrections": ("corrections", ["scores", "rates", "correction", "cost"]),
    "Classifier": ("classifier", ["roc", "confusion", "measures"]),
}

# The browser's own clock, from the key event to the frame after each chart has been drawn: what a person waits for.
WATCH = """(names) => {
  document.addEventListener('keydown', () => { window.pressed = performance.now(); window.drawn = {}; }, true);
  const drawn = new MutationObserver((changes) => requestAnimationFrame(() => changes.forEach(({ target }) => {
    if (names.includes(target.dataset.name)) window.drawn[target.dataset.name] ??= performance.now() - window.pressed; })));
  drawn.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-drawn'] });
}"""


def press(page: Page, key: str, n_charts: int, rest: int) -> list[float]:
    """One key press; milliseconds until each chart was repainted."""
    page.keyboard.press(key)
    page.wait_for_function(f"Object.keys(window.drawn).length === {n_charts}", polling=20)
    taken = [float(moment) for moment in page.evaluate("Object.values(window.drawn)")]
    page.wait_for_timeout(rest)
    return taken


def measure() -> list[Row]:
    """Milliseconds to the last chart, by dragging and by the server."""
    rows: list[Row] = []
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        for name, (path, charts) in PAGES.items():
            page = browser.new_page(viewport={"width": 1400, "height": 2400})
            page.goto(f"{address}/{path}")
            page.wait_for_selector(f".kept-plot[data-name={charts[-1]}][data-drawn]")
            page.wait_for_timeout(3000)
            page.evaluate(WATCH, charts)
            page.get_by_role("slider", name="Threshold", exact=True).focus()
            press(page, "ArrowLeft", len(charts), 1500)
            taken = [press(page, "ArrowLeft", len(charts), 900) for _ in range(PRESSES)]
            rows.append(_row(f"{name}: threshold moved, {len(charts)} charts", taken))
            if name == "Corrections":
                page.get_by_role("slider", name="Sample size").focus()
                # The chart of tpr and fpr is not redrawn: these rates belong to the training part.
                press(page, "ArrowLeft", len(charts) - 1, 1500)
                taken = [press(page, "ArrowLeft", len(charts) - 1, 900) for _ in range(PRESSES // 2)]
                rows.append(_row(f"{name}: sample size moved, {len(charts) - 1} of these charts, by the server", taken))
            page.close()
        browser.close()
    return rows


def _row(what: str, taken: list[list[float]]) -> Row:
    last = np.array([max(moments) for moments in taken])
    low, middle, high = np.quantile(last, [0.1, 0.5, 0.9])
    return {"repainted": what, "median ms": float(middle), "10 %": float(low), "90 %": float(high), "presses": len(last)}


if __name__ == "__main__":
    main(TITLE, measure)
