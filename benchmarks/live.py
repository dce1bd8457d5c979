"""From key press to repainted charts with eight quantifiers, in a real headless browser, server on the same machine.

python -m benchmarks.live [--json]   (needs requirements-dev.txt and a browser, as the tests do)

Each press moves the sample size by one, so that samples, estimates, losses and both charts are all made anew.
"""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Row, main
from tests.browser import chromium
from tests.browser.server import serve

TITLE = "Key press to repainted chart, Error by prevalence with eight quantifiers; sample size moved by one"
EIGHT = "q_counting=CC&q_counting=PCC&q_thresholds=T50&q_thresholds=MS&q_matching=DyS-PS"
"""Beside AC, PACC and EMQ, which the page starts with."""
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
    """Milliseconds to the first and to the last chart."""
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        page = browser.new_page(viewport={"width": 1400, "height": 1200})
        page.goto(f"{address}/error-by-prevalence?{EIGHT}")
        page.wait_for_selector("[data-drawn]")
        page.wait_for_timeout(2000)
        page.evaluate(WATCH)
        page.get_by_role("slider", name="Sample size").focus()
        press(page)
        taken = np.array([press(page) for _ in range(PRESSES)])
        browser.close()
    return [_row("the loss chart", taken[:, 0]), _row("both charts", taken[:, 1])]


def _row(what: str, taken: np.ndarray) -> Row:
    low, middle, high = np.quantile(taken, [0.1, 0.5, 0.9])
    return {"repainted": what, "median ms": float(middle), "10 %": float(low), "90 %": float(high), "presses": len(taken)}


if __name__ == "__main__":
    main(TITLE, measure)
