"""The real app in a real browser: what only a browser can show."""

import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.listed import PAGES
from pages.settings.address import LINK_VERSION, url_words, without_defaults
from pages.settings.page_declaration import SETTINGS
from pages.settings.shared import SHOWN_FIRST

pytestmark = pytest.mark.browser
HOME, ERROR = "/", "/error-by-prevalence"
VIEW = """() => { const plot = document.querySelector('.kept-plot'); const two = v => v.toFixed(3);
  return { x: plot.layout.xaxis.range.map(two), y: plot.layout.yaxis.range.map(two),
           hidden: plot.data.filter(t => t.visible === 'legendonly').map(t => t.name) } }"""


def slider(page, name):
    return page.get_by_role("slider", name=name)


def test_a_change_redraws_and_its_url_shows_the_same_elsewhere(visit):
    one = visit(ERROR)
    start = one.data()

    def wine():
        one.page.get_by_role("combobox", name="Data set").click()
        one.page.get_by_role("option", name="wine", exact=True).click()

    one.change(wine)
    typed = one.unfold("21 prevalences").page.get_by_role("spinbutton", name="Sample size")
    typed.fill("30")
    one.change(lambda: typed.press("Enter"))
    assert "size=30" in one.page.url
    one.page.keyboard.press("Escape")
    expect(slider(one.page, "Sample size")).to_have_attribute("aria-valuetext", "30")
    picked = one.data()
    assert picked != start
    one.change(lambda: slider(one.page, "Sample size").press("ArrowLeft"))
    moved = one.data()
    assert moved != picked
    assert "data=wine" in one.page.url
    assert "size=29" in one.page.url
    one.page.reload()  # a new session, which knows nothing but the URL
    one.page.wait_for_selector("[data-drawn]")
    assert one.settle().data() == moved


def test_zoom_and_legend_choices_survive_updates(visit):
    # What somebody has asked for is there already: then no bar is drawn, and the chart must be where it is after a bar.
    visit(ERROR)
    one = visit(ERROR)
    page = one.page
    plot = page.locator(".kept-plot").first
    plot.evaluate("plot => { plot.mine = true }")
    area = plot.locator(".nsewdrag").first.bounding_box()
    page.mouse.move(area["x"] + 0.3 * area["width"], area["y"] + 0.3 * area["height"])
    page.mouse.down()
    page.mouse.move(area["x"] + 0.6 * area["width"], area["y"] + 0.8 * area["height"], steps=5)
    page.mouse.up()
    page.wait_for_function(f"() => ({VIEW})().x.join() !== '-0.020,1.020'")
    chosen = page.evaluate(VIEW)
    one.change(lambda: slider(page, "Sample size").press("ArrowLeft"))
    assert page.evaluate(VIEW) == chosen
    one.unfold("Quantifiers")
    one.change(lambda: page.get_by_role("button", name="PCC", exact=True).click())
    page.keyboard.press("Escape")
    assert page.evaluate(VIEW) == chosen
    one.change(lambda: page.get_by_role("radio", name="KLD", exact=True).click())
    assert page.evaluate(VIEW)["x"] == chosen["x"]
    assert page.evaluate("document.querySelector('.kept-plot').mine"), "the chart was built anew"


# What is seen of the charts: paths of the lines, names at their ends with their places.
SEEN = """() => [...document.querySelectorAll('.kept-plot')].map((plot) => [
  [...plot.querySelectorAll('.js-line')].map((path) => path.getAttribute('d')),
  [...plot.querySelectorAll('.annotation')].map((name) => [name.textContent, Math.round(name.getBoundingClientRect().y)])])"""
WIDTHS = """() => [...document.querySelectorAll('.kept-plot')].map((plot) =>
  [plot.clientWidth, plot.querySelector('.main-svg').clientWidth])"""


@pytest.mark.thorough
def test_lines_that_move_are_those_of_a_chart_drawn_anew_and_take_all_the_room(visit):
    one = visit(f"{ERROR}?size=11", height=900)
    one.change(lambda: slider(one.page, "Sample size").press("ArrowLeft"))
    one.settle()
    moved = one.page.evaluate(SEEN)
    before = one.page.evaluate(WIDTHS)
    one.page.get_by_test_id("stSidebarHeader").hover()
    one.page.get_by_test_id("stSidebarCollapseButton").click()
    one.page.wait_for_function(f"before => ({WIDTHS})()[0][1] > before", arg=before[0][1] + 50)
    one.settle()
    assert all(abs(room - drawn) <= 1 for room, drawn in one.page.evaluate(WIDTHS))
    assert moved == visit(f"{ERROR}?size=10", height=900).page.evaluate(SEEN)


def test_the_band_of_a_line_is_seen_where_one_points(visit):
    one = visit(ERROR)
    bands = """() => Object.fromEntries([...document.querySelectorAll('.kept-plot')[0].querySelectorAll('.scatterlayer .trace')]
      .map(e => [e.__data__[0].trace.name, Number(getComputedStyle(e).opacity)]))"""
    seen = one.page.evaluate(bands)
    assert {name: opacity for name, opacity in seen.items() if name.endswith(" band")} == {
        f"{method} band": 0 for method in ("CC", "AC", "PACC", "EMQ")
    }
    assert {opacity for name, opacity in seen.items() if not name.endswith(" band")} == {1}
    x, y = one.page.evaluate("""() => { const plot = document.querySelector('.kept-plot');
      const line = plot.data.find(trace => trace.name === 'CC'), box = plot.querySelector('.nsewdrag').getBoundingClientRect();
      return [box.left + plot._fullLayout.xaxis.d2p(line.x[18]), box.top + plot._fullLayout.yaxis.d2p(line.y[18])]; }""")
    one.page.mouse.move(x - 3, y + 3)
    one.page.mouse.move(x, y, steps=3)
    one.page.wait_for_function(f"() => {{ const seen = ({bands})(); return seen['CC band'] === 1 && seen.AC < 0.301; }}")
    seen = one.page.evaluate(bands)
    assert (seen["CC band"], seen["CC"], seen["AC band"]) == (1, 1, 0)
    assert seen["AC"] == pytest.approx(0.3)
    expect(one.page.locator(".hoverlayer .hovertext")).to_contain_text("CC at 90%: ")
    one.page.mouse.move(5, 5)
    one.page.wait_for_function(f"() => ({bands})()['CC band'] === 0")


def test_back_goes_by_pages_and_examples_to_the_view_that_was_left(visit):
    one = visit(ERROR)
    page, start = one.page, one.page.evaluate("history.length")
    for _ in range(3):
        one.change(lambda: slider(page, "Sample size").press("ArrowLeft"))
    sized = page.url
    assert sized.endswith("size=97")
    assert page.evaluate("history.length") == start, "a setting is no step"
    one.change(lambda: page.get_by_role("button", name="Weak classifier").click())
    weak, seen = page.url, one.data()
    page.get_by_role("link", name="Classifier", exact=True).click()
    page.wait_for_selector(".kept-plot[data-name=roc][data-drawn]")
    one.settle()
    assert page.evaluate("history.length") == start + 2
    page.go_back()
    page.wait_for_selector(".kept-plot[data-name=loss-by-prevalence][data-drawn]")
    assert one.settle().data() == seen
    assert page.url == weak
    one.change(page.go_back)
    assert page.url == sized
    expect(slider(page, "Sample size")).to_have_attribute("aria-valuetext", "97")


@pytest.mark.thorough
def test_answers_that_come_after_the_next_back_write_into_no_other_entry_of_the_history(visit):
    one = visit(f"{ERROR}?size=70")
    page, entries = one.page, "navigation.entries().map(({ url }) => url)"
    for name, chart in (("Classifier", "roc"), ("Corrections", "scores"), ("Test size", "winners")):
        page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
        page.wait_for_selector(f".kept-plot[data-name={chart}][data-drawn]")
        one.settle()
    left, at = page.evaluate(entries), page.evaluate("navigation.currentEntry.index")
    with one.answered_late():
        for number in range(1, 4):
            page.evaluate("() => { window.n = window.late.length; history.back(); }")
            page.wait_for_function(
                "index => navigation.currentEntry.index === index && window.late.length > window.n", arg=at - number
            )
    page.wait_for_selector(".kept-plot[data-name=loss-by-prevalence][data-drawn]")
    one.settle()
    assert page.evaluate("navigation.currentEntry.index") == at - 3
    assert page.evaluate(entries) == left
    expect(slider(page, "Sample size")).to_have_attribute("aria-valuetext", "70")


@pytest.mark.thorough
def test_panels_come_and_go_and_keep_their_frame(visit):
    one = visit(f"{ERROR}?q_counting=CC&q_counting=PCC&q_thresholds=T50&q_thresholds=MS&q_matching=DyS-PS")
    page = one.page
    frames = """() => [...document.querySelectorAll('.kept-plot')].map(plot =>
      [plot.querySelectorAll('.cartesianlayer > .subplot').length,
       plot.layout.yaxis.range.map(v => v.toFixed(2)).join(" to ")])"""
    one.unfold("Quantifiers")
    fixed = ["0.00 to 0.25", "-0.02 to 1.02"]
    for method, panels in (("HDy", 5), ("BL", 6), ("BL", 5), ("HDy", 1), ("HDy", 5)):
        one.change(lambda method=method: page.get_by_role("button", name=method, exact=True).click())
        assert page.evaluate(frames) == [[panels, frame] for frame in fixed]
    page.keyboard.press("Escape")
    page.locator(".kept-plot").first.locator(".nsewdrag").nth(2).dblclick()
    page.wait_for_timeout(800)
    assert page.evaluate(frames) == [[5, frame] for frame in fixed]
    one.unfold("21 prevalences")
    one.change(lambda: page.get_by_text("Fit the axes to the data shown", exact=True).click())
    page.keyboard.press("Escape")
    top = float(page.evaluate(frames)[0][1].split(" to ")[1])
    assert 0.25 < top < 0.8, "as high as the data"
    one.change(lambda: page.get_by_role("button", name="Textbook case").click())
    assert [panels for panels, _ in page.evaluate(frames)] == [1, 1], "the example's quantifiers, on axes that still fit"
    one.change(lambda: page.get_by_role("button", name="Reset", exact=True).click())
    assert page.evaluate(frames) == [[1, frame] for frame in fixed]


def test_copied_link_spells_everything_and_opens_the_same(visit):
    one = visit(f"{ERROR}?data=balance&size=12&classifier=Gaussian+naive+Bayes")
    one.unfold("Share").page.get_by_role("button", name="Copy link").click()
    expect(one.page.get_by_role("button", name="Link copied")).to_be_visible()
    link = one.page.evaluate("navigator.clipboard.readText()")
    version = f"v={LINK_VERSION}"
    for part in (version, "seed=0", "q_counting=CC", "q_likelihood=EMQ", "loss=AE", "free=false", "data=balance", "size=12"):
        assert part in link
    assert visit(link).data() == one.data()


@pytest.mark.thorough
def test_settings_stay_from_page_to_page(visit):
    one = visit(ERROR)
    one.change(lambda: one.page.get_by_role("button", name="Weak classifier").click())
    weak = one.data()
    one.page.get_by_role("link", name="Quantification Lab").click()
    expect(one.page.get_by_role("heading", name="Go on")).to_be_visible()
    one.settle()
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Error by prevalence").click()
    expect(one.page.get_by_role("heading", name="Error by prevalence")).to_be_visible()
    one.page.wait_for_selector("[data-name=loss-by-prevalence][data-drawn]")
    assert one.settle().data() == weak
    assert "data=tictactoe" in one.page.url


@pytest.mark.thorough
def test_a_chart_that_was_drawn_before_begins_with_the_margins_that_it_took(visit):
    """With other margins Plotly would draw it twice."""
    taken = """() => Object.fromEntries([...document.querySelectorAll('[data-drawn]')].map((plot) =>
      [plot.dataset.name, ["l", "r", "t", "b"].map((side) => [plot._fullLayout.margin, plot._fullLayout._size]
        .map((margin) => Math.ceil(margin[side])))]))"""
    own = "[...document.querySelectorAll('[data-drawn]')].map(({ dataset, layout }) => [dataset.name, layout.margin])"
    one = visit("/corrections")
    first, asked = one.page.evaluate(taken), one.page.evaluate(own)
    assert any(begun < size for sides in first.values() for begun, size in sides), "none takes more than it asked for"
    for page, chart in (("Test size", "winners"), ("Corrections", "rates")):
        one.page.get_by_test_id("stSidebar").get_by_role("link", name=page, exact=True).click()
        one.page.wait_for_selector(f"[data-name={chart}][data-drawn]")
        one.settle()
    again = one.page.evaluate(taken)
    assert again == {name: [[size, size] for _, size in sides] for name, sides in first.items()}
    assert one.page.evaluate(own) == asked, "with another width or other data it may take less"


@pytest.mark.thorough
def test_a_card_opens_its_preset(visit):
    one = visit(HOME)
    one.page.get_by_role("button", name="Rare positives").click()
    expect(one.page.get_by_text("No training instance scores 0.5")).to_be_visible()
    one.page.wait_for_selector("[data-name=loss-by-prevalence][data-drawn]")
    spelt = "data=tictactoe&classifier=k+nearest+neighbours&prior=0.10&free=true"
    more = "q_thresholds=T50&q_thresholds=MS&q_matching=DyS-PS"
    assert one.settle().data() == visit(f"{ERROR}?{spelt}&{more}").data()
    assert "data=tictactoe" in one.page.url


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("path", "name"),
    [("error-by-prevalence", "Tiny training set"), ("classifier", "The nuclear plant"), ("estimate", "A screening test")],
)
def test_the_address_holds_all_of_an_example(visit, path, name):
    """An empty choice, settings of a section that the example opens, and settings of a way that it chooses."""
    example = next(one for one in PAGES.of_path(path).presets if one.name == name)
    one = visit(f"/{path}")
    one.change(lambda: one.page.locator(".st-key-presets").get_by_role("button", name=name).click())
    words = parse_qs(urlsplit(one.page.url).query, keep_blank_values=True)
    changed = without_defaults(url_words(example.settings))
    assert {key: SETTINGS[key].parse(word) for key, word in words.items()} == {key: example.settings[key] for key in changed}


@pytest.mark.thorough
def test_a_chart_that_has_no_room_for_a_moment_is_drawn_when_it_has(visit):
    """As when the page around it changes: 64 px wide, it would hide all numbers and complain in the console."""
    one = visit(ERROR)
    width = "document.querySelector('.stMainBlockContainer').style.width = '{}'"
    plot, stamp = one.page.locator(".kept-plot").first, one.page.locator(".kept-plot").first.get_attribute("data-drawn")
    one.page.evaluate(width.format("150px"))
    expect(one.page.locator(".kept-chart").first).to_have_css("width", "86px")
    slider(one.page, "Sample size").press("ArrowRight")
    one.page.wait_for_function("() => document.querySelector('.kept-plot').dataset.made.endsWith('samples of 101')")
    one.page.wait_for_timeout(300)
    expect(plot).to_have_attribute("data-drawn", str(stamp))
    one.page.evaluate(width.format("1000px"))
    expect(plot).not_to_have_attribute("data-drawn", str(stamp))
    assert one.page.evaluate("300 < document.querySelector('.kept-plot')._fullLayout.width")


@pytest.mark.thorough
def test_a_chart_follows_the_width_of_its_page_whatever_it_was(visit):
    """Also past the width of a narrow layout, which not every chart has: such a chart was left wider than its page."""
    one = visit("/classifier")
    for width in (1000, 700, 660, 500, 680, 1000, 660):
        one.page.evaluate(f"document.querySelector('.stMainBlockContainer').style.width = '{width}px'")
        one.page.wait_for_function(f"() => ({WIDTHS})().every(([room, drawn]) => Math.abs(room - drawn) <= 1)")


@pytest.mark.thorough
def test_another_data_set_shows_its_own_class(visit):
    one = visit(f"{ERROR}?size=20")
    for data, positive in (("wine", "2"), ("wdbc", "malignant")):
        one.page.get_by_role("combobox", name="Data set").click()
        one.change(lambda name=data: one.page.get_by_role("option", name=name, exact=True).click())
        expect(one.page.get_by_role("combobox", name="Positive class")).to_have_value(positive)


@pytest.mark.thorough
def test_the_view_survives_a_slow_first_training(visit):
    one = visit(f"{ERROR}?seed=4711&share=0.2")  # nobody has asked for these scores before
    one.page.evaluate("document.querySelectorAll('.kept-plot').forEach(plot => { plot.mine = true })")
    one.change(lambda: slider(one.page, "Sample size").press("ArrowLeft"))
    one.page.get_by_role("combobox", name="Classifier").click()
    one.change(lambda: one.page.get_by_role("option", name="random forest").click())
    one.change(lambda: slider(one.page, "Sample size").press("ArrowLeft"))
    assert one.page.evaluate("[...document.querySelectorAll('.kept-plot')].map(plot => plot.mine)") == [True, True]


def test_a_key_held_on_a_slider_loses_nothing(visit):
    one = visit(ERROR)
    size = slider(one.page, "Sample size")
    size.focus()

    def hold():
        for _ in range(10):
            one.page.keyboard.press("ArrowRight")
            one.page.wait_for_timeout(30)

    one.change(hold)
    one.settle()
    expect(size).to_have_attribute("aria-valuetext", "110")
    expect(one.unfold("21 prevalences").page.get_by_role("spinbutton", name="Sample size")).to_have_value("110")
    assert "size=110" in one.page.url


@pytest.mark.thorough
def test_back_leaves_a_copied_link_at_once(visit):
    one = visit(HOME)
    one.page.goto(f"{one.address}{ERROR}?v={LINK_VERSION}&data=waveform&positive=0&seed=0&loss=KLD&q_counting=CC&free=false")
    one.page.wait_for_selector("[data-drawn]")
    one.settle()
    assert one.page.url.endswith(f"{ERROR}?loss=KLD")
    one.page.go_back()
    expect(one.page.get_by_role("heading", name="Go on")).to_be_visible()


def test_an_address_below_a_page_is_not_there(address):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(urllib.request.Request(f"{address}{ERROR}/foo", headers={"Accept": "text/html"}))


def test_the_picture_downloads_as_png_and_svg_and_goes_nowhere_else(visit):
    one = visit(ERROR)
    titles = one.page.locator(".modebar-btn").evaluate_all("buttons => buttons.map(b => b.dataset.title)")
    assert {"Save as PNG", "Save as SVG"} <= set(titles)
    assert not [title for title in titles if "hare" in title or "loud" in title]
    one.page.locator(".kept-plot").first.hover()
    for title, start in (("Save as PNG", b"\x89PNG"), ("Save as SVG", b"<svg")):
        with one.page.expect_download() as waiting:
            one.page.locator(f".kept-plot >> nth=0 >> [data-title='{title}']").click()
        assert waiting.value.path().read_bytes().startswith(start)
        assert waiting.value.suggested_filename.startswith("loss-by-prevalence-waveform-logistic-regression-samples-of-100.")
    plot = one.page.locator(".kept-plot").first
    plot.hover()
    plot.locator("[data-title='Copy the picture']").click()
    one.page.wait_for_function("() => Number(document.querySelector('.kept-plot').dataset.copied) > 10000")
    types = "async () => (await navigator.clipboard.read())[0].types"
    assert one.page.evaluate(types) == ["image/png"]


@pytest.mark.thorough
def test_page_down_scrolls_at_once_and_lines_are_short(visit):
    one = visit(ERROR, height=600)
    one.page.keyboard.press("PageDown")
    one.page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 100")
    widths = """() => Math.max(...[...document.querySelectorAll('[data-testid=stMain] [data-testid=stMarkdownContainer] p')]
      .filter((p) => !p.closest('[class*=st-key-headline]'))
      .map((p) => p.getBoundingClientRect().width / parseFloat(getComputedStyle(p).fontSize)))"""
    assert one.page.evaluate(widths) < 40, "75 characters of half an em"


@pytest.mark.thorough
def test_the_names_of_the_sections_are_in_view_from_the_start(visit):
    one = visit("/corrections?data=iris&classifier=Gaussian+naive+Bayes", width=1280, height=720)
    bar, names = one.page.locator(".section-bar"), one.page.get_by_role("tab").all_inner_texts()
    expect(bar).to_be_visible()
    assert bar.get_by_role("button").all_inner_texts() == names
    assert bar.bounding_box()["y"] + bar.bounding_box()["height"] <= 720
    bar.get_by_role("button", name="When it breaks").click()
    expect(one.page.get_by_role("tab", name="When it breaks")).to_have_attribute("aria-selected", "true")
    top = "document.querySelector('[role=tablist]').getBoundingClientRect().top"
    one.page.wait_for_function(f"() => {top} < 60")
    expect(bar).to_be_hidden()
    one.settle()
    one.page.mouse.move(800, 500)
    one.page.mouse.wheel(0, 400)
    one.page.wait_for_timeout(500)
    assert 20 < one.page.evaluate(top) < 60, "they stay below the header"
    behind = one.page.evaluate("getComputedStyle(document.querySelector('[role=tablist]')).backgroundColor")
    assert behind == "rgb(255, 255, 255)", "what is scrolled does not show through"


def test_a_printed_page_has_its_charts_below_each_other_its_settings_and_no_controls(visit):
    one = visit("/corrections?data=iris", width=1920, height=1080)
    sizes = "[...document.querySelectorAll('.kept-plot')].map(({ _fullLayout: { width, height } }) => [width, height])"
    before = one.page.evaluate(sizes)
    assert min(width for width, _ in before) > 700
    one.page.evaluate(
        """addEventListener("beforeprint", () => {
      window.seenOnPaper = SIZES; })""".replace("SIZES", sizes)
    )
    one.page.pdf(format="A4")
    one.page.wait_for_function("() => window.seenOnPaper")
    seen = one.page.evaluate("window.seenOnPaper")
    assert len(seen) == len(before)
    assert {width for width, _ in seen} == {680}
    assert sorted(height for _, height in seen)[3] <= 320, "two and more on a page"
    one.page.wait_for_function(f"before => JSON.stringify({sizes}) === JSON.stringify(before)", arg=before)
    one.page.emulate_media(media="print")
    sheet = one.page.locator(".st-key-sheet")
    expect(sheet).to_contain_text("Data set: iris")
    expect(sheet).to_contain_text("/corrections?data=iris")
    shown = "[...document.querySelectorAll('button, input, [role=slider], [role=combobox]')].filter((e) => e.checkVisibility())"
    assert one.page.evaluate(f"{shown}.map((e) => e.outerHTML.slice(0, 80))") == []
    tops = one.page.evaluate("[...document.querySelectorAll('.kept-plot')].map((p) => p.getBoundingClientRect().top)")
    assert len(set(tops)) == len(tops), "one below the other"


@pytest.mark.thorough
def test_a_chart_grows_with_the_window_and_fills_the_screen(visit):
    one = visit(ERROR, width=1400, height=900)
    height = "() => document.querySelector('.kept-plot')._fullLayout.height"
    title = "() => Math.min(...[...document.querySelectorAll('.kept-plot')].map((plot) => plot._fullLayout.title.font.size))"
    others = """() => Math.max(...[...document.querySelectorAll('.kept-plot')].flatMap(({ _fullLayout: layout }) =>
      [layout.legend?.font.size ?? 13, layout.xaxis.title.font.size, layout.yaxis.title.font.size]))"""
    assert one.page.evaluate(title) > one.page.evaluate(others) == 13, "the title is the largest text"
    laptop = one.page.evaluate(height)
    one.page.set_viewport_size({"width": 1920, "height": 1080})
    one.page.wait_for_function(f"laptop => ({height})() === Math.round(1.2 * laptop)", arg=laptop)
    tops = "() => [...document.querySelectorAll('[class*=st-key-bar], .kept-plot')].map((e) => e.getBoundingClientRect())"
    boxes = one.page.evaluate(f"() => ({tops})().map(({{ top, bottom }}) => [top, bottom])")
    assert max(bottom for _, bottom in boxes[:2]) <= boxes[-1][0], "nothing lies over the controls below the charts"
    plot = one.page.locator(".kept-plot").first
    plot.hover()
    plot.locator("[data-title='Fill the screen']").click()
    one.page.wait_for_function(f"() => ({height})() === innerHeight")
    assert one.page.evaluate("document.querySelector('.kept-plot')._fullLayout.font.size") > 20, "for the last row"
    one.page.keyboard.press("Escape")
    one.page.evaluate("document.fullscreenElement && document.exitFullscreen()")
    one.page.wait_for_function(f"laptop => ({height})() === Math.round(1.2 * laptop)", arg=laptop)


def test_home_answers_to_its_slider(visit):
    one = visit(HOME)
    tiles = "document.querySelector('.digit-tiles').dataset.shown"
    assert one.page.evaluate(tiles).startswith("10 ")
    one.change(lambda: slider(one.page, "True share of 8s today").press("ArrowRight"))
    expect(one.page.get_by_text("In truth 11% are 8s.")).to_be_visible()
    assert one.page.evaluate(tiles).startswith("11 ")
    one.page.wait_for_function("() => location.search.includes('today=0.11')")


@pytest.mark.thorough
def test_a_card_is_a_link_as_a_whole(visit):
    one = visit(HOME)
    one.page.get_by_text("An estimate from your own files, its interval").click(force=True)
    expect(one.page.get_by_role("heading", name="Estimate", exact=True)).to_be_visible()
    one.page.go_back()
    one.page.get_by_text("Counting is right at the training share").click(force=True)
    expect(one.page.get_by_role("heading", name="Error by prevalence")).to_be_visible()


@pytest.mark.thorough
def test_on_a_phone_homes_slider_stays_below_its_picture(visit):
    one = visit(HOME, width=390, height=844)
    expect(one.page.get_by_text("How many are there today?")).to_be_in_viewport()
    box = slider(one.page, "True share of 8s today").bounding_box()
    assert box["y"] + box["height"] <= 844
    assert one.page.locator(".kept-plot").first.bounding_box()["y"] + 400 < box["y"]


def test_tables_download_as_csv(visit):
    one = visit(f"{ERROR}?repeats=5")
    n_methods = len(SHOWN_FIRST)
    for button, n_lines in (("Table as CSV", 1 + n_methods), ("All estimates as CSV", 1 + n_methods * 21 * 5)):
        with one.page.expect_download() as waiting:
            one.page.get_by_role("button", name=button).click()
        text = waiting.value.path().read_text()
        lines = text.splitlines()
        assert len(lines) == n_lines
        assert lines[0].startswith("method,")


def test_nonsense_in_a_link_is_said_and_the_rest_is_used(visit):
    one = visit(f"{ERROR}?size=lots&seed=inf&loss=KLD&data=tictactoe&grid=1&q_counting=XX", height=1600)
    expect(one.page.get_by_text("The link's sample size")).to_be_visible()
    expect(one.page.get_by_text("The link's seed")).to_be_visible()
    expect(one.page.get_by_role("combobox", name="Data set")).to_have_value("tictactoe")
    assert "size=" not in one.page.url


def test_security_headers(address):
    with urllib.request.urlopen(address) as answer:
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "base-uri 'self'; form-action 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{address}/_stcore/metrics")


@pytest.mark.thorough
def test_a_case_of_home_opens_at_the_top_of_its_page(visit):
    one = visit("/", height=720)
    card = one.page.get_by_role("button", name="Tiny training set")
    card.scroll_into_view_if_needed()
    card.click()
    one.page.wait_for_selector(".kept-plot[data-name=loss-by-prevalence][data-drawn]")
    assert one.settle().page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


@pytest.mark.thorough
def test_the_address_keeps_what_a_link_said_from_page_to_page_and_a_class_that_stays(visit):
    one = visit("/classifier?data=digits&positive=5&classifier=linear+SVM")
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Test size").click()
    expect(one.page.get_by_role("heading", name="Test size", exact=True)).to_be_visible()
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Corrections").click()
    one.page.wait_for_selector("[data-name=rates][data-drawn]")
    one.page.wait_for_function("() => location.search.includes('data=digits') && location.search.includes('positive=5')")
    assert "classifier=linear+SVM" in one.settle().page.url
    # The class that was chosen is the default of the next data set, and then is no more.
    other = visit("/classifier?data=digits&positive=0")
    for data, positive in (("waveform", ""), ("digits", "positive=0")):
        other.page.get_by_role("combobox", name="Data set").click()
        other.change(lambda data=data: other.page.get_by_role("option", name=data, exact=True).click())
        expect(other.page.get_by_role("combobox", name="Positive class")).to_have_value("0")
        other.page.wait_for_function("text => location.search.includes(text)", arg=positive)
    # What nobody chose does not stay: waveform's class 0 is the default there, that of digits is another.
    default = visit("/classifier")
    default.page.get_by_role("combobox", name="Data set").click()
    default.change(lambda: default.page.get_by_role("option", name="digits", exact=True).click())
    expect(default.page.get_by_role("combobox", name="Positive class")).to_have_value("8")


@pytest.mark.thorough
def test_the_open_menu_is_not_printed(visit):
    one = visit(ERROR).unfold("Share")
    menu = one.page.get_by_test_id("stPopoverBody")
    expect(menu).to_be_visible()
    one.page.emulate_media(media="print")
    expect(menu).to_be_hidden()
