"""From starting the server to the first picture in a cold browser, as a second `make run` does it.

python -m benchmarks.startup [--json]   (needs the group dev and a browser, as the tests do)
"""

import time

from playwright.sync_api import sync_playwright

from benchmarks.report import Row, main
from tests.browser import chromium
from tests.browser.server import serve

TITLE = "Seconds from starting the server to the first picture, cold browser and caches"


def measure() -> list[Row]:
    """A row for each page: seconds until the server is up, and until the first picture is drawn."""
    rows: list[Row] = []
    with sync_playwright() as playwright:
        for path in ("/", "/error-by-prevalence"):
            started = time.perf_counter()
            with serve() as address:
                up = time.perf_counter() - started
                browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
                page = browser.new_page()
                page.goto(address + path)
                page.wait_for_selector("[data-drawn]", timeout=60_000)
                picture = time.perf_counter() - started
                browser.close()
            rows.append({"page": path, "server up": up, "first picture": picture})
    return rows


if __name__ == "__main__":
    main(TITLE, measure)
