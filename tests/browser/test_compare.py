"""The page "Compare" in a real browser: what is clicked limits the page, and a run of one's own goes on in the background."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
CLICK = "(plot, point) => plot.emit('plotly_click', { points: [point] })"


def test_a_case_or_a_prevalence_that_is_clicked_limits_the_page(visit):
    one = visit("/compare?compare_section=Against+a+pivot&pivot=EMQ&beside_pivot=AC")
    plot = one.page.locator(".kept-plot[data-name=pivot-losses][data-drawn]")
    point = plot.evaluate(
        """plot => { const trace = plot.data[1], i = trace.text.findIndex((text) => text.startsWith('monks-2'));
        return { data: { name: trace.name }, x: trace.x[i], y: trace.y[i] }; }"""
    )
    one.change(lambda: plot.evaluate(CLICK, point))
    expect(one.page.get_by_role("combobox", name="Data set")).to_have_value("monks-2 monk")
    assert "compared_data=monks-2" in one.page.url
    wins = one.page.locator(".kept-plot[data-name=pivot-wins]")
    one.change(lambda: wins.evaluate(CLICK, {"data": {"name": "AC"}, "x": 0.3, "y": 1}))
    expect(one.page.get_by_role("combobox", name="Prevalence")).to_have_value("0.3")


def test_a_run_of_ones_own_goes_on_while_another_page_is_shown(visit):
    one = visit("/compare?compare_section=Run+your+own&own_folds=3")
    one.page.get_by_role("button", name="Run it").click()
    one.page.get_by_text("Running in the background").wait_for()
    one.page.get_by_role("link", name="Test size", exact=True).first.click()
    one.page.wait_for_selector(".kept-plot[data-name=winners][data-drawn]")
    one.page.get_by_role("link", name="Compare", exact=True).first.click()
    one.page.wait_for_selector(".kept-plot[data-name=critical-difference][data-drawn]")
    one.page.get_by_role("tab", name="Your own").click()
    expect(one.page.get_by_text("4 data sets, CC, AC")).to_be_visible(timeout=60_000)
