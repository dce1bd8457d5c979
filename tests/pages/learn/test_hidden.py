"""What a step of a lesson may hide."""

import ast

import pytest

from pages.learn.hidden import hidden_parts
from pages.listed import PAGES
from tests.browser.server import ROOT

FOLDERS = sorted(file.parent for file in (ROOT / "pages").glob("*/page.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_charts_that_a_page_declares_are_those_that_its_code_draws(folder):
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in folder.glob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    keys = [word.value for call in calls for word in call.keywords if word.arg == "key" and draws(call)]
    drawn = {key.value for key in keys if isinstance(key, ast.Constant)}
    declared = PAGES[folder.name].charts
    assert drawn <= set(declared)
    assert len(set(declared)) == len(declared)
    # The keys of charts that are drawn in a loop stand elsewhere in the page's code, beside the declaration.
    names = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert all(names.count(name) > 1 for name in set(declared) - drawn)


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
