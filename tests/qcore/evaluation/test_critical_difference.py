"""The layout of a critical-difference diagram: nothing lies on anything else, and the control's range stays on the axis."""

import pandas as pd
import pytest

from qcore.evaluation.critical_difference import critical_difference_layout

RANKS = pd.Series({"EMQ": 1.2, "PACC": 1.9, "AC": 3.1, "CC": 3.8, "BL": 5.0})
GROUPS = [("EMQ", "PACC"), ("AC", "CC")]


@pytest.fixture
def layout():
    return critical_difference_layout(RANKS, GROUPS, 1.0)


def test_the_better_half_is_on_the_left_and_no_two_names_are_in_one_place(layout):
    assert [label.name for label in layout.labels if label.on_left] == ["EMQ", "PACC", "AC"]
    assert len({(label.y, label.on_left) for label in layout.labels}) == len(RANKS)
    assert layout.labels[0].text == "EMQ 1.20"
    assert layout.labels[-1].text == "5.00 BL"


def test_names_lie_below_the_bars_and_above_the_edge(layout):
    assert max(label.y for label in layout.labels) < min(bar.y for bar in layout.bars) < 0
    assert min(label.y for label in layout.labels) > layout.bottom


def test_a_bar_is_over_its_methods_alone(layout):
    for bar, group in zip(layout.bars, GROUPS, strict=True):
        assert tuple(name for name, rank in RANKS.items() if bar.low < rank < bar.high) == group == bar.methods


@pytest.mark.parametrize(("control", "shaded"), [("EMQ", (1.0, 2.2)), ("BL", (4.0, 5.0)), ("", None)])
def test_what_does_not_differ_from_the_control_stays_on_the_axis(control, shaded):
    found = critical_difference_layout(RANKS, GROUPS, 1.0, control).shaded
    assert found == (pytest.approx(shaded) if shaded else None)
