"""What a link of another version is said to show otherwise: the changelog is the one source."""

import re
from pathlib import Path

import pytest

from pages.settings.address import LINK_VERSION, changed_numbers, said_of_version
from qcore import __version__

CHANGELOG = """# Changelog

## [1.10.0] - unreleased

### Added

- A page.

### Numbers

- KLD of an empty sample
  is 0.
- Ties count half.

### Changed

- A word.

## [1.9.0] - 2026-12-01

### Added

- Another page.

## 1.2.0

### Numbers

- The first.
"""


@pytest.mark.parametrize(
    ("since", "changed"),
    [
        ("1.1.9", ["KLD of an empty sample is 0.", "Ties count half.", "The first."]),
        ("1.9.0", ["KLD of an empty sample is 0.", "Ties count half."]),
        ("1.10.0", []),
    ],
)
def test_the_numbers_of_later_versions_alone_are_listed(since, changed):
    assert changed_numbers(since, CHANGELOG) == changed


def test_a_link_says_what_has_changed_since_it_was_made_and_nothing_if_nothing_has():
    assert said_of_version(LINK_VERSION) == said_of_version("2") == ""
    older = said_of_version("1")
    assert older.startswith(
        f"This link was made by version 0.1.0; this is {__version__}. Numbers that have changed since: Rows"
    )
    assert "which is older" in said_of_version("2-99.0.0")
    for odd in ("7", "", "2-<b>", "2-1.0", "2-1.0.0.0", "-", "2-9999999999999.0.0"):
        assert said_of_version(odd) == ""


def test_the_changelog_can_be_read_as_the_app_does():
    text = (Path(__file__).parents[3] / "CHANGELOG.md").read_text()
    assert len(changed_numbers("0.0.0", text)) >= len(re.findall(r"^### Numbers$", text, re.MULTILINE)) > 0
