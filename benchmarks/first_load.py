"""What a first visit sends, and how long it takes on a line of 1.6 Mb/s: cold browser, the server's caches warm.

python -m benchmarks.first_load [--json]   (needs requirements-dev.txt and a browser, as the tests do)
"""

import time

from playwright.sync_api import Playwright, sync_playwright

from benchmarks.report import Row, main
from tests.browser import chromium
from tests.browser.server import serve
from tests.browser.slow_line import slow_line

TITLE = (
    "First visit on a line of 1.6 Mb/s with 75 ms delay a connection: megabytes sent, seconds to the first words and picture"
)
PAGES = ("/", "/error-by-prevalence", "/corrections", "/classifier", "/search-space")
BITS_PER_SECOND, DELAY = 1.6e6, 0.075
SOMETHING = "() => document.body && document.body.innerText.trim().length > 0"


def measure() -> list[Row]:
    """A row for each page: what a first visit loads, and its time."""
    with serve() as address, sync_playwright() as playwright:
        for path in PAGES:
            _visit(playwright, address + path)
        return [_row(playwright, address, path) for path in PAGES]


def _row(playwright: Playwright, address: str, path: str) -> Row:
    with slow_line(address, BITS_PER_SECOND, DELAY) as (slow_address, line):
        words, picture = _visit(playwright, slow_address + path)
        return {"page": path, "MB sent": line.bytes_sent / 1e6, "first words": words, "first picture": picture}


def _visit(playwright: Playwright, address: str) -> tuple[float, float]:
    browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
    try:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        started = time.perf_counter()
        page.goto(address, wait_until="commit", timeout=120_000)
        page.wait_for_function(SOMETHING, polling=50, timeout=120_000)
        words = time.perf_counter() - started
        page.wait_for_selector("[data-drawn]", timeout=120_000)
        return words, time.perf_counter() - started
    finally:
        browser.close()


if __name__ == "__main__":
    main(TITLE, measure)
