"""Names at the ends of lines: near them, apart from each other, inside the plot."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.error_by_prevalence.curves import direct_labels, spread
from qcore import QUANTIFIERS


@given(st.lists(st.floats(0, 300), max_size=12), st.floats(1, 20))
def test_names_are_apart_and_inside(positions, distance):
    wanted = sorted(positions)
    moved = spread(wanted, distance, 300.0)
    assert len(moved) == len(wanted)
    assert all(other - one >= distance - 1e-9 for one, other in pairwise(moved))
    assert all(-1e-9 <= one <= 300.0 + 1e-9 for one in moved)
    if all(other - one >= distance for one, other in pairwise(wanted)):
        assert moved == pytest.approx(wanted), "nothing moves that stands well"


def test_those_that_touch_share_the_middle():
    assert spread([100, 102, 104, 200], 10, 300) == [92, 102, 112, 200]
    assert spread([0, 0], 10, 300) == [0, 10]
    assert spread([300, 300], 10, 300) == [290, 300]


def test_a_line_that_leaves_the_frame_is_named_at_its_edge():
    labels = direct_labels({"CC": (1.0, 0.9), "PCC": (1.0, 0.5), "AC": (1.0, 0.1)}, (0.0, 0.2), 400)
    at = {label["text"]: label["y"] * 400 / 0.2 + label["yshift"] for label in labels}
    assert at["<b>CC</b>"] == pytest.approx(400)
    assert at["<b>PCC</b>"] == pytest.approx(384), "the lower of the two is below"
    assert at["<b>AC</b>"] == pytest.approx(200)
    assert {label["hovertext"] for label in labels} == {QUANTIFIERS[key].name for key in ("CC", "PCC", "AC")}
    assert np.ptp([label["x"] for label in labels]) == 0
