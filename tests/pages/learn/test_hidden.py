"""What a step of a lesson may hide."""

import ast

import pytest

from pages.learn.hidden import chart_names, has_chart, hidden_parts
from tests.browser.server import ROOT

FOLDERS = sorted(file.parent for file in (ROOT / "pages").glob("*/page.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_charts_of_a_page_are_known_by_name(folder):
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in folder.glob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    keys = {word.value for call in calls for word in call.keywords if word.arg == "key" and draws(call)}
    names = {key.value for key in keys if isinstance(key, ast.Constant)}
    assert set(chart_names(folder.name)) >= names
    # One that has no place of its own is a variable, whose value stands elsewhere in the page's code.
    assert {type(key) for key in keys} <= {ast.Constant, ast.Name}
    assert all(name.isidentifier() and has_chart(folder.name, name) for name in names)


def draws(call):
    """Whether a call draws a chart."""
    return getattr(call.func, "id", "") in ("chart", "follow_threshold")


def test_a_chart_that_is_drawn_in_a_loop_is_known():
    assert hidden_parts("chart coverage_by_size", "estimate") == ("chart coverage_by_size",)


def test_a_chart_may_be_written_as_the_page_writes_it():
    assert hidden_parts("notes, chart loss-by-prevalence", "error_by_prevalence") == ("notes", "chart loss_by_prevalence")


def test_a_page_without_charts_says_so():
    with pytest.raises(ValueError, match="of which this page has none; not 'chart roc'"):
        hidden_parts("chart roc", "learn")
