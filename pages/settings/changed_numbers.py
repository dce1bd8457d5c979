"""What a link that another version of the app made shows otherwise: the lines under "Numbers" in CHANGELOG.md."""

import re
from functools import cache
from pathlib import Path

from qcore import __version__

STATE_VERSION = 2
"""The version of links, which increases when an older link would show another picture."""

LINK_VERSION = f"{STATE_VERSION}-{__version__}"
"""What a link says of the app that made it: the version of links, and that of the app."""

_CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
_RELEASES = {"1": "0.1.0"}
"""Versions of links that name no version of the app -> the app that made them."""


def said_of_version(word: str) -> str:
    """What is to be said of a link with this version; empty if all that it shows is as it was."""
    state, _, release = word.partition("-")
    release = release or _RELEASES.get(state, __version__ if state == str(STATE_VERSION) else "")
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4}){2}", release):
        return ""
    if _order(release) > _order(__version__):
        return f"This link was made by version {release}; this is {__version__}, which is older: numbers may differ."
    changed = changed_numbers(release, _changelog())
    if not changed:
        return ""
    return (
        f"This link was made by version {release}; this is {__version__}. Numbers that have changed since: {' '.join(changed)}"
    )


def changed_numbers(since: str, changelog: str) -> list[str]:
    """The lines under "Numbers" of all versions after one, such as "1.0.0"; the newest first."""
    changed = []
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        found = re.match(r"\[?(\d+\.\d+\.\d+)", section)
        numbers = re.search(r"^### Numbers\n(.*?)(?=^### |\Z)", section, re.MULTILINE | re.DOTALL)
        if found and numbers and _order(found[1]) > _order(since):
            changed += [" ".join(line.split()) for line in re.split(r"^- ", numbers[1], flags=re.MULTILINE)[1:]]
    return changed


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


@cache
def _changelog() -> str:
    return _CHANGELOG.read_text(encoding="utf-8")
