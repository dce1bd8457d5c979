"""A phone: a finger scrolls over every picture, turns a surface after a tap, and opens help texts; turned, a page stays."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import CDPSession, Page, Playwright, expect

from tests.browser import chromium
from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser
SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"
CAMERA = "plot => plot._fullLayout.scene._scene.getCamera().eye"


@pytest.fixture(scope="module")
def phone(playwright: Playwright, address: str) -> Iterator[Page]:
    started = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.BRIEFLY)
    how = {"has_touch": True, "is_mobile": True, "base_url": address}
    page = started.new_context(viewport={"width": 390, "height": 844}, **how).new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    started.close()


def opened(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(path)
    page.wait_for_selector("[data-drawn]", state="attached")
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_timeout(500)


def test_a_term_of_the_glossary_has_a_button_for_a_finger(phone):
    for width, height in ((390, 844), (1024, 768)):
        opened(phone, "/learn?language=es")
        phone.set_viewport_size({"width": width, "height": height})
        see = phone.get_by_role("button", name="Verlo: AC", exact=True)
        button, text = see.bounding_box(), see.locator("xpath=..").bounding_box()
        assert min(button["height"], button["width"]) >= 24, width
        assert text["height"] == pytest.approx(22.4 * round(text["height"] / 22.4), abs=1), "its lines stay where they are"


def move_finger(page: Page, finger: CDPSession, x: float, y: float, up: float) -> float:
    """Move a finger upwards; returns how far the page was scrolled by that."""
    before = page.evaluate(SCROLLED)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        point = {"x": x + step, "y": y - up * step / 8}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        page.wait_for_timeout(16)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(1000)  # it scrolls on by itself
    return page.evaluate(SCROLLED) - before


@pytest.mark.thorough
def test_a_finger_turns_a_surface_only_between_a_tap_on_it_and_one_beside_it(phone):
    opened(phone, "/search-space")
    finger = phone.context.new_cdp_session(phone)
    plot = phone.locator(".kept-plot[data-name=search-space]")
    surface = plot.locator(".gl-container canvas").bounding_box()
    x, y = surface["x"] + surface["width"] / 2, surface["y"] + surface["height"] / 2

    def moved() -> tuple[float, bool]:
        before = plot.evaluate(CAMERA)
        return move_finger(phone, finger, x, y, 120), plot.evaluate(CAMERA) != before

    def back_to_top() -> None:
        phone.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
        phone.wait_for_timeout(200)

    scrolled, turned = moved()
    assert (scrolled > 60, turned) == (True, False)
    back_to_top()
    phone.touchscreen.tap(x, y)
    assert "scroll again" in phone.locator(".kept-hint").inner_text()
    assert moved() == (0, True)
    camera = plot.evaluate("plot => plot.layout.scene.camera.eye")
    assert camera == pytest.approx(plot.evaluate(CAMERA)), "a page that is drawn anew leaves it as it was turned"
    field = plot.locator(".nsewdrag").first.bounding_box()
    assert move_finger(phone, finger, field["x"] + 50, field["y"] + 60, 120) > 60, "the map beside it never holds a finger"
    back_to_top()
    phone.locator("h1").tap()
    scrolled, turned = moved()
    assert (scrolled > 60, turned) == (True, False)


def test_a_phone_that_is_turned_shows_the_page_and_the_lesson_without_the_menu(phone):
    opened(phone, "/?lesson=counting&step=4")
    phone.set_viewport_size({"width": 844, "height": 390})
    phone.wait_for_selector("[data-testid=stSidebar][data-collapsed=true]", state="attached")
    phone.wait_for_timeout(500)
    page = phone.locator("[data-testid=stMainBlockContainer]").bounding_box()
    lesson = phone.locator("[data-testid=stLayoutWrapper]:has(> .st-key-lesson)").bounding_box()
    assert page["x"] < 20
    assert page["width"] > 400
    assert page["x"] + page["width"] <= lesson["x"] + 1
    # Nor is the menu among the stops of the Tab key.
    expect(phone.get_by_test_id("stSidebar")).to_be_hidden()


@pytest.mark.thorough
def test_a_tap_on_a_help_sign_or_beside_it_opens_its_text(phone):
    opened(phone, "/compare")
    sign, text = phone.get_by_role("button", name="Help for Experiment"), phone.get_by_test_id("stTooltipContent")
    sign.evaluate("sign => sign.scrollIntoView({ block: 'center' })")
    box = sign.bounding_box()
    for beside in (box["width"] / 2, -6):
        phone.touchscreen.tap(box["x"] + beside, box["y"] + box["height"] / 2)
        expect(text).to_be_visible()
        phone.touchscreen.tap(3, box["y"])
        expect(text).to_have_count(0)


@pytest.mark.thorough
def test_long_texts_of_a_table_stand_below_their_row(phone):
    opened(phone, "/estimate?way=An+example&estimate_section=Which+shift")
    table = phone.get_by_role("region", name="Tests of which shift it is")
    assert table.evaluate("one => one.scrollWidth - one.clientWidth") <= 1, "no column is cut off"
    row = table.get_by_role("row").nth(1)
    numbers, text = row.get_by_role("cell").nth(0).bounding_box(), row.get_by_role("cell").last.bounding_box()
    assert text["y"] >= numbers["y"] + numbers["height"] - 1
    assert text["width"] > 300


@pytest.mark.thorough
def test_the_slider_that_a_step_asks_for_stands_beside_its_picture(phone):
    opened(phone, "/estimate?lesson=own-sample&step=2")
    phone.wait_for_function("document.querySelector('.st-key-lesson-asked')")
    slider = phone.get_by_role("slider", name="Sample size").bounding_box()
    picture = phone.locator(".kept-plot[data-name=intervals]").bounding_box()
    strip = phone.locator("[data-testid=stLayoutWrapper]:has(> .st-key-lesson)").bounding_box()
    assert picture["y"] >= 0
    assert picture["y"] + picture["height"] * 0.8 <= slider["y"], "its lines and their axis"
    assert slider["y"] + slider["height"] <= strip["y"] + 1
