"""A Chromium for the browser tests: an installed one, else one of Debian's packages, else Playwright's own download.

`python -m tests.browser.chromium` finds or installs one, prints its path, and fails with what to install if it can't.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.packages import install as install_package

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FIXED = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
IN_SPACE = "--enable-unsafe-swiftshader"
"""Surfaces are drawn without a graphics card, too."""
# The background services of a browser would try to leave the machine; letters are as wide in a browser without windows as
# in one with them.
_CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", IN_SPACE, "--font-render-hinting=none",
]  # fmt: skip
# Else the first error in a script that somebody watches, as Playwright does, makes V8 read the whole script again.
_V8 = "--js-flags=--no-enable-lazy-source-positions"
ARGUMENTS = [*_CHROMIUM, _V8]
BRIEFLY = [*_CHROMIUM, f"{_V8},--no-opt,--no-maglev"]
"""For pages that live for some seconds, as in a test: scripts are not compiled for speed, which costs more than it saves."""
ADVICE = (
    "No browser for the tests: install Chromium or Google Chrome so that `chromium` or `google-chrome` is on the PATH "
    "(Debian, Ubuntu: apt-get install chromium), or set BROWSER_PATH to one."
)


def installed() -> str | None:
    """Path of an installed Chromium or Chrome."""
    named = os.environ.get("BROWSER_PATH")
    candidates = [named] if named else [*(shutil.which(name) for name in NAMES), *FIXED]
    return next((path for path in candidates if path and Path(path).exists()), None)


def downloaded() -> str | None:
    """Path of a Chromium that Playwright downloaded before."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def find() -> str | None:
    """Path of a usable browser, or None."""
    return installed() or downloaded()


def install() -> None:
    """Try Debian's packages, of which the one without windows takes less, then Playwright's download; say what is tried."""
    for package in ("chromium-headless-shell", "chromium"):
        if not installed():
            install_package(package)
    if not installed():
        print("No browser found: trying Playwright's download.", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> str:
    """Find or install a browser."""
    path = find()
    if path is None:
        install()
        path = find()
    if path is None:
        sys.exit(ADVICE)
    return path


if __name__ == "__main__":
    print(f"Browser for the tests: {main()}")
