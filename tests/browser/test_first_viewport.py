"""What one finds on a page before one scrolls: pictures, their tools, the menu and the choice of a theme."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Watched
from tests.browser.test_every_page import LUMINANCE, PATHS

pytestmark = pytest.mark.browser


def test_what_is_dragged_and_what_follows_fit_into_one_viewport_and_a_saved_picture_says_what_it_was_made_of(visit):
    one = visit(PATHS["corrections"], width=1400, height=900)
    boxes = [
        one.page.locator(f".kept-plot[data-name={name}]").bounding_box() for name in ("scores", "rates", "correction", "cost")
    ]
    bar = one.page.get_by_role("slider", name="Threshold", exact=True).bounding_box()
    tops, ends = [bar["y"], *(box["y"] for box in boxes)], [box["y"] + box["height"] for box in boxes]
    assert min(tops) >= 0
    assert max(ends) <= 900
    one.page.locator(".kept-plot[data-name=scores]").hover()
    with one.page.expect_download() as waiting:
        one.page.locator(".kept-plot[data-name=scores] [data-title='Save as SVG']").click()
    picture = waiting.value.path().read_text()
    assert "waveform, logistic regression, samples of 100" in picture
    assert "rgb(255, 255, 255)" in picture, "on white"


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (1366, 768), (1280, 720)])
def test_both_doors_are_in_homes_first_screen(visit, width, height):
    one = visit("/", width=width, height=height)
    for door in ("learn", "estimate"):
        expect(one.page.locator(f".st-key-whole-card-door-{door}")).to_be_in_viewport(ratio=1)
    # Where the digits stand below the picture, the control is in sight nevertheless.
    one.page.set_viewport_size({"width": 1024, "height": 768})
    expect(one.page.get_by_role("slider", name="True share of 8s today", exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.thorough
def test_the_title_stays_until_the_page_is_there(browser, address):
    """On a slow line Streamlit's frame is empty for seconds."""
    page = browser.new_page()
    page.route_web_socket(re.compile("_stcore/stream"), lambda _silent: None)
    page.goto(address + PATHS["losses"])
    page.wait_for_selector(".stApp")
    expect(page.locator(".opening h1")).to_have_text("Losses")
    expect(page.locator(".opening h1")).to_be_visible()
    page.close()
    page = browser.new_page()
    page.goto(address + PATHS["losses"])
    expect(page.locator(".stMain h1")).to_have_text("Losses")
    expect(page.locator(".opening")).to_have_count(0)
    page.close()


@pytest.mark.thorough
def test_the_picture_keeps_its_place_while_a_classifier_is_trained(browser, address):
    page = browser.new_page()
    page.goto(f"{address}/estimate?classifier=random+forest&seed=4711")
    page.wait_for_selector(".st-key-hero .stProgress")
    assert page.locator(".st-key-hero").bounding_box()["height"] >= 340, "the height of a picture"
    page.close()


@pytest.mark.thorough
def test_a_picture_saved_in_the_dark_has_names_for_white_paper(visit):
    one = visit(PATHS["error-by-prevalence"], scheme="dark")
    one.page.locator(".kept-plot[data-name=loss-by-prevalence]").hover()
    with one.page.expect_download() as waiting:
        one.page.locator(".kept-plot[data-name=loss-by-prevalence] [data-title='Save as SVG']").click()
    fills = re.findall(r'class="annotation-text"[^>]*fill: rgb\((\d+), (\d+), (\d+)\)', waiting.value.path().read_text())
    shares = (np.array(fills, dtype=float) / 255).clip(0.04045)
    luminance = ((shares + 0.055) / 1.055) ** 2.4 @ [0.2126, 0.7152, 0.0722]
    assert len(fills) >= 4
    assert (1.05 / (luminance + 0.05)).min() >= 4.5


@pytest.mark.thorough
def test_an_example_keeps_the_loss_and_says_what_it_shows(visit):
    one = visit(f"{PATHS['error-by-prevalence']}?loss=KLD")
    one.change(lambda: one.page.get_by_role("button", name="Weak classifier").click())
    assert "loss=KLD" in one.page.url
    assert one.page.get_by_text("The count hardly moves with the truth").first.is_visible()


def test_the_open_section_is_in_the_url(visit):
    one = visit(PATHS["classifier"])
    one.page.get_by_role("tab", name="From the slides").click()
    one.page.wait_for_function("() => location.search.includes('classifier_section=From+the+slides')")
    one.change(lambda: one.page.get_by_role("radio", name="Measures of numbers").click())
    again = visit(one.page.url)
    assert again.page.get_by_role("tab", name="From the slides").get_attribute("aria-selected") == "true"
    expect(again.page.get_by_role("radio", name="Measures of numbers")).to_be_checked()
    # A link of before, when the part was a tab of its own.
    older = visit(f"{PATHS['classifier']}?classifier_section=Calibration&fp_cost=3")
    assert older.page.get_by_role("tab", name="Calibration").get_attribute("aria-selected") == "true"


@pytest.mark.thorough
def test_the_menu_saves_the_picture_too(visit):
    one = visit(PATHS["error-by-prevalence"]).unfold("Share")
    with one.page.expect_download() as waiting:
        one.page.get_by_role("group", name="Save the picture").get_by_role("button", name="Save as PNG").click()
    assert waiting.value.suggested_filename == "loss-by-prevalence-waveform-logistic-regression-samples-of-100.png"
    expect(one.page.get_by_role("button", name="Copy link")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "main"), [("test-size", "winners"), ("corrections", "correction"), ("estimate", "intervals")])
def test_the_menu_saves_the_main_picture_first(visit, name, main):
    one = visit(PATHS[name]).unfold("Share")
    with one.page.expect_download() as waiting:
        one.page.get_by_role("group", name="Save the picture").get_by_role("button", name="Save as SVG").click()
    assert waiting.value.suggested_filename.startswith(main)
    assert (name == "corrections") == ("threshold-0.5." in waiting.value.suggested_filename), "what is dragged is named, too"


@pytest.mark.thorough
def test_the_menu_offers_no_picture_where_there_is_none(visit):
    one = visit(PATHS["learn"], hidden=True).unfold("Share")
    group = one.page.get_by_role("group", name="Save the picture")
    expect(group.get_by_role("button", name="Print a handout")).to_be_visible()
    expect(group.get_by_role("button", name="Save as PNG")).to_be_hidden()


@pytest.mark.thorough
def test_the_menu_of_a_phone_closes_after_a_choice(visit):
    one = visit(PATHS["error-by-prevalence"], width=390, height=844)
    one.page.get_by_test_id("stExpandSidebarButton").click()
    link = one.page.get_by_test_id("stSidebar").get_by_role("link", name="Corrections")
    link.click()
    expect(one.page).to_have_title(re.compile("^Corrections . Quantification Lab$"))
    expect(link).not_to_be_in_viewport()


def test_a_chosen_theme_holds_on_every_page(visit):
    one = visit(PATHS["error-by-prevalence"])
    one.page.get_by_role("button", name="Main menu").click()
    one.page.get_by_text("Dark").last.click()
    one.page.wait_for_function(f"() => {LUMINANCE} < 0.2")
    one.page.wait_for_timeout(700)
    one.page.keyboard.press("Escape")
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Test size").click()
    one.page.wait_for_selector("[data-name=winners][data-drawn]")
    one.settle()
    assert one.page.evaluate(LUMINANCE) < 0.2
    # Opened anew, a page finds it, too: Streamlit keeps it for the page alone on which it was chosen.
    one.page.wait_for_function("() => Object.keys(localStorage).some((key) => /^stActiveTheme-.test-size-[^/]+$/.test(key))")


def test_who_goes_by_the_keyboard_keeps_the_focus(visit):
    focused = "document.activeElement.textContent"
    one = visit(PATHS["error-by-prevalence"])
    one.page.get_by_role("button", name="Rare positives").focus()
    one.page.keyboard.press("Enter")
    one.settle()
    one.page.wait_for_function(f"() => {focused} === 'Rare positives'")
    menu = one.page.locator("[data-testid=stPopover] button").filter(has_text="Share").first
    menu.focus()
    one.page.keyboard.press("Enter")
    one.page.wait_for_function(f"() => {focused} === 'Copy link'")
    one.page.keyboard.press("Escape")
    one.page.wait_for_function(f"() => {focused}.startsWith('Share')")
    one.open("/corrections")
    one.page.wait_for_selector(".st-key-headline[aria-live=polite]", state="attached")
    one.page.get_by_role("button", name="T50").first.focus()
    one.page.keyboard.press("Enter")
    one.settle()
    assert one.page.evaluate(focused) == "T50"


@pytest.mark.thorough
def test_a_browser_that_refuses_the_whole_screen_says_so(visit):
    one = visit(PATHS["error-by-prevalence"])
    one.page.evaluate("() => { Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('refused')); }")
    one.page.locator(".kept-plot[data-name=loss-by-prevalence]").hover()
    one.page.locator(".kept-plot[data-name=loss-by-prevalence] [data-title='Fill the screen']").click()
    expect(one.page.get_by_text("The browser does not allow the whole screen")).to_be_visible()


@pytest.mark.thorough
def test_a_browser_that_stores_nothing_has_no_errors(browser, address):
    page = browser.new_page()
    page.add_init_script("""for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {
      get() { window.refused = (window.refused ?? 0) + 1; throw new DOMException("denied", "SecurityError"); } });""")
    one = Watched(page, address).open(PATHS["error-by-prevalence"])
    page.evaluate("window.refused = 0")
    page.get_by_role("heading", name="Error by prevalence").click()
    page.wait_for_function("() => window.refused > 0")
    assert one.settle().problems == []
    page.close()
