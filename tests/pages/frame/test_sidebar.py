"""The sidebar has no control that changes nothing on the page."""

import pytest

from pages.settings.shared import QUANTIFIERS_OF_FAMILIES
from tests.pages.app import fine, run

FAMILIES = set(QUANTIFIERS_OF_FAMILIES)


def keys(page, **query):
    app = fine(run(page, **query))
    return {widget.key for widget in [*app.selectbox, *app.button_group]}


@pytest.mark.parametrize(
    ("page", "query", "chooses"),
    [
        ("classifier", {}, False),
        ("corrections", {}, False),
        ("corrections", {"corrections_section": "When it breaks"}, True),
        ("corrections", {"corrections_section": "Over time", "data": "iris"}, True),
        ("estimate", {}, False),
        ("estimate", {"way": "An example"}, True),
    ],
)
def test_quantifiers_are_chosen_where_they_are_used(page, query, chooses):
    assert bool(FAMILIES & keys(page, **query)) == chooses


@pytest.mark.parametrize(("page", "chooses"), [("more_than_two_classes", False), ("error_by_prevalence", True)])
def test_the_positive_class_is_chosen_where_there_is_one(page, chooses):
    assert ("positive" in keys(page)) == chooses


@pytest.mark.parametrize("page", ["estimate", "test_size"])
def test_a_pair_that_the_papers_name_is_called_so(page):
    app = fine(run(page, data="iris", classifier="PWK-alpha", q_adjustment="AC"))
    said = "AC on PWK-alpha is what Barranquero 2013, chapter 5 calls PWK-alpha"
    assert any(said in caption.value for caption in app.sidebar.caption)
    app.selectbox(key="classifier").set_value("Gaussian naive Bayes").run()
    assert not any("is what" in caption.value for caption in app.sidebar.caption)
