"""The stage of a lecture, a talk of several views, and a view in a frame of another site's page."""

import contextlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.frame.talk import spelt
from tests.browser.server import free_port, serve
from tests.browser.test_every_page import assert_accessible
from tests.browser.test_lessons import address_has, button
from tests.thorough import mostly_thorough

pytestmark = pytest.mark.browser

STAGE = "() => document.documentElement.hasAttribute('data-stage')"
LOWEST = """() => Math.max(...[...document.querySelectorAll('[class*=st-key-hero] .kept-plot')]
  .map((plot) => plot.getBoundingClientRect().bottom))"""
TICKS = "[class*=st-key-hero] .kept-plot :is(.xtick, .ytick, .legendtext) text"
TEXT = (
    f"() => Math.min(...[...document.querySelectorAll('{TICKS}')].map((text) => parseFloat(getComputedStyle(text).fontSize)))"
)


def fitted(one):
    """Wait until the charts are as high as the window allows."""
    one.settle()
    one.page.wait_for_timeout(800)
    return one.settle()


@pytest.mark.parametrize(
    ("path", "size", "text"),
    mostly_thorough([("/error-by-prevalence", (1280, 720), 15), ("/corrections", (1920, 1080), 20)], 1),
)
def test_the_picture_fills_the_window_with_text_for_the_last_row(visit, path, size, text):
    one = visit(path, width=size[0], height=size[1])
    one.page.keyboard.press("p")
    one.page.wait_for_function(STAGE)
    fitted(one)
    expect(one.page.get_by_test_id("stSidebar")).to_be_hidden()
    assert one.page.evaluate(TEXT) >= text
    assert 0.8 * size[1] < one.page.evaluate(LOWEST) <= size[1]
    assert_accessible(one.page, runOnly=["color-contrast"])
    one.page.keyboard.press("Escape")
    one.page.wait_for_function(f"() => !({STAGE})()")
    expect(one.page.get_by_test_id("stSidebar")).to_be_visible()
    address_has(one, f"{path}$")
    one.page.wait_for_function(f"() => ({TEXT})() === 13")


def test_keys_step_through_a_talk_that_a_link_holds(visit):
    one = visit("/losses?true_p=0.37")
    one.unfold("Share")
    button(one, "Add to my talk").click()
    expect(one.page.get_by_text("My talk: 1 view", exact=True)).to_be_visible()
    one.page.keyboard.press("Escape")
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Corrections").click()
    one.page.wait_for_selector(".kept-plot[data-name=scores][data-drawn]")
    one.settle().unfold("Share")
    button(one, "Add to my talk").click()
    one.page.get_by_text("My talk: 2 views", exact=True).click()
    one.settle()
    one.page.evaluate("navigator.clipboard.writeText('')")
    button(one, "Copy the link to my talk").click()
    # What the button says of it is gone again after some seconds.
    one.page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('talk=')")
    link = one.page.evaluate("navigator.clipboard.readText()")
    other = visit(link)
    address_has(other, "/losses.*true_p=0.37.*view=1")
    expect(other.page.get_by_text("1 / 2")).to_be_visible()
    other.page.keyboard.press("ArrowRight")
    address_has(other, "/corrections.*view=2")
    expect(other.page.get_by_text("2 / 2")).to_be_visible()
    # A clicker's key, and at the end of the talk it stays.
    other.settle().page.keyboard.press("PageDown")
    other.page.keyboard.press("PageUp")
    address_has(other, "/losses.*true_p=0.37.*view=1")
    other.settle().page.reload()
    other.page.wait_for_function(STAGE)
    expect(other.page.get_by_text("1 / 2")).to_be_visible()
    other.settle().page.keyboard.press("Escape")
    other.page.wait_for_function(f"() => !({STAGE})()")
    # The address follows when the server has answered.
    other.page.wait_for_function("() => !location.search.includes('talk')")


TABS_ON_TOP = "() => Math.abs(document.querySelector('[data-testid=stMain] [role=tablist]')?.getBoundingClientRect().top) < 2"
CHART_IN_WINDOW = """() => { const plot = document.querySelector('[data-testid=stMain] [role=tabpanel] .kept-plot[data-drawn]');
  const { top, bottom, height } = plot?.getBoundingClientRect() ?? {};
  return plot && plot.querySelector('.xtick') && height > innerHeight / 3 && top > 0 && bottom <= innerHeight; }"""
AT_PICTURE = "() => document.querySelector('[data-testid=stMain]').scrollTop === 0"
SIDEWAYS = """() => { const main = document.querySelector('[data-testid=stMain]');
  return main.scrollWidth - main.clientWidth; }"""


@pytest.mark.thorough
def test_a_view_with_a_section_shows_its_whole_chart_forwards_backwards_and_after_a_reload(visit):
    views = [
        "/corrections?corrections_section=When+it+breaks",
        "/corrections?threshold=0.6",
        "/classifier?classifier_section=Calibration",
        "/estimate?way=An+example&estimate_section=Intervals",
    ]
    one = visit(f"{views[0]}&present=1&talk={spelt(views)}&view=1", width=1280, height=720)

    def assert_seen(number, wanted):
        expect(one.page.get_by_text(f"{number} / 4")).to_be_visible()
        for seen in wanted:
            one.page.wait_for_function(seen)
        assert one.settle().page.evaluate(SIDEWAYS) == 0

    in_section = (TABS_ON_TOP, CHART_IN_WINDOW)
    assert_seen(1, in_section)
    for number, wanted in ((2, [AT_PICTURE]), (3, in_section), (4, in_section)):
        one.page.keyboard.press("PageDown")
        assert_seen(number, wanted)
    one.page.reload()
    assert_seen(4, in_section)
    one.page.keyboard.press("PageUp")
    assert_seen(3, in_section)


def test_a_collected_talk_outlives_a_reload_and_one_of_a_link_is_not_kept(people):
    one = people("/losses?true_p=0.37")
    one.unfold("Share")
    button(one, "Add to my talk").click()
    expect(button(one, "Present my talk (1)")).to_be_visible()
    one.page.wait_for_function("() => localStorage.getItem('quantification-lab-talk')")
    one.open(f"/corrections?present=1&talk={spelt(['/corrections', '/losses'])}&view=1")
    one.page.keyboard.press("Escape")
    one.page.wait_for_function(f"() => !({STAGE})()")
    one.open("/losses")
    one.unfold("Share")
    expect(button(one, "Present my talk (1)")).to_be_visible()
    one.page.get_by_text("My talk: 1 view", exact=True).click()
    button(one, "Remove").click()
    one.page.wait_for_function("() => localStorage.getItem('quantification-lab-talk') === null")


@pytest.mark.thorough
def test_the_stage_begins_at_the_picture_and_keys_that_lead_nowhere_scroll(visit):
    one = visit("/", width=1280, height=720)
    scrolled = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    one.page.keyboard.press("End")
    one.page.wait_for_function(f"({scrolled})() > 500")
    one.page.keyboard.press("p")
    one.page.wait_for_function(f"document.documentElement.hasAttribute('data-stage') && ({scrolled})() === 0")
    one.page.keyboard.press("PageDown")
    one.page.wait_for_function(f"({scrolled})() > 100")


@pytest.mark.thorough
def test_a_clicker_steps_through_a_lesson(visit):
    one = visit("/corrections?lesson=threshold&step=3&present=1", width=1920, height=1080)
    one.page.keyboard.press("PageDown")
    address_has(one, "step=4.*present=1")
    one.settle().page.keyboard.press("ArrowLeft")
    address_has(one, "step=3")


@pytest.mark.thorough
def test_a_talk_that_is_none_is_said(visit):
    one = visit("/losses?present=1&talk=nonsense&view=1")
    expect(one.page.get_by_text("Copy the link to the talk again")).to_be_visible()


@contextlib.contextmanager
def course(frame, port=0):
    """The address of another site, whose page shows a view in a frame."""
    page = f"""<!doctype html><title>Course</title><iframe src="{frame}" width="800" height="300"></iframe><script>
      addEventListener("message", ({{ data }}) => {{
        if (data?.quantificationLab) document.querySelector("iframe").height = data.quantificationLab.height; }});</script>"""

    class Course(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *words):
            pass

    site = ThreadingHTTPServer(("127.0.0.1", port), Course)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{site.server_port}"
    finally:
        site.shutdown()
        site.server_close()


@pytest.mark.thorough
def test_another_site_shows_a_view_if_it_is_named_and_is_told_its_height(browser, address):
    port = free_port()
    with (
        serve(QUANTIFICATION_LAB_EMBED_IN=f"http://127.0.0.1:{port}") as allowing,
        course(f"{allowing}/corrections?embed=true", port) as site,
    ):
        page = browser.new_page()
        page.goto(site)
        frame = page.frame_locator("iframe")
        frame.locator(".kept-plot[data-name=scores][data-drawn]").wait_for(timeout=30_000)
        expect(frame.get_by_test_id("stSidebar")).to_be_hidden()
        expect(frame.locator("[class*=st-key-header]").first).to_be_hidden()
        expect(frame.get_by_role("tab").first).to_be_hidden()
        page.wait_for_function("() => document.querySelector('iframe').height > 600")
        before = frame.locator(".kept-plot[data-name=scores]").get_attribute("data-drawn")
        bar = frame.get_by_role("slider", name="Threshold", exact=True)
        bar.press("ArrowRight")
        expect(frame.locator(".kept-plot[data-name=scores]")).not_to_have_attribute("data-drawn", before)
        page.close()
    with course(f"{address}/corrections?embed=true") as site:
        page = browser.new_page()
        page.goto(site)
        # No other site is named.
        page.frames[1].wait_for_url(re.compile("^chrome-error:"))
        page.close()


@pytest.mark.thorough
def test_the_menu_gives_the_frame(visit):
    one = visit("/losses?true_p=0.37").unfold("Share")
    one.page.get_by_text("Show this view in another site's page").click()
    code = one.page.locator("code", has_text="<iframe")
    expect(code).to_contain_text("/losses?true_p=0.37&embed=true".replace("&", "&amp;"))


@pytest.mark.thorough
def test_a_clicker_that_is_pressed_fast_ends_at_a_view_of_the_talk(visit):
    views = ["/losses?true_p=0.37", "/corrections?threshold=0.7", "/error-by-prevalence?size=30", "/losses?true_p=0.6"]
    one = visit(f"/losses?true_p=0.37&present=1&talk={spelt(views)}&view=1")
    for _ in range(3):
        one.page.keyboard.press("PageDown")
        one.page.wait_for_timeout(120)
    one.page.wait_for_timeout(2000)
    one.settle()
    expect(one.page.get_by_text("encountered an error")).to_have_count(0)
    number = int(parse_qs(urlsplit(one.page.url).query)["view"][0])
    assert number > 1
    expect(one.page.get_by_text(f"{number} / 4")).to_be_visible()
    assert urlsplit(one.page.url).path == urlsplit(views[number - 1]).path
