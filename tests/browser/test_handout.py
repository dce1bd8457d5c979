"""Interactive files opened from disk, without a network and without the server that made them."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

import pages.listed  # noqa: F401  a link leads to one of the pages
from pages.frame.talk import spelt
from pages.handout.command import file_of_link
from tests.browser import chromium
from tests.browser.test_every_page import assert_accessible
from tests.browser.test_lessons import address_has

pytestmark = pytest.mark.browser
DRAWN = """() => [...document.querySelectorAll('[data-drawn]:not([data-name=cost-in-full])')]
  .map((plot) => [plot.dataset.name, plot.data.map((one) => [...one.y])])"""


def apart(make):
    """What `make` returns: a run of the app without a server needs a thread without a loop of events."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(make).result()


@pytest.fixture
def offline(playwright):
    """Opens files in a browser without a network; at the end nothing may have gone wrong in them."""
    started = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.BRIEFLY)
    problems = []

    def start(path, width=1300, scheme="light", *, inside=False):
        context = started.new_context(offline=True, viewport={"width": width, "height": 1000}, color_scheme=scheme)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri())
        within = page.frame_locator("iframe").locator("[data-drawn]") if inside else page.locator("[data-drawn]")
        within.first.wait_for(state="attached", timeout=30_000)
        page.wait_for_timeout(1000)
        return page

    yield start
    started.close()
    assert problems == []


def test_a_talk_is_stepped_through_in_its_file(offline, tmp_path):
    talk = spelt(["/losses?true_p=0.37", "/corrections?threshold=0.4", "/losses?true_p=0.6"])
    path = tmp_path / "talk.html"
    path.write_text(apart(lambda: file_of_link(f"/losses?present=1&talk={talk}&view=1"))[1])
    started = offline(path, inside=True)
    inside = started.frame_locator("iframe")
    expect(inside.get_by_role("heading", level=1)).to_have_text("Losses")
    started.keyboard.press("PageDown")
    expect(inside.get_by_role("heading", level=1)).to_have_text("Corrections")
    inside.locator("[data-name=scores][data-drawn]").wait_for()
    inside.get_by_role("slider", name="Threshold", exact=True).press("PageDown")
    expect(started.get_by_text("3 / 3")).to_be_visible()
    started.reload()
    expect(started.get_by_text("3 / 3")).to_be_visible()
    expect(inside.get_by_role("heading", level=1)).to_have_text("Losses")
    started.get_by_role("button", name="View before").click()
    expect(inside.get_by_role("heading", level=1)).to_have_text("Corrections")


@pytest.mark.thorough
def test_a_talk_is_saved_in_the_browser_as_the_command_saves_it(offline, visit, tmp_path):
    links = ["/losses?true_p=0.37", "/corrections?corrections_section=Threshold", "/corrections?threshold=0.4"]
    one = visit(f"/losses?true_p=0.37&talk={spelt(links)}")
    one.unfold("Share")
    one.page.get_by_text("My talk: 3 views", exact=True).click()
    with one.page.expect_download(timeout=60_000) as download:
        one.page.get_by_role("button", name="Save my talk as one file").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    # The person is back where they were.
    expect(one.page.locator("dialog.talk-saving")).to_be_hidden()
    address_has(one, "/losses.*true_p=0.37")
    started = offline(path, inside=True)
    inside = started.frame_locator("iframe")
    expect(inside.get_by_role("heading", level=1)).to_have_text("Losses")
    started.keyboard.press("PageDown")
    heading = inside.get_by_role("heading", level=2, name="Threshold")
    inside.locator("section [data-drawn]").first.wait_for()
    started.wait_for_timeout(500)
    assert 0 <= heading.bounding_box()["y"] < 250, "the section is in sight, with the bar above it"
    made = apart(lambda: file_of_link(f"/?talk={spelt(links)}"))[1]
    assert named_parts(path.read_text()) == named_parts(made)


@pytest.mark.thorough
def test_who_stops_the_saving_of_a_talk_is_back(visit):
    one = visit(f"/losses?true_p=0.37&talk={spelt(['/corrections', '/test-size', '/error-by-prevalence', '/losses'])}")
    one.unfold("Share")
    one.page.get_by_text("My talk: 4 views", exact=True).click()
    one.page.get_by_role("button", name="Save my talk as one file").click()
    expect(one.page.get_by_text("view 2 of 4")).to_be_visible()
    one.page.locator("dialog.talk-saving button").click()
    address_has(one, "/losses.*true_p=0.37")
    expect(one.settle().page.locator("dialog.talk-saving")).to_be_hidden()
    expect(one.page.get_by_text("encountered an error")).to_have_count(0)


def named_parts(text):
    """The components that the views of a talk hold, and the names of their charts."""
    views = json.loads(re.search('id="views">(.*?)</script>', text, re.DOTALL)[1])
    parts = [json.loads(re.search('id="parts">(.*?)</script>', view, re.DOTALL)[1]) for view in views]
    return [[(part["name"], part["data"].get("name")) for part in some] for some in parts]


def test_what_is_dragged_shows_the_numbers_of_the_page(offline, visit, tmp_path):
    one = visit("/corrections?threshold=0.4", width=1300)
    one.unfold("Share")
    with one.page.expect_download(timeout=60_000) as download:
        one.page.get_by_role("button", name="Interactive file").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "quantification-lab-corrections.html"
    page = offline(path)
    assert page.evaluate(DRAWN) == one.page.evaluate(DRAWN)
    headline = one.page.locator(".dragged-headline")
    assert page.locator(".dragged-headline").inner_text() == headline.inner_text()
    one.page.keyboard.press("Escape")
    for there in (page, one.page):
        bar = there.get_by_role("slider", name="Threshold", exact=True)
        for _ in range(5):
            bar.press("ArrowRight")
    one.settle()
    page.wait_for_timeout(1000)
    assert page.evaluate(DRAWN) == one.page.evaluate(DRAWN)
    assert page.locator(".dragged-headline").inner_text() == headline.inner_text()
    assert_accessible(page)


@pytest.mark.thorough
def test_surfaces_and_a_phone_in_the_dark(offline, tmp_path):
    path = tmp_path / "space.html"
    path.write_text(apart(lambda: file_of_link("/search-space?data=iris")[1]))
    page = offline(path, width=390, scheme="dark")
    before = page.locator("[data-drawn]").get_attribute("data-drawn")
    page.get_by_role("slider", name="beta", exact=True).press("ArrowLeft")
    expect(page.locator("[data-drawn]")).not_to_have_attribute("data-drawn", before, timeout=20_000)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page, runOnly=["color-contrast"])
