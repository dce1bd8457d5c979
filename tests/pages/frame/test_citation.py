"""The version that the app's menu says: that of the package, and the commit of a copy of the repository."""

import pytest

from pages.frame.citation import BIBTEX, about, commit_of, version
from qcore import __version__


@pytest.mark.parametrize(
    ("files", "commit"),
    [
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": "0123456789abcdef\n"}, "0123456"),
        ({"HEAD": "ref: refs/heads/main\n", "packed-refs": "# pack-refs\nfedcba9876543210 refs/heads/main\n"}, "fedcba9"),
        ({"HEAD": "89abcdef01234567\n"}, "89abcde"),
        ({"HEAD": "ref: refs/heads/gone\n", "packed-refs": ""}, ""),
        ({}, ""),
    ],
)
def test_the_commit_is_that_at_which_the_repository_is(tmp_path, files, commit):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert commit_of(tmp_path) == commit


def test_the_menu_names_the_version_and_how_to_cite_it():
    assert version().startswith(__version__)
    assert version() in about()
    assert BIBTEX in about()
