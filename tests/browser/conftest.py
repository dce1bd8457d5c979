"""One server and one browser for the browser tests, and pages that record what they should not do."""

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser import chromium
from tests.browser.server import serve
from tests.repository_server import repository_server

SCREENSHOTS = Path(__file__).parent / "screenshots"
WANTS_SCREENSHOTS = "SCREENSHOTS" in os.environ
"""Pictures of all pages, for people to look at: `SCREENSHOTS=1 make tests`."""
LOOPBACK = {"127.0.0.1", "localhost", ""}
PATIENCE = 180_000
"""Milliseconds to wait: what takes a second alone was seen to take a minute on a machine with ten busy programs."""
expect.set_options(timeout=PATIENCE)
FORGET = """if (location.protocol === 'http:') {
  localStorage.clear();
  document.cookie = 'quantification-lab-language=; path=/; max-age=0';
}"""
# Notes when a page has asked the server for something, and when it has heard from it. Answers wait in the list `late`, if there
# is one.
NOTES = """(() => {
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...how) {
      super(...how);
      this.addEventListener('message', (event) => {
        window.heard = performance.now();
        if (!window.late) return;
        event.stopImmediatePropagation();
        window.late.push(() => this.dispatchEvent(new MessageEvent('message', { data: event.data })));
      });
    }
    send(message) { window.asked = performance.now(); super.send(message); }
  }; })()"""


LOOKS_FOR_A_SERVER = re.compile(r"/[a-z-]+/_stcore/(health|host-config)$")
"""Streamlit looks for its server below the address of a page first, and then above."""


class Watched:
    """A page of the app with a record of errors and of requests that left the machine."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.problems: list[str] = []
        self._watched = {
            "pageerror": lambda error: self.problems.append(f"error: {error}"),
            "console": self._console, "request": self._request, "response": self._response,
        }  # fmt: skip
        for event, listener in self._watched.items():
            page.on(event, listener)

    def let_go(self) -> Page:
        """Watch the page no more."""
        for event, listener in self._watched.items():
            self.page.remove_listener(event, listener)
        return self.page

    def _console(self, message) -> None:
        # What a tab showed before asks for its own server, which has ended.
        url = message.location.get("url") or self.address
        if (
            message.type == "error"
            and urlparse(url).netloc == urlparse(self.address).netloc
            and not LOOKS_FOR_A_SERVER.search(url)
        ):
            self.problems.append(f"console: {message.text}")

    def _request(self, request) -> None:
        url = urlparse(request.url)
        if url.scheme in ("http", "https", "ws", "wss") and url.hostname not in LOOPBACK:
            self.problems.append(f"left the machine: {request.url}")

    def _response(self, response) -> None:
        if response.status >= 400 and not LOOKS_FOR_A_SERVER.search(response.url):
            self.problems.append(f"{response.status}: {response.url}")

    def open(self, path: str, *, hidden: bool = False) -> "Watched":
        self.page.goto(path if path.startswith("http") else self.address + path)
        self.page.wait_for_selector("[data-drawn]", state="attached" if hidden else "visible", timeout=PATIENCE)
        return self.settle()

    def settle(self) -> "Watched":
        """Wait until the script has run, no chart waits its turn, and the charts are as they will be."""
        # A page that has asked, and has no answer yet, still says that nothing runs. What is never answered is not waited for.
        quiet = """() => {
          const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
          const now = state + [...document.querySelectorAll('[data-drawn]')].map(e => e.dataset.drawn);
          const waits = window.asked > (window.heard ?? 0) && performance.now() - window.asked < 5000;
          const same = now === window.lastSeen; window.lastSeen = waits ? undefined : now;
          return same && state === 'notRunning' && !window.keptTurn; }"""
        self.page.wait_for_timeout(200)
        self.page.evaluate("window.lastSeen = undefined")  # what was seen before the last action is no sign of rest
        self.page.wait_for_function(quiet, polling=200)
        return self

    def change(self, act: Callable[[], object]) -> "Watched":
        """Do something that redraws a chart, and wait until it has."""
        before = self.stamps()
        act()
        drawn = "[...document.querySelectorAll('[data-drawn]')].map(e => e.dataset.drawn).join()"
        self.page.wait_for_function(f"before => ![before, ''].includes({drawn})", arg=before)
        return self.settle()

    @contextlib.contextmanager
    def answered_late(self) -> Iterator[None]:
        """Hold back what the server answers until the context is left."""
        self.page.evaluate("window.late = []")
        yield
        self.page.evaluate("() => { const held = window.late; window.late = undefined; held.forEach((give) => give()); }")

    def unfold(self, name: str) -> "Watched":
        """Open a popover, by how its button begins."""
        self.page.locator("[data-testid=stPopover] button").filter(has_text=re.compile(f"^{re.escape(name)}")).first.click()
        self.page.wait_for_selector("[data-testid=stPopoverBody] .stElementContainer")
        if name == "Share":
            # What fewer people look for is a click further.
            more = self.page.locator(".st-key-share_more")
            if not more.get_by_role("switch").is_checked():
                more.locator("label").click()
                self.settle()
        return self

    def stamps(self) -> str:
        return self.page.evaluate("[...document.querySelectorAll('[data-drawn]')].map(e => e.dataset.drawn).join()")

    def data(self) -> list:
        """Names and y values of every trace of every chart."""
        return self.page.evaluate(
            "[...document.querySelectorAll('[data-drawn]')].map(plot => plot.data.map(t => [t.name, Array.from(t.y)]))"
        )


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


class Tabs:
    """Tabs of one browser, which one test after the other uses: what a tab has compiled of the app's scripts it keeps."""

    def __init__(self, browser: BrowserContext) -> None:
        self._browser, self._free = browser, []

    def take(self) -> Page:
        """Give a tab that is as a new one: in front, no history, nothing stored, the mouse in the corner."""
        self._free = [page for page in self._free if not page.is_closed()]
        if not self._free:
            return self._browser.new_page()
        page = self._free.pop()
        page.bring_to_front()  # a Chromium with windows gives a tab behind another one frame a second
        page.mouse.move(0, 0)
        with contextlib.suppress(PlaywrightError):
            page.evaluate("sessionStorage.clear()")  # a page that is a file's has none
        session = self._browser.new_cdp_session(page)
        session.send("Page.resetNavigationHistory")
        session.detach()
        return page

    def give_back(self, page: Page) -> None:
        if not page.is_closed():
            self._free.append(page)


@pytest.fixture(scope="session")
def tabs(browser: BrowserContext) -> Tabs:
    return Tabs(browser)


@pytest.fixture(scope="session")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """One browser with a profile on disk: what it has compiled of the app's JavaScript it keeps from page to page."""
    path = chromium.find()
    if path is None:
        pytest.fail(chromium.ADVICE)
    profile = tmp_path_factory.mktemp("profile")
    started = playwright.chromium.launch_persistent_context(profile, executable_path=path, args=chromium.BRIEFLY)
    started.grant_permissions(["clipboard-read", "clipboard-write"])
    started.set_default_timeout(PATIENCE)
    # Each page starts as in a fresh profile.
    started.add_init_script(FORGET)
    started.add_init_script(NOTES)
    yield started
    started.close()


@pytest.fixture
def people(playwright: Playwright, address: str) -> Iterator[Callable[..., Watched]]:
    """Opens pages, each in a browser of its own: what one keeps in cookies another does not know."""
    started = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.BRIEFLY)

    def start(path: str, *, width: int = 1400, height: int = 900, at: str = address, **how) -> Watched:
        page = started.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce").new_page()
        page.add_init_script(NOTES)
        page.set_default_timeout(PATIENCE)
        return Watched(page, at).open(path, **how)

    yield start
    started.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with repository_server() as repository:
        # UCI and OpenML as far as the app knows: nothing leaves this machine.
        known = dict.fromkeys(("QUANTIFICATION_LAB_UCI", "QUANTIFICATION_LAB_OPENML"), repository.address)
        with serve(**known, QUANTIFICATION_LAB_CACHE=str(tmp_path_factory.mktemp("cache"))) as running:
            yield running


@pytest.fixture
def visit(tabs: Tabs, address: str) -> Iterator[Callable[..., Watched]]:
    """Opens pages; at the end none of them may have had a problem."""
    pages: list[Watched] = []

    def start(path: str, *, width: int = 1400, height: int = 1200, scheme: str = "light", at: str = address, **how) -> Watched:
        page = tabs.take()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="null", color_scheme=scheme, reduced_motion="reduce")
        pages.append(Watched(page, at))
        return pages[-1].open(path, **how)

    yield start
    problems = [problem for one in pages for problem in one.problems]
    for one in pages:
        tabs.give_back(one.let_go())
    assert problems == []
