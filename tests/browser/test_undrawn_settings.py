"""Settings that a browser does not know yet.

What a link sets in a section that has not been opened: examples change it, Reset forgets it, another page keeps it. What was
set just now, before another control is moved.
"""

import re

import pytest
from playwright.sync_api import expect


def section(page, name):
    part = {"Measures of numbers": "From the slides"}.get(name)
    page.get_by_role("tab", name=part or name).click()
    if part:
        page.get_by_role("radio", name=name).click()


@pytest.mark.thorough
def test_an_example_sets_what_the_link_had_set_in_a_section_that_was_not_open(visit):
    watched = visit("/classifier?fp_cost=3&fn_cost=7&ratio=0.3")
    watched.page.get_by_role("button", name="The nuclear plant").click()
    expect(watched.page.get_by_label("Cost of a false positive")).to_have_value("100")
    expect(watched.page.get_by_label("Cost of a false negative")).to_have_value("2000")
    expect(watched.page).to_have_url(re.compile("fp_cost=100"))
    expect(watched.page).not_to_have_url(re.compile("fn_cost=7"))


def test_a_section_that_was_not_open_keeps_its_link_over_another_page_until_it_is_reset(visit):
    watched = visit("/classifier?alpha=0.3")
    page = watched.page
    alpha = page.get_by_label("alpha, typed")
    page.locator(".st-key-pages").get_by_role("link", name="Test size").click()
    expect(page).to_have_url(re.compile("/test-size"))
    watched.settle()
    page.locator(".st-key-pages").get_by_role("link", name="Classifier").click()
    expect(page).to_have_url(re.compile("/classifier"))
    watched.settle()
    section(page, "Measures of numbers")
    expect(alpha).to_have_attribute("placeholder", "0.30")
    page.goto(watched.address + "/classifier?alpha=0.3")
    watched.settle()
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page).not_to_have_url(re.compile("alpha"))
    watched.settle()
    section(page, "Measures of numbers")
    expect(alpha).to_have_attribute("placeholder", "0.50")


@pytest.mark.thorough
def test_a_step_sets_what_its_link_had_set_in_a_section_that_was_not_open(visit):
    watched = visit("/corrections?lesson=threshold&step=3&data=waveform&p=0.7&inspected_method=SORD")
    page = watched.page
    page.get_by_role("button", name="Next →").click()
    expect(page.get_by_text("Step 4 of")).to_be_visible()
    watched.settle()
    page.get_by_role("button", name="Show me").click()
    section(page, "Inside a method")
    expect(page.get_by_role("combobox", name="Look into")).to_have_value("MS")


@pytest.mark.thorough
def test_what_was_moved_before_stays_when_another_control_is_moved_before_the_answer(visit):
    watched = visit("/corrections")
    page = watched.page
    with watched.answered_late():
        page.get_by_role("slider", name="Threshold", exact=True).press("ArrowRight")
        page.wait_for_timeout(900)
        page.get_by_role("button", name="Another draw").click()
        page.wait_for_timeout(300)
    watched.settle()
    for word in ("draw=1", "threshold=0.51"):
        expect(page).to_have_url(re.compile(word), timeout=5000)
    expect(page.get_by_role("slider", name="Threshold", exact=True)).to_have_attribute("aria-valuetext", "0.51")
    expect(page.get_by_role("spinbutton", name="Threshold, typed")).to_have_value("0.51")
    typed = page.get_by_role("spinbutton", name="Threshold, typed")
    typed.fill("0.5")
    typed.press("Enter")
    expect(page, "what was before can be set by hand").not_to_have_url(re.compile("threshold"), timeout=5000)


@pytest.mark.thorough
def test_the_address_has_two_moves_of_which_the_second_was_sent_before_the_first_was_answered(visit):
    """The boxes with the numbers are in a part of the page that the browser has not drawn: its messages do not have them."""
    watched = visit("/corrections")
    with watched.answered_late():
        for name in ("Prevalence of the sample", "Sample size"):
            watched.page.get_by_role("slider", name=name, exact=True).press("End")
            watched.page.wait_for_timeout(900)
    watched.settle()
    expect(watched.page).to_have_url(re.compile(r"p=1\.0&size=500$"))
    watched.page.get_by_role("slider", name="Sample size", exact=True).press("Home")
    expect(watched.page).to_have_url(re.compile(r"p=1\.0&size=1$"))


@pytest.mark.thorough
def test_steps_go_on_from_the_one_before_although_the_browser_has_not_received_it(visit):
    """Each click sends the address that the browser still has, that of the first step."""
    watched = visit("/?lesson=counting&step=1", hidden=True)
    page = watched.page
    with watched.answered_late():
        for _ in range(2):
            page.get_by_role("button", name="Next →").click()
            page.wait_for_timeout(900)
    expect(page.get_by_text("Step 3 of")).to_be_visible()
    expect(page).to_have_url(re.compile("step=3"))
    watched.settle()
    page.go_back()
    expect(page.get_by_text("Step 1 of"), "an address from the history is followed").to_be_visible()


@pytest.mark.thorough
def test_who_pressed_an_example_by_a_key_finds_the_focus_there_also_after_a_slow_answer(visit):
    watched = visit("/losses")
    example = watched.page.get_by_role("button", name="A rare class")
    # The page says that it runs for longer than three seconds, and then draws the button anew.
    example.evaluate("""async (button) => {
      const app = document.querySelector(".stApp"), rest = (ms) => new Promise((done) => setTimeout(done, ms));
      button.focus();
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 0 }));
      for (let i = 0; i < 16; i++) { app.dataset.testScriptState = "running"; await rest(200); }
      document.activeElement.blur();
      app.dataset.testScriptState = "notRunning"; }""")
    expect(example).to_be_focused(timeout=4000)
