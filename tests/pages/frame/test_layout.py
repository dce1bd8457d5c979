"""The app's style sheets, as a browser reads them."""

import re
from pathlib import Path

import pytest

from pages.frame import layout

PAGES = Path(layout.__file__).parents[1]
SHEETS = {"layout.py": layout.STYLE} | {path.name: path.read_text() for path in PAGES.rglob("*.css")}


@pytest.mark.parametrize("name", SHEETS)
def test_has_is_asked_of_named_elements(name):
    """Asked of elements of any kind, it made a browser style the whole page anew with each element that came: 0.3 s in all."""
    assert re.findall(r"(?:^|[\s>+~,{]):has\([^)]*\)", SHEETS[name]) == []


def test_every_style_sheet_is_checked():
    assert {"layout.py", "stage.css", "embedded.css", "strip_layout.css"} <= set(SHEETS)
