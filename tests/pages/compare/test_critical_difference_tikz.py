"""The diagram as TikZ: what it draws where, and that names cannot break it."""

import re

import pandas as pd
import pytest

from pages.compare.critical_difference import critical_difference_tikz

RANKS = pd.Series({"EMQ": 1.5, "PACC": 2.0, "a_b & 50%": 2.75, "CC": 3.75})


def drawn(**more):
    return critical_difference_tikz(RANKS, [["EMQ", "PACC"]], 1.2, **more)


def test_every_method_has_its_rank_and_its_name():
    stems = re.findall(r"\\draw \(([\d.]+), 0\) \|- \(.*?\) node\[(left|right)\] \{(.*)\};", drawn())
    assert stems == [
        ("1.500", "left", "EMQ 1.50"), ("2.000", "left", "PACC 2.00"),
        ("2.750", "right", r"2.75 a\_b \& 50\%"), ("3.750", "right", "3.75 CC"),
    ]  # fmt: skip


def test_groups_and_the_distance_are_as_long_as_they_are():
    text = drawn()
    assert r"\draw[line width=3pt] (1.450, -0.245) -- (2.050, -0.245);" in text
    assert r"\draw[line width=1.5pt] (1, 1.9) -- (2.200, 1.9);" in text


@pytest.mark.parametrize(("control", "shaded"), [("", []), ("PACC", [("1.000", "3.200")]), ("CC", [("2.550", "4.000")])])
def test_what_is_level_with_a_control_is_shaded(control, shaded):
    text = drawn(control=control)
    assert [(low, high) for low, high in re.findall(r"\\fill\[black!10\] \(([\d.]+), .*?\((\d\.\d+),", text)] == shaded
    assert text.count(r"\textbf") == bool(control)


def test_it_is_one_picture_whose_brackets_close():
    text = drawn()
    assert text.startswith(r"\begin{tikzpicture}[")
    assert text.endswith("\\end{tikzpicture}\n")
    assert text.replace(r"\_", "").count("{") == text.replace(r"\_", "").count("}")
    assert all(line.endswith(";") for line in text.splitlines()[1:-1])
