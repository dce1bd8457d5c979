"""A Chromium for the browser tests: an installed one, else one of Debian's packages, else Playwright's own download.

Where both are there, the second process of tests (gw1) drives a full Chromium or Chrome, and the others the headless shell: so
each run tries both. BROWSER_PATH names one for all.

`python -m tests.browser.chromium` finds or installs them, prints the paths, and fails with what to install if there is none.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.packages import install as install_package

SHELL = "chromium-headless-shell"
FULL = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
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


def _full() -> str | None:
    return next(filter(None, map(shutil.which, FULL)), None)


def installed() -> list[str]:
    """Paths of the headless shell and the first Chromium or Chrome, where installed, or of the one that BROWSER_PATH names."""
    if named := os.environ.get("BROWSER_PATH"):
        return [named] if Path(named).exists() else []
    return [path for path in (shutil.which(SHELL), _full()) if path]


def downloaded() -> str | None:
    """Path of a Chromium that Playwright downloaded before."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def find() -> str | None:
    """Path of the browser for this process of tests, or None."""
    found = installed()
    return found[-1 if os.environ.get("PYTEST_XDIST_WORKER") == "gw1" else 0] if found else downloaded()


def install() -> None:
    """Try Debian's packages, then Playwright's download; say what is tried."""
    for package, path in ((SHELL, shutil.which(SHELL)), (FULL[0], _full())):
        if path is None:
            install_package(package)
    if not (installed() or downloaded()):
        print("No browser found: trying Playwright's download.", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> list[str]:
    """Find or install browsers."""
    if "BROWSER_PATH" not in os.environ:
        install()
    found = installed() or list(filter(None, [downloaded()]))
    if not found:
        sys.exit(ADVICE)
    return found


if __name__ == "__main__":
    print(f"Browsers for the tests: {', '.join(main())}")
