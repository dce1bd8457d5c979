"""HAProxy for the tests of several processes: an installed one, else Debian's package.

`python -m tests.browser.haproxy` finds or installs it, and fails with what to install if it can't.
"""

import sys

from pages.server import proxy
from tests.browser.packages import install


def main() -> str:
    """Find or install HAProxy; its path."""
    if proxy.haproxy() is None:
        install("haproxy")
    return proxy.haproxy() or sys.exit(proxy.ADVICE)


if __name__ == "__main__":
    print(f"HAProxy for the tests: {main()}")
