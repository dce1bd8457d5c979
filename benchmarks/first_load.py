"""A first visit on a line of 1.6 Mb/s, with a cold browser and warm caches of the server: on a laptop, and on a slow phone.

python -m benchmarks.first_load [--json]   (needs requirements-dev.txt and a browser, as the tests do; about four minutes)

The phone is Chromium at 390 x 844 with its processor slowed to a quarter. Then it goes to another page. A last table says where
the browser's time goes until the first picture, by the file whose script it executes, on a fast line.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import CDPSession, Page, Playwright, sync_playwright

from benchmarks import report
from benchmarks.report import Row
from tests.browser import chromium
from tests.browser.server import serve
from tests.browser.slow_line import slow_line

PAGES = ("/", "/error-by-prevalence", "/corrections", "/classifier", "/search-space")
ON_A_PHONE = PAGES[:3]
BITS_PER_SECOND, DELAY = 1.6e6, 0.075
SLOWER = 4
LAPTOP = {"viewport": {"width": 1400, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
TEXT = "() => document.body && document.body.innerText.trim().length > 0"
APP = "() => document.querySelector('[data-testid=stApp] h1')"
MENU = "() => document.querySelector('[data-testid=stExpandSidebarButton]')?.click()"
GO = """path => {
  window.left = document.querySelector("[data-drawn]");
  [...document.querySelectorAll("a")].find(a => a.getAttribute("href") === path.slice(1)).click();
}"""
THERE = "path => location.pathname === path && document.querySelector('[data-testid=stApp] h1')"
DRAWN_THERE = "() => !window.left.isConnected && document.querySelector('[data-drawn]')"
PAUSE = 3000
"""Milliseconds that somebody looks at a page before going on."""

_N_FILES = 8


@contextmanager
def _browser(playwright: Playwright, screen: dict[str, Any], slower: int) -> Iterator[tuple[Page, CDPSession]]:
    browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
    try:
        page = browser.new_context(**screen).new_page()
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        yield page, session
    finally:
        browser.close()


def _visit(page: Page, address: str) -> dict[str, float]:
    """Seconds until any text, until the app's own, and until a picture is drawn."""
    started, times = time.perf_counter(), {}
    page.goto(address, wait_until="commit", timeout=120_000)
    for name, seen in (("first words", TEXT), ("the app's text", APP)):
        page.wait_for_function(seen, polling=50, timeout=120_000)
        times[name] = time.perf_counter() - started
    page.wait_for_selector("[data-drawn]", timeout=120_000)
    return {**times, "first picture": time.perf_counter() - started}


def _go_on(page: Page, path: str) -> dict[str, float]:
    """Seconds from a click on a link until the other page's text, and its picture, are there."""
    page.wait_for_timeout(PAUSE)
    page.evaluate(MENU)
    page.wait_for_timeout(PAUSE)
    started = time.perf_counter()
    page.evaluate(GO, path)
    page.wait_for_function(THERE, arg=path, polling=50, timeout=60_000)
    text = time.perf_counter() - started
    page.wait_for_function(DRAWN_THERE, polling=50, timeout=60_000)
    return {"another page's text": text, "its picture": time.perf_counter() - started}


def first_visits(*, phone: bool) -> list[Row]:
    """A row for each page: what a first visit loads, and its times."""
    rows: list[Row] = []
    with serve() as address, sync_playwright() as playwright:
        for path in PAGES:
            with _browser(playwright, LAPTOP, 1) as (page, _):
                _visit(page, address + path)
        for path in ON_A_PHONE if phone else PAGES:
            screen = (PHONE, SLOWER) if phone else (LAPTOP, 1)
            with slow_line(address, BITS_PER_SECOND, DELAY) as (slow, line), _browser(playwright, *screen) as (page, _):
                times = _visit(page, slow + path)
                sent = line.bytes_sent / 1e6
                if phone:
                    times |= _go_on(page, "/error-by-prevalence" if path != "/error-by-prevalence" else "/corrections")
            rows.append({"page": path, "MB sent": sent, **times})
    return rows


def by_file() -> list[Row]:
    """A row for each page on the phone: seconds until the first picture, and how many of them each file's scripts take."""
    rows: list[Row] = []
    with serve() as address, sync_playwright() as playwright:
        for path in ON_A_PHONE:
            with _browser(playwright, LAPTOP, 1) as (page, _):
                _visit(page, address + path)
            with _browser(playwright, PHONE, SLOWER) as (page, session):
                session.send("Profiler.enable")
                session.send("Profiler.start")
                seconds = _visit(page, address + path)["first picture"]
                spent = _spent(session.send("Profiler.stop")["profile"]).most_common(_N_FILES)
            parts = "; ".join(f"{name} {part:.1f}" for name, part in spent)
            rows.append({"page": path, "first picture": seconds, "of it": parts})
    return rows


def _spent(profile: dict[str, Any]) -> Counter[str]:
    """Seconds by file; what no file is executed for, such as layout and garbage collection, by its name in brackets."""
    frames = {node["id"]: node["callFrame"] for node in profile["nodes"]}
    spent: Counter[str] = Counter()
    for sample, microseconds in zip(profile["samples"], profile["timeDeltas"], strict=True):
        frame = frames[sample]
        spent[frame["url"].rpartition("/")[2] or frame["functionName"]] += microseconds / 1e6
    return spent


def main() -> None:
    """Print the tables."""
    line = f"on a line of {BITS_PER_SECOND / 1e6:g} Mb/s with {1000 * DELAY:g} ms delay a connection: megabytes, seconds"
    report.show(
        {
            f"First visit {line}": lambda: first_visits(phone=False),
            f"First visit with a phone {SLOWER} times as slow, {line}": lambda: first_visits(phone=True),
            "What that phone's processor does until the first picture, seconds": by_file,
        },
        report.arguments(__doc__ or ""),
    )


if __name__ == "__main__":
    main()
