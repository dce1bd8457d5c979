"""Percentages that are typed: how they are read, and the box that shows and takes them."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.settings.number_text import exact_percentage, typed_percentage
from pages.settings.page_declaration import SETTINGS
from qcore import InvalidInput
from tests.pages.app import fine, link, run

LOSSES = "losses"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20%", 0.2), ("20", 0.2), ("0.2", 0.2), ("0,2", 0.2), (" 33.5 % ", 0.335), ("1", 0.01), ("1%", 0.01), ("0.5%", 0.005),
        ("1.0", 1.0), ("100", 1.0), ("0", 0.0), (".25", 0.25), ("2.5", 0.025),
    ],
)  # fmt: skip
def test_what_is_typed_is_read(text, value):
    assert typed_percentage(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "%", "-5", "101", "150%", "many", "1e3", "٣٠", "2 0", "nan", "inf", "5%%"])
def test_what_is_no_percentage_is_refused_in_words(text):
    with pytest.raises(InvalidInput, match=r"must be from 0% to 100%.*Type for example 20%"):
        typed_percentage(text)


@given(st.integers(0, 10_000))
def test_what_the_box_shows_is_read_back(hundredths):
    assert typed_percentage(exact_percentage(hundredths / 10_000)) == pytest.approx(hundredths / 10_000, abs=1e-12)


@given(st.text(max_size=12))
def test_any_text_gives_a_share_between_the_limits_or_a_sentence(text):
    with contextlib.suppress(InvalidInput):
        assert 0.05 <= typed_percentage(text, 0.05, 0.95) <= 0.95


def test_the_box_shows_and_takes_a_percentage_and_the_link_holds_the_number():
    app = fine(run(LOSSES, first_estimate="0.125"))
    box = app.text_input(key="first_estimate typed")
    assert (box.label, box.placeholder, box.value) == ("Estimate A", "12.5%", "")
    box.set_value("45%").run()
    assert app.session_state["first_estimate"] == 0.45
    assert link(fine(app))["first_estimate"] == ["0.45"]
    assert app.text_input(key="first_estimate typed").placeholder == "45%"


def test_what_cannot_be_read_is_said_and_nothing_is_lost():
    app = fine(run(LOSSES, first_estimate="0.3"))
    app.text_input(key="first_estimate typed").set_value("400").run()
    (said,) = fine(app).toast
    assert "Estimate A: the percentage must be from 0% to 100%, got '400'. Type for example 20%." in said.value
    assert app.session_state["first_estimate"] == 0.3
    app.text_input(key="first_estimate typed").set_value("40").run()
    assert not fine(app).toast
    assert app.session_state["first_estimate"] == 0.4


def test_what_is_a_share_of_instances_is_a_percentage():
    shown = {key for key, setting in SETTINGS.items() if setting.is_percentage}
    asked = {key for key, setting in SETTINGS.items() if isinstance(setting.default, float) and "prevalence" in setting.name}
    assert asked <= shown
    assert not shown & {"threshold", "tpr", "fpr", "alpha", "strength"}, "rates and scores are numbers"


@pytest.mark.parametrize(("typed", "kept"), [(200, 200), (None, 100)])
def test_what_is_typed_beside_a_slider_moves_the_slider_and_leaves_the_box_empty(typed, kept):
    app = fine(run("estimate", estimate_section="Coverage"))
    app.number_input(key="simulated_labels typed").set_value(typed).run()
    assert fine(app).session_state["simulated_labels"] == kept
    assert app.slider(key="simulated_labels").value == kept
    assert app.number_input(key="simulated_labels typed").value is None
