"""A first visit on a line of 1.6 Mb/s, with a cold browser and warm caches of the server: on a laptop, and on a slow phone.

python -m benchmarks.first_load [--json]   (needs the group dev and a browser, as the tests do; about six minutes)

The phone is Chromium at 390 x 844 with its processor slowed to a quarter; after its first visit it goes to another page. A last
table says on which files' scripts the phone's browser spends its time until the first picture, on a fast line.
"""

import json
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

PAGES = (
    "/",
    "/error-by-prevalence",
    "/corrections",
    "/classifier",
    "/losses",
    "/estimate",
    "/test-size",
    "/more-than-two-classes",
    "/search-space",
)
LOOKED_INTO = PAGES[:3]
BITS_PER_SECOND, DELAY = 1.6e6, 0.075
SLOWER = 4
LAPTOP = {"viewport": {"width": 1400, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
FIRST = {"first words": "h1", "the app's text": "[data-testid=stApp] h1", "first picture": "[data-drawn]"}
"""What a visitor sees of a page, and how it is found."""
SEEN = """first => {
  const seen = window.firstSeen = {};
  new MutationObserver(() => Object.entries(first).forEach(([name, selector]) => {
    if (name in seen || !document.querySelector(selector)) return;
    seen[name] = null;
    // In the frame after it is there: that is when it is on the screen.
    requestAnimationFrame(() => setTimeout(() => { seen[name] = Date.now() / 1000; }));
  })).observe(document, { subtree: true, childList: true, attributes: true });
}"""
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
    """Seconds until a visitor sees the page's title, the app itself, and a picture, by the browser's clock."""
    page.add_init_script(f"({SEEN})({json.dumps(FIRST)})")
    started = time.time()
    page.goto(address, wait_until="commit", timeout=120_000)
    page.wait_for_function("n => Object.values(window.firstSeen).filter(Boolean).length === n", arg=len(FIRST), timeout=120_000)
    return {name: seen - started for name, seen in page.evaluate("firstSeen").items()}


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
        for path in PAGES:
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
        for path in LOOKED_INTO:
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
    """Seconds by the file whose script was executed; other work, such as garbage collection, by its name in brackets."""
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
