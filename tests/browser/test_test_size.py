""" "Test size" and "Recommender" in a real browser: clicks in a heatmap, panels by width, work that a control stops."""

import csv
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from pages.settings.address import link_query
from pages.settings.shared import SHOWN_FIRST, family_members, quantifiers_key
from qcore.quantifiers import FAMILIES
from qcore.studies.sample_size import GRID_OF_MALETZKE_2020
from tests.browser.heatmap import cell

pytestmark = pytest.mark.browser
SIZES, RECOMMENDER = "/test-size", "/recommender"
FEW = {quantifiers_key(family): {"counting": ["CC"], "matching": ["HDy"]}.get(family, []) for family in FAMILIES}
ALL = {quantifiers_key(family): family_members(family) for family in FAMILIES}

TITLES = """() => Object.fromEntries([...document.querySelectorAll('.kept-plot')].map(
  (plot) => [plot.dataset.name, plot.layout.title.text]))"""
COLUMNS = """() => { const plot = document.querySelector('.kept-plot[data-name=loss-by-size]');
  const lefts = Object.keys(plot._fullLayout).filter((key) => /^xaxis/.test(key))
    .map((key) => Math.round(plot._fullLayout[key]._offset));
  return [new Set(lefts).size, plot.clientHeight, plot.data.length]; }"""
SHAPES = """() => document.querySelector('.kept-plot[data-name=loss-by-size]')._fullData
  .filter(({ type }) => type === 'heatmap')
  .map(({ z }) => [z.length, z[0].length])"""
WATCH = """() => { window.reported = [];
  new MutationObserver(() => {
    const bar = document.querySelector('[data-testid=stProgress]');
    if (bar && window.reported.at(-1) !== bar.innerText) window.reported.push(bar.innerText);
  }).observe(document.body, { subtree: true, childList: true, characterData: true }); }"""


def click_cell(one, chart, method, prevalence, size):
    x, y = cell(one.page, chart, method, prevalence, size)
    one.page.mouse.move(x - 2, y)
    one.page.mouse.click(x, y)


def test_a_click_in_a_small_heatmap_enlarges(visit):
    one = visit(SIZES)
    still = "document.querySelector('.kept-plot[data-name=loss-by-size]').mine"
    one.page.evaluate(f"{still} = true")
    one.page.set_viewport_size({"width": 1400, "height": 700})
    one.change(lambda: click_cell(one, "loss-by-size", "AC", 0.25, "50"))
    titles = one.page.evaluate(TITLES)
    assert titles["enlarged-heatmap"] == "AC, on its own scale"
    seen = one.page.locator(".kept-plot[data-name=enlarged-heatmap]").bounding_box()
    assert seen["y"] < 700, "what is enlarged comes into view"
    assert titles["row"] == "AC with samples of 50"
    assert titles["column"] == "AC at a prevalence of 25%"
    for part in ("look=AC", "at_size=50", "at_p=0.25"):
        assert part in one.page.url
    expect(one.page.get_by_role("combobox", name="Quantifier", exact=True)).to_have_value("AC")
    assert one.page.evaluate(still), "the panels were built anew"
    one.change(lambda: click_cell(one, "enlarged-heatmap", "AC", 0.9, "10"))
    assert one.page.evaluate(TITLES)["row"] == "AC with samples of 10"
    data = one.data()
    assert visit(one.page.url).data() == data
    one.unfold("Share").page.get_by_role("button", name="Copy link").click()
    expect(one.page.get_by_role("button", name="Link copied")).to_be_visible()
    assert "at_p=0.9" in one.page.evaluate("navigator.clipboard.readText()")


@pytest.mark.thorough
def test_the_link_is_right_before_anything_is_touched(visit):
    one = visit(f"{SIZES}?first=CC&second=EMQ&look=AC&at_p=0.2")
    one.unfold("Share").page.get_by_role("button", name="Copy link").click()
    expect(one.page.get_by_role("button", name="Link copied")).to_be_visible()
    copied = one.page.evaluate("navigator.clipboard.readText()")
    for part in ("first=CC", "second=EMQ", "look=AC", "at_p=0.2"):
        assert part in copied


@pytest.mark.thorough
def test_the_keyboard_enlarges_too(visit):
    one = visit(SIZES)
    slider = one.page.get_by_role("slider", name="Prevalence (column)")
    one.change(lambda: [slider.press("ArrowRight") for _ in range(5)])
    one.settle()
    assert one.page.evaluate(TITLES)["column"] == "EMQ at a prevalence of 55%"
    assert "at_p=0.55" in one.page.url


@pytest.mark.thorough
def test_hovering_shows_value_range_and_number(visit):
    one = visit(SIZES)
    one.page.locator(".kept-plot[data-name=loss-by-size]").evaluate("plot => plot.scrollIntoView({ block: 'start' })")
    one.settle()
    x, y = cell(one.page, "loss-by-size", "AC", 0.5, "20")
    one.page.mouse.move(x - 1, y)
    one.page.mouse.move(x, y)
    one.page.wait_for_selector(".hoverlayer .hovertext")
    text = one.page.locator(".kept-plot[data-name=loss-by-size] .hoverlayer").text_content()
    for part in ("AC: 0.", "10th to 90th percentile 0.", "20 samples of 20, prevalence 50%"):
        assert part in text


@pytest.mark.thorough
def test_panels_lie_in_fewer_columns_where_there_is_less_room(visit):
    one = visit(SIZES)
    wide = one.page.evaluate(COLUMNS)
    assert (wide[0], wide[2]) == (4, len(SHOWN_FIRST) + 2), "a panel each, and the mark of the selected cell"
    one.page.set_viewport_size({"width": 420, "height": 1200})
    one.page.wait_for_function(f"({COLUMNS})()[0] === 2")
    assert one.page.evaluate(COLUMNS)[1] > wide[1]
    one.page.set_viewport_size({"width": 1400, "height": 1200})
    one.page.wait_for_function(f"({COLUMNS})()[0] === 4")
    assert one.settle().page.evaluate(COLUMNS) == wide


@pytest.mark.thorough
def test_a_control_that_moves_stops_the_grid(visit):
    grid = {"sizes": " ".join(map(str, GRID_OF_MALETZKE_2020.sizes)), "data": "waveform", "seed": 913}
    one = visit(f"{SIZES}?{link_query({**grid, **ALL, 'runs': 2, 'points': 101})}")
    one.unfold("Sizes 10 to 500")
    typed = one.page.get_by_role("spinbutton", name="Repeats")
    one.page.evaluate(WATCH)
    typed.fill("50")
    typed.press("Enter")
    one.page.wait_for_function("window.reported.length > 2")
    typed.fill("3")
    typed.press("Enter")
    one.page.wait_for_function("document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'")
    one.settle()
    reported = one.page.evaluate("window.reported")
    stopped = [text for text in reported if "70,700" in text]
    assert stopped, "progress is shown"
    shares = [int(text.split(":")[1].split("%")[0]) for text in stopped]
    assert shares == sorted(shares)
    assert shares[-1] < 90, "and the work stopped before its end"
    expect(one.page.get_by_text("Each cell is the mean over 3 samples").first).to_be_visible()
    assert "runs=3" in one.page.url
    assert "points=101" in one.page.url


@pytest.mark.thorough
def test_all_of_the_papers_grid_in_one_click(visit):
    one = visit(f"{SIZES}?data=waveform")
    one.change(lambda: one.page.get_by_role("button", name="The paper's grid").click())
    assert one.page.evaluate(SHAPES) == [[14, 101]] * len(SHOWN_FIRST)


@pytest.mark.thorough
def test_cells_download(visit):
    one = visit(f"{SIZES}?points=11&runs=2&sizes=5+10&test_size_section=Ranks")
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name="Losses as CSV").click()
    rows = list(csv.DictReader(waiting.value.path().read_text().splitlines()))
    assert len(rows) == len(SHOWN_FIRST) * 2 * 11
    assert list(rows[0]) == ["method", "size", "target", "true", "mean", "sd", "lower", "upper", "n", "loss"]


@pytest.mark.thorough
def test_an_older_link_leads_to_the_recommender_with_its_grid(visit):
    one = visit(f"{RECOMMENDER}?sizes=5+15&points=11&runs=4&data=wine&{link_query(FEW)}&candidates=CC&candidates=AC")
    one.page.wait_for_selector(".kept-plot[data-name=errors-by-size][data-drawn]")
    one.settle()
    assert urlsplit(one.page.url).path == SIZES
    assert one.page.get_by_role("tab", name="Recommender").get_attribute("aria-selected") == "true"
    plot = "document.querySelector('.kept-plot[data-name=errors-by-size]')"
    assert one.page.evaluate(f"{plot}.data[0].x") == ["5", "15"]
    one.unfold("Candidates")
    one.change(lambda: one.page.get_by_role("button", name="EMQ", exact=True).last.click())
    assert "EMQ" in one.page.evaluate(f"{plot}.data.map(t => t.name)")
