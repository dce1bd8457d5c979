"""Numbers in sentences."""

import pytest

from pages.settings.number_text import formatted, percentage, percentage_beyond, percentages, share, width_text


@pytest.mark.parametrize(
    ("shares", "texts"),
    [
        ((0.3, 0.26, 0.34), "30.0% 26.0% 34.0%"), ((0.302, 0.298, 0.306), "30.2% 29.8% 30.6%"),
        ((0.3, 0.3, 0.3), "30.0% 30.0% 30.0%"), ((0.015, 0.002, 0.046), "1.5% 0.2% 4.6%"),
        ((0.003, 0.002, 0.0039), "0.30% 0.20% 0.39%"), ((0.0003, 0.0, 0.04), "less than 0.1% 0.0% 4.0%"),
        ((0.0, 0.0, 0.03), "0.0% 0.0% 3.0%"), ((0.9997, 0.999, 1.0), "99.97% 99.90% 100.00%"),
        ((0.9998, 0.9, 1.0), "more than 99.9% 90.0% 100.0%"), ((1e-9, 0.0, 1e-8), "less than 0.001% 0.000% 0.000%"),
    ],
)  # fmt: skip
def test_an_interval_has_as_many_decimals_as_its_width_needs(shares, texts):
    assert " ".join(percentages(*shares)) == texts


def test_nothing_reads_as_none_or_all_without_being_that():
    assert [percentage(value) for value in (0.0, 1 / 200, 0.0051, 199 / 200, 1.0)] == [
        "0%", "less than 1%", "1%", "more than 99%", "100%",
    ]  # fmt: skip
    shares = {0.0004: "0.00040", 0.0006: "0.001", 0.9995: "nearly 1", 0.9984: "0.998", 1.0: "1.000"}
    assert [share(value, 3) for value in shares] == list(shares.values())


def test_so_has_a_width():
    assert [width_text(width) for width in (0.152, 0.0152, 0.00152)] == ["15.2 points", "1.5 points", "0.15 points"]


def test_what_is_rounded_to_zero_has_no_minus_sign():
    texts = [
        formatted(value, form)
        for value, form in ((-0.00001, ".4f"), (-0.004, "+.2f"), (-0.004, ".0%"), (-0.3, ".1f"), (0, ","))
    ]
    assert texts == ["0.0000", "+0.00", "0%", "-0.3", "0"]
    assert percentage(-0.0) == "0%"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.2, "120%"), (1.002, "100.2%"), (-0.00004, "-0.004%"), (1.0 + 1e-9, "just above 100%"), (-1e-9, "just below 0%")],
)
def test_a_share_beyond_0_or_1_reads_as_one(value, text):
    assert percentage_beyond(value) == text
