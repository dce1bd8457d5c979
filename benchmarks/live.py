"""From key press to repainted charts with four and eight quantifiers, in a real headless browser, server on the same machine.

python -m benchmarks.live [--json]   (needs the group dev and a browser, as the tests do)

Each press moves the sample size by one, so that samples, estimates, losses and both charts are all made anew.
"""

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Row, main
from tests.browser import chromium
from tests.browser.server import serve

TITLE = "Key press to repainted chart, Error by prevalence; sample size moved by one"
EIGHT = "q_counting=CC&q_counting=PCC&q_thresholds=T50&q_thresholds=MS&q_matching=DyS-PS"
"""Query for eight quantifiers: these five in addition to AC, PACC and EMQ, with which the page starts."""
QUANTIFIERS = {"four, as it opens": "", "eight": EIGHT}
PRESSES = 40

# The browser's own clock, from the key event to the frame after a chart has been drawn: what a person waits for.
WATCH = """() => {
  window.drawn = [];
  document.addEventListener('keydown', () => { window.pressed = performance.now(); window.drawn = []; }, true);
  const drawn = new MutationObserver((changes) => requestAnimationFrame(() =>
    changes.forEach(() => window.drawn.push(performance.now() - window.pressed))));
  drawn.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-drawn'] });
}"""


def press(page: Page) -> list[float]:
    """One key press; milliseconds until each of the two charts was repainted."""
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("window.drawn.length === 2", polling=20)
    page.wait_for_timeout(300)
    return [float(moment) for moment in page.evaluate("window.drawn")]


def measure() -> list[Row]:
    """A row for each number of quantifiers and chart: milliseconds to the first and to the last chart."""
    rows: list[Row] = []
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        for name, query in QUANTIFIERS.items():
            page = browser.new_page(viewport={"width": 1400, "height": 1200})
            page.goto(f"{address}/error-by-prevalence?{query}")
            page.wait_for_selector("[data-drawn]")
            page.wait_for_timeout(2000)
            page.evaluate(WATCH)
            page.get_by_role("slider", name="Sample size").focus()
            press(page)
            taken = np.array([press(page) for _ in range(PRESSES)])
            rows += [_row(name, "the loss chart", taken[:, 0]), _row(name, "both charts", taken[:, 1])]
            page.close()
        browser.close()
    return rows


def _row(quantifiers: str, what: str, taken: np.ndarray) -> Row:
    low, middle, high = np.quantile(taken, [0.1, 0.5, 0.9])
    shown = {"median ms": float(middle), "10 %": float(low), "90 %": float(high), "presses": len(taken)}
    return {"quantifiers": quantifiers, "repainted": what, **shown}


if __name__ == "__main__":
    main(TITLE, measure)
