"""Takes the README's picture of the app: `python -m docs.pictures` (needs requirements-dev.txt and a browser, as tests do)."""

import argparse
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.server import serve

PICTURES = {"home.png": "/"}
"""File -> the view that it shows."""
_DRAWN = """() => document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
  && document.querySelectorAll('[data-drawn]').length"""


def main() -> None:
    """Take each picture in a window of 1400 x 900 pixels."""
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        page = browser.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
        for name, view in PICTURES.items():
            page.goto(address + view)
            page.wait_for_function(_DRAWN, timeout=60_000)
            page.wait_for_timeout(3000)  # fonts, and charts that find their room
            page.screenshot(path=Path(__file__).with_name(name))
        browser.close()


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, prog="python -m docs.pictures").parse_args()
    main()
