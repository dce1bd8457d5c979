"""How figures look: the browser knows their colour scales, and buttons are marked as charts are."""

import pytest

from pages.charts.chart import CARTESIAN, SURFACES, unpacked
from pages.charts.style import SEQUENTIAL, SEQUENTIAL_HIGH, method_style
from qcore.quantifiers.operating_points import POLICIES


@pytest.mark.parametrize("scale", [SEQUENTIAL, SEQUENTIAL_HIGH])
@pytest.mark.parametrize("bundle", [CARTESIAN, SURFACES])
def test_the_browser_knows_the_colour_scales(scale, bundle):
    """In place of one that it does not know it takes another, without a word."""
    assert f"{scale}:".encode() in unpacked(bundle)


def test_policies_are_told_apart_by_the_characters_of_their_buttons():
    characters = {method: method_style(method).character for method in POLICIES}
    assert len(set(characters.values())) == len(POLICIES)
    assert "●" not in characters.values(), "the disc stands for symbols that have no character"
