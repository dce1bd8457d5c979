"""How figures look: the browser knows their colour scales, and buttons are marked as charts are."""

from itertools import combinations

import numpy as np
import pytest

from pages.charts.chart import CARTESIAN, SURFACES, unpacked
from pages.charts.figure import METHOD_COLOURS, NEGATIVES, NEUTRAL, POSITIVES, SEQUENTIAL, SERIES, SPARE_COLOURS, method_style
from qcore.displays.plotly_display import PALETTE
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.operating_points import POLICIES


@pytest.mark.parametrize("bundle", [CARTESIAN, SURFACES])
def test_the_browser_knows_the_colour_scale(bundle):
    """In place of one that it does not know it takes another, without a word."""
    assert f"{SEQUENTIAL}:".encode() in unpacked(bundle)


def test_every_quantifier_has_a_colour_of_its_own():
    assert set(METHOD_COLOURS) == set(QUANTIFIERS) - {"BL"}
    every = [*METHOD_COLOURS.values(), *SPARE_COLOURS, *SERIES, POSITIVES, NEGATIVES, NEUTRAL]
    assert len(set(every)) == len(every)
    apart = min(distance(one, other) for one, other in combinations(METHOD_COLOURS.values(), 2))
    assert apart > 0.06


@pytest.mark.parametrize("colour", [*METHOD_COLOURS.values(), *SPARE_COLOURS, *SERIES, POSITIVES, NEGATIVES, NEUTRAL, *PALETTE])
def test_marks_are_seen_on_a_white_and_on_a_dark_page(colour):
    """WCAG 2.2, 1.4.11: 3 to 1; in the dark, where thin lines fade, 4.5 to 1."""
    assert contrast(colour, LIGHT) >= 3.0
    assert contrast(colour, DARK) >= 4.5


LIGHT, DARK = "#FFFFFF", "#0F141A"


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) + 0.05 for colour in (one, other))
    return high / low


def distance(one: str, other: str) -> float:
    """How different two colours look, in Oklab (Björn Ottosson 2020, "A perceptual color space for image processing")."""
    cones = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
    cones.append([0.0883024619, 0.2817188376, 0.6299787005])
    axes = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
    axes.append([0.0259040371, 0.7827717662, -0.8086757660])
    places = [np.array(axes) @ np.cbrt(np.array(cones) @ linear(colour)) for colour in (one, other)]
    return float(np.linalg.norm(places[0] - places[1]))


def test_policies_are_told_apart_by_the_characters_of_their_buttons():
    characters = {method: method_style(method).character for method in POLICIES}
    assert len(set(characters.values())) == len(POLICIES)
    assert "●" not in characters.values(), "the disc stands for symbols that have no character"
