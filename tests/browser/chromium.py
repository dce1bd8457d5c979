"""A Chromium for the browser tests: an installed one, else Debian's package, else Playwright's own download.

`python -m tests.browser.chromium` finds or installs one, prints its path, and fails with what to install if it can't.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.packages import install as install_package

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FIXED = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# The background services of a browser would try to leave the machine; the last flag draws 3-D without a graphics card.
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader",
]  # fmt: skip
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
    """Try Debian's package, then Playwright's download; say what is tried."""
    install_package("chromium")
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
