""" "Search space" in a real browser: beta that is dragged, surfaces that turn together, learners on them."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser import chromium
from tests.browser.conftest import PATIENCE, Watched

pytestmark = pytest.mark.browser
SPACE = "/search-space"
PLOT = "document.querySelector('.kept-plot[data-name={}]')"
HEIGHTS = (
    "() => {"
    + f"const data = {PLOT.format('search-space')}._fullData;"
    + """
  const of = (type) => data.find((trace) => trace.type === type);
  return ['surface', 'heatmap', 'scatter3d'].map((type) => Array.from(of(type).z.flat()).map((v) => Number(v.toFixed(3)))); }"""
)
CAMERAS = f"""() => {{ const plot = {PLOT.format("row-of-surfaces")};
  const scenes = Object.keys(plot.layout).filter((key) => /^scene/.test(key));
  return scenes.map((key) => plot._fullLayout[key]._scene.getCamera().eye); }}"""
POINTS = f"() => {PLOT.format('search-space')}.data.filter((t) => t.type === 'scatter').map((t) => t.name)"


def test_the_surface_follows_beta(visit):
    one = visit(SPACE)
    before = one.page.evaluate(HEIGHTS)
    one.page.evaluate(f"{PLOT.format('search-space')}.mine = true")
    bar = one.page.get_by_role("slider", name="beta")
    one.change(lambda: bar.press("Home"))
    surface, heat, path = one.page.evaluate(HEIGHTS)
    assert surface == heat, "the projection shows what the surface shows"
    assert surface != before[0]
    assert path != before[2]
    # Q_0 is recall: it does not look at FP. A row of z is one FN.
    n_fp = one.page.evaluate(f"() => {PLOT.format('search-space')}._fullData[0].x.length")
    assert all(len(set(surface[i : i + n_fp])) == 1 for i in range(0, len(surface), n_fp))
    expect(one.page.get_by_text("Q_0 where errors cancel out")).to_be_visible()
    # The server is told when the keys rest.
    expect(one.page).to_have_url(re.compile("beta=0"))
    one.unfold("Q_beta")
    expect(one.page.get_by_role("textbox", name="beta, typed")).to_have_value("0")
    one.page.keyboard.press("Escape")
    assert one.page.evaluate(f"{PLOT.format('search-space')}.mine"), "the chart was built anew"


@pytest.mark.thorough
def test_the_surface_follows_what_is_typed_and_a_wrong_beta_is_said(visit):
    one = visit(SPACE)
    bar = one.page.get_by_role("slider", name="beta")
    one.change(lambda: bar.press("End"))
    expect(one.page).to_have_url(re.compile("beta=inf"))
    assert bar.get_attribute("aria-valuetext") == "inf"
    one.unfold("Q_beta")
    box = one.page.get_by_role("textbox", name="beta, typed")
    one.change(lambda: [box.fill("2.5"), box.press("Enter")])
    assert bar.get_attribute("aria-valuetext") == "2.5"
    box.fill("-1")
    box.press("Enter")
    expect(one.page.get_by_text("Beta must be a number from 0 to 1000, or inf, got '-1'")).to_be_visible()
    box.fill("1")
    box.press("Enter")
    expect(one.page.get_by_text("Beta must be")).to_have_count(0)


@pytest.mark.thorough
def test_a_saved_picture_is_made_of_paths_seen_from_where_one_has_turned_it_to(visit):
    one = visit(f"{SPACE}?colours=Viridis&n_pos=60&n_neg=60&learners=")
    with one.page.expect_download() as waiting:
        one.page.locator(".modebar-btn[data-title='Save as SVG']").first.dispatch_event("click")
    picture = waiting.value.path().read_text()
    assert "<image" not in picture
    assert picture.count("<path") > 1600, "a path for each quadrilateral of the surface"
    colours = np.array([[int(part) for part in found] for found in re.findall(r'fill="rgb\((\d+),(\d+),(\d+)\)"', picture)])
    assert np.abs(colours - [33, 145, 140]).max(axis=1).min() < 8, "the middle of Viridis"
    # A browser without windows has none for printing, which takes the pages away again: the test keeps them.
    plot = PLOT.format("search-space")
    one.page.evaluate(f"""() => {{
      const plot = {plot}, eye = {{ x: -1.5, y: -1, z: 0.5 }};
      plot.keptPlotly.relayout(plot, {{ "scene.camera": {{ ...plot._fullLayout.scene.camera, eye }} }});
      new MutationObserver(() => {{
        const pages = document.querySelector(".kept-pages");
        if (pages) pages.contentWindow.print = () => {{ window.keptPages = pages.contentDocument.documentElement.outerHTML; }};
      }}).observe(document.body, {{ childList: true }}); }}""")
    # The server is told where it was turned to, and the menu is opened after that.
    expect(one.page).to_have_url(re.compile("camera="))
    one.settle()
    one.unfold("Share").page.get_by_role("button", name="Save as PDF").click()
    pages = one.page.wait_for_function("() => window.keptPages").json_value()
    assert "@page p0" in pages
    assert "<image" not in pages
    first, second = (re.findall(r'<path d="M0,[^"]*"', text) for text in (picture, pages))
    assert first == second != [], "the map stays as it is"
    first, second = (re.findall(r'<path d="[^"]*" fill="rgb[^"]*" stroke=', text) for text in (picture, pages))
    assert len(first) == len(second) == 1600
    assert not set(first) & set(second), "the surface is seen from where it was turned to"


@pytest.mark.thorough
def test_turning_one_surface_turns_all(visit):
    one = visit(f"{SPACE}?search_space_section=From+counting+to+finding")
    row = one.page.locator(".kept-plot[data-name=row-of-surfaces]")
    row.scroll_into_view_if_needed()
    one.page.wait_for_selector(".kept-plot[data-name=row-of-surfaces][data-drawn]", timeout=30_000)
    one.settle()
    before = one.page.evaluate(CAMERAS)
    assert len(before) == 5
    assert all(eye == before[0] for eye in before)
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    x, y = box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.45
    one.page.mouse.move(x, y)
    one.page.mouse.down()
    for step in range(1, 4):
        one.page.mouse.move(x + 25 * step, y + 7 * step)
        one.page.wait_for_timeout(60)
    one.page.mouse.up()
    one.page.wait_for_timeout(1500)
    after = one.page.evaluate(CAMERAS)
    assert after[0] != before[0], "nothing was turned"
    for eye in after:
        assert eye == pytest.approx(after[1], abs=1e-3)


@pytest.mark.thorough
def test_a_learner_that_is_chosen_is_drawn_and_paper_shows_the_whole_surface(visit):
    one = visit(f"{SPACE}?search_space_section=Learners+as+quantifiers")
    names = [
        "edge of FP = FN",
        "FP = FN: the count is right",
        "best tables",
        "logistic regression, every threshold",
        "logistic regression",
        "SVM-Q2",
        "SVM-NAS",
    ]
    assert one.page.evaluate(POINTS) == names
    box = one.page.get_by_role("combobox", name="Learners beside the sidebar's classifier")
    box.click()
    one.page.keyboard.type("quantification tree")
    one.change(lambda: one.page.get_by_role("option", name="quantification tree").click())
    assert one.page.evaluate(POINTS) == [*names, "quantification tree"]
    one.settle()
    assert "learners=quantification+tree" in one.page.url
    eye = "document.querySelector('.kept-plot')._fullLayout.scene.camera.eye.x"
    before = one.page.evaluate(eye)
    one.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    one.page.wait_for_function(f"before => {eye} > 1.1 * before", arg=before)
    one.page.evaluate("dispatchEvent(new Event('afterprint'))")
    one.page.wait_for_function(f"before => {eye} === before", arg=before)


@pytest.mark.thorough
def test_a_browser_without_webgl_shows_the_map_at_full_width_and_says_why(playwright, address):
    """As a Chromium without a graphics card."""
    started = playwright.chromium.launch(
        executable_path=chromium.find(), args=[*set(chromium.BRIEFLY) - {chromium.IN_SPACE}, "--disable-3d-apis"]
    )
    one = Watched(started.new_page(viewport={"width": 1400, "height": 900}), address)
    one.page.set_default_timeout(PATIENCE)
    one.open(f"{SPACE}?search_space_section=From+counting+to+finding")
    picture = one.page.locator(".kept-plot[data-name=search-space]")
    expect(one.page.get_by_text("This browser draws no surfaces").first).to_be_visible()
    expect(picture.locator(".gl-container canvas")).to_have_count(0)
    plot = PLOT.format("search-space")
    assert one.page.evaluate(f"{plot}._fullLayout.xaxis._length / {plot}.clientWidth") > 0.7
    values = f"{plot}._fullData.find(({{ type }}) => type === 'heatmap').z.flat().join()"
    before = one.page.evaluate(values)
    one.change(lambda: one.page.get_by_role("slider", name="beta").press("Home"))
    assert one.page.evaluate(values) != before
    one.page.locator(".kept-plot[data-name=row-of-surfaces]").scroll_into_view_if_needed()
    expect(one.page.get_by_text("This browser draws no surfaces")).to_have_count(2)
    assert one.problems == []
    started.close()


@pytest.mark.thorough
def test_after_printing_charts_take_the_width_of_the_window(visit):
    """Firefox is still laid out for paper while it says that it has printed, and tells no observer of the widths."""
    one = visit("/error-by-prevalence", width=1400, height=900)
    plot = PLOT.format("loss-by-prevalence")
    before = one.page.evaluate(f"{plot}._fullLayout.width")
    one.page.evaluate(f"""() => {{
      const around = {plot}.closest(".kept-chart");
      {plot}.keptWatch.disconnect();
      around.style.width = "500px";
      dispatchEvent(new Event("beforeprint")); }}""")
    one.page.wait_for_function(f"() => {plot}._fullLayout.width === 680")
    one.page.evaluate(f"""() => {{
      requestAnimationFrame(() => {{ {plot}.closest(".kept-chart").style.width = ""; }});
      dispatchEvent(new Event("afterprint")); }}""")
    one.page.wait_for_function(f"before => {plot}._fullLayout.width === before", arg=before)
