"""The app's style sheets, as a browser reads them."""

import re
from pathlib import Path

import pytest

from pages.frame import layout, stage
from pages.learn import strip

SHEETS = {"layout": layout.STYLE, "stage": stage._STAGE, "embedded": stage._EMBEDDED, "strip": strip.STYLE}


@pytest.mark.parametrize("name", SHEETS)
def test_has_is_asked_of_named_elements(name):
    """Asked of elements of any kind, it made a browser style the whole page anew with each element that came: half a second."""
    assert re.findall(r"(?:^|[\s>+~,{]):has\([^)]*\)", SHEETS[name]) == []


def test_every_style_sheet_is_checked():
    sheets = {path.name for path in Path(layout.__file__).parents[1].rglob("*.css") if "st-key-" in path.read_text()}
    assert sheets == {"stage.css", "embedded.css", "strip_layout.css"}
