"""What stands in the cells of small tables."""

import pytest

from pages.charts.small_table import P_VALUE, _cell


@pytest.mark.parametrize(
    ("value", "number", "text"),
    [
        (0.0, P_VALUE, "< 0.001"), (0.0009, P_VALUE, "< 0.001"), (0.001, P_VALUE, "0.001"), (0.04567, P_VALUE, "0.046"),
        (1.0, P_VALUE, "1.000"), (float("nan"), P_VALUE, "\N{EN DASH}"), (0.0, ".3f", "0.000"),
        (-0.00001, ".4f", "0.0000"),
    ],
)  # fmt: skip
def test_a_p_value_is_never_zero_and_a_zero_never_negative(value, number, text):
    cell = _cell(value, number)
    assert cell["text"] == text
    assert cell["value"] in (value, None), "sorted by what it is"
