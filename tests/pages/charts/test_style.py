"""How figures look: what the browser draws them with knows their colour scales."""

import pytest

from pages.charts.plotly_files import CARTESIAN, SURFACES, unpacked
from pages.charts.style import SEQUENTIAL, SEQUENTIAL_HIGH


@pytest.mark.parametrize("scale", [SEQUENTIAL, SEQUENTIAL_HIGH])
@pytest.mark.parametrize("bundle", [CARTESIAN, SURFACES])
def test_the_browser_knows_the_colour_scales(scale, bundle):
    """In place of one that it does not know it takes another, without a word."""
    assert f"{scale}:".encode() in unpacked(bundle)
