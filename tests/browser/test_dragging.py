"""Charts that follow a value while it is dragged: what only a browser can show."""

import re
import threading

import pytest
from playwright.sync_api import expect

from pages.charts import dragged_slider  # noqa: F401  its script is listed with it
from pages.settings.component import COMPONENTS, SCRIPTS, script_url
from tests.browser.conftest import Watched
from tests.thorough import mostly_thorough

pytestmark = pytest.mark.browser
CORRECTIONS, CLASSIFIER, ERROR = "/corrections", "/classifier", "/error-by-prevalence"
LINKED = ["scores", "rates", "correction", "cost"]
WEAK = f"{CORRECTIONS}?data=tictactoe&classifier=Gaussian+naive+Bayes"

# Name -> where the chart stands: what its dataset says, its sentence, and the x of each trace that moves.
STANDS = """names => Object.fromEntries([...document.querySelectorAll('.kept-plot')]
  .filter(plot => names.includes(plot.dataset.name))
  .map(plot => [plot.dataset.name, { at: plot.dataset.drawn.split(" ").slice(1).map(Number),
    sentence:
    document.querySelector(`.dragged-text[data-name="${plot.dataset.name.replace('correction', 'theorem')}"]`)?.textContent,
    x: plot.data.filter(t => t.name === "threshold").map(t => t.x[0]) }]))"""

EXPECTED_COUNT = """() => document.querySelector('.kept-plot[data-name=chosen-rates]').data
  .find(trace => trace.name.startsWith('counting')).y"""

# A finger goes down in a chart, the browser takes it for a scroll, and it goes up elsewhere.
SCROLLED = """() => {
  const area = document.querySelector('.kept-plot[data-name=scores] .nsewdrag'), box = area.getBoundingClientRect();
  const at = (x) => ({ bubbles: true, pointerId: 7, button: 0, clientX: box.left + x * box.width, clientY: box.top + 50 });
  area.dispatchEvent(new PointerEvent('pointerdown', at(0.7)));
  area.dispatchEvent(new PointerEvent('pointercancel', at(0.7)));
  document.body.dispatchEvent(new PointerEvent('pointerup', at(0.1))); }"""

BOTH_DRAGGED = """() => {
  const drag = (name, value, done) =>
    document.dispatchEvent(new CustomEvent('drag-value', { detail: { name, value, done } }));
  for (let i = 0; i < 10; i++) { drag('threshold', 0.3 + i / 100, i === 9); drag('tpr', 0.8 - i / 100, i === 9); } }"""

# The arrows of the correction that are painted: Plotly leaves those of a trace that becomes empty.
ARROWS = """[...document.querySelectorAll('.kept-plot[data-name=correction] .scatterlayer .trace')].reduce((sum, trace) =>
  sum + (trace.querySelectorAll('.point').length > 1 || trace.querySelectorAll('.js-line').length > 1), 0)"""


def stands(one, names=LINKED):
    return one.page.evaluate(STANDS, names)


def bar(one, name="Threshold"):
    return one.page.get_by_role("slider", name=name, exact=True)


def wait_until(one, value, names=LINKED):
    one.page.wait_for_function(
        f"([names, value]) => Object.values(({STANDS})(names)).every(one => one.at.includes(value))", arg=[names, value]
    )


def drag_inside(one, name, start, stop):
    area = one.page.locator(f".kept-plot[data-name={name}] .nsewdrag").first
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    one.page.mouse.move(box["x"] + start * box["width"], box["y"] + 0.4 * box["height"])
    one.page.mouse.down()
    for step in range(1, 5):
        one.page.mouse.move(box["x"] + (start + (stop - start) * step / 4) * box["width"], box["y"] + 0.4 * box["height"])
        one.page.wait_for_timeout(20)


@pytest.mark.parametrize(
    ("page", "name", "last"),
    mostly_thorough([(ERROR, "Sample size", "size=4"), (CORRECTIONS, "Prevalence of the sample", "p=0.9")], 1),
)
def test_what_the_server_draws_follows_while_the_slider_is_dragged(visit, page, name, last):
    one = visit(page)
    box = bar(one, name).bounding_box()

    def move(at):
        one.page.mouse.move(box["x"] + at * box["width"], box["y"] + box["height"] / 2, steps=4)

    move(0.5)
    one.page.mouse.down()
    for at in (0.3, 0.9):
        one.change(lambda at=at: move(at))
    seen = one.data()
    one.page.mouse.up()
    one.settle()
    assert one.data() == seen
    assert last in one.page.url


def test_all_four_charts_follow_before_the_bar_is_released_and_none_is_drawn_anew(visit):
    one = visit(WEAK, height=2400)
    one.page.evaluate("document.querySelectorAll('.kept-plot').forEach(plot => { plot.mine = plot.keptMark })")
    before = stands(one)
    box = bar(one).bounding_box()
    one.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    one.page.mouse.down()
    one.page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + box["height"] / 2, steps=4)
    one.page.wait_for_function("() => Number(document.querySelector('.dragged-value').textContent) < 0.3")
    value = one.page.evaluate("window.draggedValues.threshold")
    wait_until(one, value)
    assert "threshold=" not in one.page.url, "not released yet"
    now = stands(one)
    for name in LINKED:
        assert now[name]["sentence"] != before[name]["sentence"]
        assert now[name]["at"] == [value]
    assert now["scores"]["x"] == [value]
    one.page.mouse.up()
    one.page.wait_for_function(f"() => location.search.includes('threshold={value:g}')")
    one.settle()
    assert stands(one) == now, "nothing jumps on release"
    same = "[...document.querySelectorAll('.kept-plot')].map(plot => plot.mine === plot.keptMark)"
    assert set(one.page.evaluate(same)) == {True}, "drawn by the server"


def test_the_threshold_is_dragged_inside_each_chart(visit):
    one = visit(WEAK, height=2400)
    for name, start, stop in (("scores", 0.3, 0.7), ("rates", 0.7, 0.4), ("cost", 0.4, 0.6)):
        before = one.page.url
        drag_inside(one, name, start, stop)
        value = one.page.evaluate("window.draggedValues.threshold")
        assert abs(value - stop) < 0.1
        wait_until(one, value)
        one.page.mouse.up()
        one.page.wait_for_function("before => location.href !== before && location.search.includes('threshold=')", arg=before)
        one.settle()
        assert [result["at"] for result in stands(one).values()] == [[value]] * 4
        expect(bar(one)).to_have_attribute("aria-valuetext", f"{value:g}")


@pytest.mark.thorough
def test_a_policy_moves_the_threshold_there_and_the_link_keeps_it(visit):
    one = visit(WEAK)
    one.page.get_by_role("group", name="Threshold at").get_by_role("button", name="Max").click()
    one.page.wait_for_function("() => location.search.includes('threshold=')")
    one.settle()
    assert "Max chooses this threshold" in stands(one)["rates"]["sentence"]
    one.unfold("Share").page.get_by_role("button", name="Copy link").click()
    expect(one.page.get_by_role("button", name="Link copied")).to_be_visible()
    assert stands(visit(one.page.evaluate("navigator.clipboard.readText()"))) == stands(one)


def test_keys_and_typed_values_move_it_too(visit):
    one = visit(CORRECTIONS)
    bar(one).focus()
    for _ in range(4):
        one.page.keyboard.press("ArrowLeft")
        one.page.wait_for_timeout(40)
    value = one.page.evaluate("window.draggedValues.threshold")
    wait_until(one, value)
    one.page.wait_for_function(f"() => location.search.includes('threshold={value:g}')")
    one.settle()
    assert [result["at"] for result in stands(one).values()] == [[value]] * 4
    typed = one.page.get_by_role("spinbutton", name="Threshold, typed")
    typed.fill("0.7219")
    typed.press("Enter")
    wait_until(one, 0.7219)
    one.page.get_by_role("button", name="Reset", exact=True).click()
    wait_until(one, 0.5)
    bar(one).focus()
    one.page.keyboard.press("End")
    one.page.wait_for_function(f"() => {ARROWS} === 0")
    assert "nothing can be corrected" in one.page.locator("[class*=st-key-headline]").inner_text()


@pytest.mark.thorough
def test_a_percentage_is_typed_over_where_the_bar_shows_it(visit):
    one = visit("/losses?true_p=0.3")
    typed = one.page.get_by_role("textbox", name="True prevalence, typed")
    expect(typed).to_have_value("30%")
    expect(one.page.get_by_role("spinbutton", name="True prevalence")).to_have_count(0)
    typed.fill("12,5")
    typed.press("Enter")
    expect(typed).to_have_value("12.5%")
    one.page.wait_for_function("() => location.search.includes('true_p=0.125')")
    expect(one.settle().page.get_by_text(re.compile("^If the truth is 12.5%")).first).to_be_visible()
    typed.fill("300")
    typed.press("Enter")
    assert typed.evaluate("box => box.validationMessage") == "From 0% to 100%, such as 20%."
    typed.press("Escape")
    expect(typed).to_have_value("12.5%")
    typed.fill("many")
    typed.press("Tab")
    expect(typed, "who leaves is not held back").not_to_be_focused()
    expect(typed).to_have_value("12.5%")
    typed.fill("300")
    one.change(lambda: one.page.get_by_role("button", name="A rare class").click())
    expect(typed).to_have_value("2%")
    one.page.get_by_role("slider", name="True prevalence", exact=True).press("Home")
    expect(typed).to_have_value("0%")


@pytest.mark.thorough
def test_what_does_not_move_stays_in_the_picture_and_a_finger_that_scrolls_moves_nothing(visit):
    one = visit(CORRECTIONS, height=2400)
    one.page.evaluate(SCROLLED)
    one.page.wait_for_timeout(600)
    one.settle()
    assert one.page.evaluate("window.draggedValues.threshold") == 0.5
    assert "threshold" not in one.page.url
    marks = (
        "Object.fromEntries([...document.querySelectorAll('.kept-plot')].map(plot => [plot.dataset.name, "
        "plot.querySelectorAll('.trace .point, .js-line, .js-fill').length]))"
    )
    before = one.page.evaluate(marks)
    assert before["scores"] > 5, "areas and lines"
    bar(one).focus()
    for _ in range(3):
        one.page.keyboard.press("ArrowLeft")
    wait_until(one, one.page.evaluate("window.draggedValues.threshold"))
    assert one.page.evaluate(marks) == before


@pytest.mark.thorough
def test_rates_of_ones_own_move_the_textbook_picture_at_once(visit):
    one = visit(f"{CORRECTIONS}?textbook=true", height=2400)
    assert one.page.evaluate(EXPECTED_COUNT) == [0.2, 0.8]
    bar(one, "tpr").focus()
    one.page.keyboard.press("ArrowLeft")
    one.page.wait_for_function(f"() => ({EXPECTED_COUNT})()[1] === 0.79")
    one.page.wait_for_function("() => location.search.includes('tpr=0.79')")
    one.settle()
    bar(one, "fpr").focus()
    one.page.keyboard.press("ArrowRight")
    one.page.wait_for_function(f"() => ({EXPECTED_COUNT})()[0] === 0.21 && ({EXPECTED_COUNT})()[1] === 0.79")
    one.page.wait_for_function("() => location.search.includes('fpr=0.21')")
    one.settle()
    assert one.page.evaluate(EXPECTED_COUNT) == [0.21, 0.79]
    # The threshold still moves the four, and leaves this one alone.
    bar(one).focus()
    one.page.keyboard.press("ArrowLeft")
    wait_until(one, 0.49)
    assert one.page.evaluate(EXPECTED_COUNT) == [0.21, 0.79]
    # Both at once.
    one.page.evaluate(BOTH_DRAGGED)
    wait_until(one, 0.39)
    one.page.wait_for_function("() => location.search.includes('tpr=0.71') && location.search.includes('threshold=0.39')")
    one.settle()
    assert one.page.evaluate(EXPECTED_COUNT) == [0.21, 0.71]


@pytest.mark.thorough
def test_the_classifiers_charts_follow_too(visit):
    one = visit(CLASSIFIER, height=2400)
    names = ["roc", "confusion", "accuracy", "measures"]
    bar(one).focus()
    one.page.keyboard.press("End")
    wait_until(one, 1, names)
    text = stands(one, names)
    assert "Here the tpr is 0% and the fpr 0%." in text["roc"]["sentence"]
    assert "It takes 0 of 2,500 instances for positives" in text["confusion"]["sentence"]


@pytest.mark.thorough
def test_the_bar_stays_in_sight_and_the_threshold_goes_from_page_to_page(visit):
    one = visit(f"{CORRECTIONS}?threshold=0.31", height=900)
    one.page.locator(".kept-plot[data-name=cost]").scroll_into_view_if_needed()
    expect(bar(one)).to_be_in_viewport()
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Classifier").click()
    expect(one.page.get_by_role("heading", name="Classifier", exact=True)).to_be_visible()
    one.page.wait_for_selector(".kept-plot[data-name=roc][data-drawn]")
    one.settle()
    assert stands(one, ["roc"])["roc"]["at"] == [0.31]


@pytest.mark.thorough
def test_two_tabs_have_settings_and_thresholds_of_their_own(visit):
    one, two = visit(CORRECTIONS), visit(f"{CORRECTIONS}?threshold=0.8")
    before = two.data()
    bar(one).focus()
    one.page.keyboard.press("ArrowLeft")
    wait_until(one, 0.49)
    drawn = one.data()
    one.change(lambda: one.page.get_by_role("button", name="Another draw").click())
    assert "draw=1" in one.page.url
    assert one.data() != drawn
    assert [result["at"] for result in stands(one).values()] == [[0.49]] * 4, "another draw keeps the threshold"
    assert [result["at"] for result in stands(two).values()] == [[0.8]] * 4
    assert two.settle().data() == before


@pytest.mark.thorough
def test_a_run_that_began_before_a_move_does_not_take_it_back(visit):
    """It says the old value once more, after the bar has moved on; a move without an echo was taken back by the server."""
    one = visit(ERROR)
    (file,) = [name for name in SCRIPTS if name.startswith("dragged-")]
    shown = one.page.evaluate(
        """async ([url, html]) => {
      const { default: draw } = await import(url), parentElement = document.createElement("div");
      parentElement.innerHTML = html;
      document.body.append(parentElement);
      const data = { name: "tried", label: "", values: [0.4, 0.49, 0.5], buttons: [], live: false, percent: false };
      const says = (value) => draw({ data: { ...data, value }, parentElement, setTriggerValue: () => {} });
      const range = parentElement.querySelector("input"), rest = (ms) => new Promise((done) => setTimeout(done, ms));
      const move = async (index) => { range.value = index; range.oninput(); range.onchange(); await rest(20); };
      const seen = [], note = () => seen.push(range.getAttribute("aria-valuetext"));
      says(0.5); await move(1); says(0.5); note(); says(0.49); note(); says(0.5); note();
      await move(0); says(0.5); note(); await rest(900); await move(1); await rest(200); note(); await rest(3000); note();
      parentElement.remove();
      return seen; }""",
        [script_url(file), COMPONENTS["dragged"].html],
    )
    assert shown == ["0.49", "0.49", "0.5", "0.4", "0.49", "0.5"]


@pytest.mark.thorough
def test_settings_survive_what_cannot_be_shown(visit):
    one = visit(f"{CLASSIFIER}?data=balance&positive=balanced&fp_cost=7&threshold=0.2", height=1600)
    one.unfold("50% for training")
    share = one.page.get_by_role("textbox", name="Training share, typed")
    share.fill("2%")
    share.press("Enter")
    expect(one.page.get_by_text("must have at least 2 training instances").first).to_be_visible()
    share.fill("50%")
    share.press("Enter")
    one.page.wait_for_selector(".kept-plot[data-name=roc][data-drawn]")
    one.settle()
    assert "fp_cost=7" in one.page.url
    assert stands(one, ["roc"])["roc"]["at"] == [0.2]


@pytest.mark.thorough
def test_the_link_knows_what_every_part_says(visit):
    one = visit(f"{CORRECTIONS}?corrections_section=When+it+breaks", height=2400)
    one.page.get_by_text("concept shift", exact=True).click()
    one.page.wait_for_function("() => location.search.includes('kind=concept')")
    one.settle()
    one.change(lambda: one.page.get_by_role("button", name="Another draw").click())
    one.page.get_by_text("covariate shift", exact=True).click()
    one.page.wait_for_function("() => !location.search.includes('kind=')")
    one.settle()
    one.unfold("Share").page.get_by_role("button", name="Copy link").click()
    expect(one.page.get_by_role("button", name="Link copied")).to_be_visible()
    link = one.page.evaluate("navigator.clipboard.readText()")
    assert "kind=covariate+shift" in link
    assert "draw=1" in link


# Moves of a chart's lines last a while longer; each drawing notes whether one was under way.
SLOWLY = """() => {
  const plot = document.querySelector('.kept-plot[data-name=rates]'), Plotly = plot.keptPlotly;
  const { animate, restyle, react } = Plotly;
  let moving = 0;
  window.drawnWhile = [];
  const slow = (act) => async (chart, ...rest) => {
    if (chart !== plot) return act(chart, ...rest);
    moving += 1;
    try { await act(chart, ...rest); await new Promise((done) => setTimeout(done, 700)); } finally { moving -= 1; }
  };
  Object.assign(Plotly, { animate: slow(animate), restyle: slow(restyle), react: (chart, ...rest) => {
    if (chart === plot) window.drawnWhile.push(moving);
    return react(chart, ...rest);
  } }); }"""


@pytest.mark.thorough
def test_a_chart_is_not_drawn_anew_while_its_lines_move(visit):
    """Plotly would keep the frame of the former picture then, and cut off what lies outside."""
    one = visit("/corrections", height=900)
    one.page.evaluate(SLOWLY)
    one.page.get_by_role("slider", name="Threshold").press("ArrowRight")
    one.page.wait_for_timeout(100)
    one.page.set_viewport_size({"width": 390, "height": 900})
    one.page.wait_for_function("() => window.drawnWhile.length")
    assert set(one.page.evaluate("window.drawnWhile")) == {0}
    one.page.wait_for_function("() => document.querySelector('.kept-plot[data-name=rates]').dataset.drawn.endsWith(' 0.51')")


@pytest.mark.thorough
def test_a_move_that_is_lost_with_its_connection_is_sent_again(browser, address):
    """The browser has sent it, the server has never had it."""
    page, connections, lost, dies = browser.new_page(), [], [], threading.Event()

    def connect(connection):
        server = connection.connect_to_server()
        connection.on_message(lambda message: lost.append(message) if dies.is_set() else server.send(message))
        connections.append(connection)

    page.route_web_socket(re.compile("_stcore/stream"), connect)
    one = Watched(page, address).open(f"{CORRECTIONS}?threshold=0.3")
    dies.set()
    bar(one).press("Home")
    while not lost:
        page.wait_for_timeout(20)
    dies.clear()
    connections[-1].close()
    page.wait_for_function("() => new URLSearchParams(location.search).get('threshold') === '0.0'")
    wait_until(one, 0)
    page.close()
