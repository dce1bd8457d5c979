"""What is seen is also said to a screen reader, and can be reached by a key."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

HAS_FOCUS = "document.querySelector('[data-testid=stPopoverBody]')?.contains(document.activeElement)"


def test_what_is_seen_is_said_and_a_key_leads_to_what_it_opens(visit):
    one = visit("/corrections", height=900)
    page = one.page
    menu = page.get_by_role("navigation", name="Pages")
    expect(menu.locator("[aria-current=page]")).to_have_text(["Corrections"])
    presets = page.locator(".st-key-presets button:visible")
    expect(page.locator(".st-key-presets [aria-pressed=true]")).to_have_count(1)
    one.change(lambda: presets.nth(1).click())
    expect(presets.nth(1)).to_have_attribute("aria-pressed", "true")
    rates = page.locator(".kept-chart:has([data-name=rates])")
    said = rates.get_attribute("aria-label")
    (fpr,) = page.evaluate("document.querySelector('[data-name=rates]').data.find((trace) => trace.name === 'X').y")
    assert f"X: {fpr:.3g} at " in said
    assert rates.locator(".svg-container > svg:not([aria-hidden=true])").count() == 0
    opener = page.locator("[data-testid=stPopover] button").filter(has_text="for training").first
    opener.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(HAS_FOCUS)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Sample size"


@pytest.mark.thorough
@pytest.mark.parametrize(("path", "width"), [("/corrections", 1400), ("/classifier", 390)])
def test_another_section_stays_where_the_tabs_are(visit, path, width):
    one = visit(path, width=width, height=900)
    tabs = one.page.get_by_role("tablist")
    one.page.evaluate("document.querySelector('[data-testid=stTabs]').scrollIntoView({ block: 'start' })")
    at_top = tabs.bounding_box()["y"]
    assert at_top < 60
    for tab in tabs.get_by_role("tab").all()[:4]:
        tab.click()
        one.settle()
        assert tabs.bounding_box()["y"] == pytest.approx(at_top, abs=2)
