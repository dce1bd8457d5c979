"""A lesson in a real browser: the strip covers nothing, what is asked for is hidden, curves are drawn, progress is kept."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_every_page import assert_accessible

pytestmark = pytest.mark.browser

# The page above or beside the strip, and the strip: they must not overlap.
BOXES = """() => ['[data-testid=stMain]', '[data-testid=stLayoutWrapper]:has(> .st-key-lesson)']
  .map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON())"""
PADDING = "() => parseFloat(getComputedStyle(document.querySelector('[data-testid=stMain]')).paddingRight)"
SEEN = """(selector) => [...document.querySelectorAll(selector)]
  .some((one) => one.checkVisibility({ visibilityProperty: true }))"""
# Keeps what the server sends from a page for `window.late` milliseconds.
LATE = """
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  addEventListener(kind, hear, ...more) {
    const later = (event) => setTimeout(() => hear(event), window.late ?? 0);
    super.addEventListener(kind, kind === "message" ? later : hear, ...more);
  }
};
"""
PLACES = """() => ['scores', 'rates', 'correction', 'cost']
  .map((name) => document.querySelector(`.kept-plot[data-name=${name}]`).getBoundingClientRect().bottom)"""


def button(one, name):
    return one.page.get_by_role("button", name=name, exact=True)


def address_has(one, pattern):
    """Wait until the address matches: much of it is set without a navigation."""
    one.page.wait_for_function("pattern => new RegExp(pattern).test(location.href)", arg=pattern)


def reply(one):
    return one.page.locator(".st-key-lesson-reply")


def beside(one):
    """Nothing of the page lies below the strip."""
    main, strip = one.page.evaluate(BOXES)
    padding = one.page.evaluate(PADDING)
    return strip["top"] >= main["bottom"] - 1 or strip["left"] >= main["right"] - padding - 1


@pytest.mark.thorough
def test_the_strip_covers_nothing(visit):
    one = visit("/corrections?lesson=threshold&step=3", width=1400, height=900)
    expect(one.page.get_by_text("Which threshold?")).to_be_visible()
    one.page.wait_for_function("() => document.documentElement.style.getPropertyValue('--lesson-height')")
    for width, height in ((1400, 900), (1920, 1080), (1280, 720), (390, 844)):
        one.page.set_viewport_size({"width": width, "height": height})
        one.settle()
        assert beside(one), width
        main, unfolded = one.page.evaluate(BOXES)
        if height >= 900 and width > 1000:
            assert max(one.page.evaluate(PLACES)) <= main["bottom"] + 1, "the picture is whole above the strip"
        button(one, "Hide the text").click()
        one.page.wait_for_timeout(300)
        folded = one.page.evaluate(BOXES)[1]
        assert folded["bottom"] - folded["top"] < unfolded["bottom"] - unfolded["top"] or width >= 1600
        assert beside(one), width
        assert not button(one, "Check").is_visible()
        button(one, "Show the text").click()


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 720)])
def test_a_curve_can_be_typed_in_a_low_window_without_scrolling(visit, width, height):
    one = visit("/learn?lesson=counting&step=3&language=es", width=width, height=height, hidden=True)
    expect(button(one, "Esta es mi curva")).to_be_in_viewport(ratio=1)
    for place in ("0%", "50%", "100%"):
        expect(one.page.get_by_label(f"en {place}", exact=True)).to_be_in_viewport(ratio=1)
    assert one.page.locator(".drawing svg").bounding_box()["height"] >= 150


LABELS_APART = """() => {
  const all = [...document.querySelectorAll('[data-name=intervals] .ytick text')].map((text) => text.getBoundingClientRect());
  const apart = (one, other) => other.top >= one.bottom - 1 || other.bottom <= one.top + 1;
  return all.length && all.every((one, i) => all.slice(i + 1).every((other) => apart(one, other))); }"""


@pytest.mark.thorough
def test_what_a_step_needs_is_in_sight_in_a_low_window_and_on_a_phone(visit):
    one = visit("/learn?lesson=judge&step=2", width=1366, height=768)
    one.page.wait_for_function(LABELS_APART)
    for path, size, sought in (
        ("judge&step=6", (1366, 768), ".st-key-later_share"),
        ("small-samples&step=4", (390, 844), ".st-key-at_size"),
        ("small-samples&step=2", (390, 844), ".drawing-buttons"),
    ):
        one = visit(f"/learn?lesson={path}", width=size[0], height=size[1], hidden=True)
        # In sight above the strip or in it, with nothing over it.
        one.page.wait_for_function(
            """(sought) => { const box = document.querySelector(sought)?.getBoundingClientRect();
            const over = box && document.elementFromPoint(box.left + box.width / 4, box.bottom - 5);
            return over?.closest(sought) && box.bottom <= innerHeight; }""",
            arg=sought,
        )
    title, leave = (one.page.locator(part).first.bounding_box() for part in (".st-key-lesson-head p", ".st-key-lesson-leave"))
    assert title["y"] < leave["y"] + leave["height"] / 2 < title["y"] + title["height"]


def test_what_is_asked_for_is_hidden_until_it_is_answered(visit):
    one = visit("/learn?lesson=counting&step=1", height=900, hidden=True)
    for place in (".st-key-headline p", ".st-key-hero .kept-plot", ".st-key-hero canvas", ".st-key-notes p"):
        assert not one.page.evaluate(SEEN, place), place
    assert one.page.get_by_role("img", name="A hundred handwritten digits").count() == 0, "nor is it read aloud"
    one.page.get_by_text("About 10, because").click()
    button(one, "Check").click()
    expect(reply(one)).to_contain_text("Not yet.")
    assert not one.page.evaluate(SEEN, ".st-key-hero canvas")
    one.page.get_by_text("More than 10.").click()
    button(one, "Check").click()
    expect(reply(one)).to_contain_text("Right.")
    one.page.wait_for_function(f"() => ({SEEN})('.st-key-hero canvas') && ({SEEN})('.st-key-headline p')")
    assert not one.page.evaluate(SEEN, ".st-key-hero .kept-plot"), "step 3 asks for this curve"
    assert_accessible(one.page)


def test_a_value_is_found_by_dragging(visit):
    one = visit("/learn?lesson=counting&step=4", height=900)
    button(one, "Check").click()
    expect(reply(one)).to_contain_text("At 10%, counting says 16%")
    one.settle()  # the strip has grown: the page above it has less room
    bar = one.page.get_by_role("slider", name="True share of 8s today", exact=True)
    box = bar.bounding_box()
    one.page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + box["height"] / 2)
    one.page.mouse.down()
    one.page.mouse.move(box["x"] + 0.39 * box["width"], box["y"] + box["height"] / 2, steps=8)
    one.page.mouse.up()
    one.settle()
    button(one, "Check").click()
    expect(reply(one)).to_contain_text("missed 8s and false alarms cancel out")


def test_answers_outlive_a_reload_and_a_change_of_the_language_until_the_lesson_is_taken_again(people):
    one = people("/learn?lesson=counting&step=1", hidden=True)
    one.page.get_by_text("Fewer than 10.").click()
    button(one, "Check").click()
    expect(reply(one)).to_contain_text("Not yet.")
    one.settle().page.reload()  # the browser keeps the answer when the page is at rest
    expect(reply(one)).to_contain_text("Not yet. It would, if it only missed 8s.")
    expect(one.page.get_by_role("radio", name="Fewer than 10.")).to_be_checked()
    button(one, "Español").click()
    expect(reply(one)).to_contain_text("Todavía no. Sería así")
    address_has(one, "step=1.*language=es")
    button(one, "Siguiente →").click()
    one.settle().page.get_by_label("Tu número, en %").fill("9")
    one.page.keyboard.press("Tab")
    # What was typed runs the page, and a click before it is drawn would be lost.
    one.settle()
    button(one, "Comprobar").click()
    expect(reply(one)).to_contain_text("Correcto.")
    one.settle().page.reload()
    expect(reply(one)).to_contain_text("Correcto.")
    button(one, "English").click()
    expect(reply(one)).to_contain_text("Right.")
    address_has(one, "step=2.*language=en")
    one.open("/learn", hidden=True)
    one.page.get_by_role("button", name="Start: Counting goes wrong").click()
    expect(one.page.get_by_role("radio", name="Fewer than 10.")).not_to_be_checked()
    expect(reply(one)).to_have_count(0)


@pytest.mark.thorough
def test_a_moved_control_shows_the_way_back(visit):
    """A fragment alone is drawn when the threshold moves, not the strip."""
    one = visit("/corrections?lesson=correction&step=4", height=900)
    back = button(one, "Back to this step's view")
    expect(back).to_be_hidden()
    one.page.get_by_role("slider", name="Threshold", exact=True).press("ArrowRight")
    expect(back).to_be_visible()
    back.click()
    expect(back).to_be_hidden()
    assert "threshold" not in one.page.url


@pytest.mark.thorough
def test_a_phone_folds_what_has_been_read_when_it_is_answered(visit):
    one = visit("/learn?lesson=correction&step=1", width=390, height=844)
    text = one.page.get_by_text("Counting says", exact=False).first
    expect(text).to_be_visible()
    one.page.get_by_label("Your number, in %").fill("64,2")
    button(one, "Check").click()
    expect(reply(one)).to_contain_text("Right.")
    expect(text).to_be_hidden()
    button(one, "Show the text").click()
    expect(text).to_be_visible()


@pytest.mark.thorough
def test_a_phone_begins_at_the_chart_that_is_asked_about(visit):
    one = visit("/learn?lesson=threshold&step=3", width=390, height=844)
    one.page.wait_for_selector(".kept-plot[data-name=cost][data-drawn]")
    seen = """() => {
      const box = document.querySelector(".kept-plot[data-name=cost]").getBoundingClientRect();
      const main = document.querySelector("[data-testid=stMain]").getBoundingClientRect();
      const bar = document.querySelector(".st-key-threshold-bar").getBoundingClientRect();
      return box.bottom <= main.bottom + 20 && box.bottom > main.top + 150 && bar.top >= 0 && bar.bottom <= main.bottom; }"""
    one.page.wait_for_function(seen)
    # A window that is wide but low, too.
    one.page.set_viewport_size({"width": 1024, "height": 768})
    one.open("/learn?lesson=threshold&step=3").page.wait_for_function(seen)


def test_a_curve_is_drawn_and_the_real_one_appears(visit):
    one = visit("/learn?lesson=counting&step=3", height=1000, hidden=True)
    done = button(one, "That is my curve")
    expect(done).to_be_disabled()
    assert_accessible(one.page)
    area = one.page.locator(".drawing svg").bounding_box()

    def at(x, y):
        return area["x"] + area["width"] * (0.12 + 0.83 * x), area["y"] + area["height"] * (0.05 + 0.73 * (1 - y))

    one.page.mouse.move(*at(0.0, 0.5))
    one.page.mouse.down()
    one.page.mouse.move(*at(0.3, 0.5))
    one.page.mouse.up()
    expect(one.page.locator(".drawing > p").first).to_have_text("Draw over most of the axis, from left to right.")
    right_end = one.page.locator(".drawing .mine").evaluate("path => path.getBBox().x + path.getBBox().width")
    assert right_end < 0.5 * area["width"], "what was not drawn is not shown"
    expect(done).to_be_disabled()
    one.page.mouse.move(*at(0.0, 0.1))
    one.page.mouse.down()
    for step in range(1, 11):
        one.page.mouse.move(*at(step / 10, 0.1 + 0.076 * step))
    one.page.mouse.up()
    expect(done).to_be_enabled()
    done.click()
    expect(reply(one)).to_contain_text("That is it")
    expect(one.page.locator(".drawing .real")).to_be_attached()
    expect(one.page.locator(".drawing > p").first).to_have_text("— your curve; - - what the page computes")
    one.page.wait_for_function(f"() => ({SEEN})('.st-key-hero .kept-plot')")
    expect(button(one, "Copy the link to this step")).to_be_visible()
    one.page.emulate_media(media="print")
    # Printed, the strip has no end below which its text is cut off.
    expect(one.page.locator("[data-testid=stLayoutWrapper]:has(> .st-key-lesson)")).to_have_css("max-height", "none")


@pytest.mark.thorough
def test_a_browser_remembers_the_language_that_was_chosen(people):
    one = people("/learn", hidden=True)
    spanish = one.page.get_by_role("radio", name="Español")
    spanish.click()
    expect(one.page.get_by_role("heading", name="Glosario")).to_be_attached()
    one.page.wait_for_function("() => document.cookie.includes('quantification-lab-language=es')")
    one.open("/learn", hidden=True)
    expect(one.page.get_by_role("heading", name="Glosario")).to_be_attached()
    expect(spanish).to_be_checked()
    button(one, "Empezar: Cuando contar falla").click()
    expect(one.page.get_by_text("Paso 1 de 7")).to_be_visible()
    one.page.go_back()
    expect(spanish).to_be_checked()
    one.open("/learn?lesson=counting&step=1&language=en", hidden=True)
    expect(one.page.get_by_text("Step 1 of 7")).to_be_visible()
    one.open("/learn?language=en", hidden=True)
    address_has(one, "language=English")
    one.page.reload()
    expect(one.page.get_by_role("heading", name="Glossary")).to_be_attached()


@pytest.mark.thorough
def test_a_curve_that_nobody_has_drawn_is_shown(visit):
    one = visit("/learn?lesson=small-samples&step=2", height=1000, hidden=True)
    button(one, "Show me").click()
    expect(one.page.locator(".drawing .real")).to_be_attached()
    expect(one.page.locator(".drawing > p").first).to_have_text("- - what the page computes")
    expect(reply(one)).to_have_text("Shown. The dashed curve is what the page computes.")
    said = one.page.locator(".drawing svg").get_attribute("aria-label")
    assert said.startswith("what the page computes: at 10 0.")


@pytest.mark.thorough
def test_a_curve_can_be_typed(visit):
    one = visit("/learn?lesson=counting&step=3", height=1000, hidden=True)
    for place, value in zip(("0%", "25%", "50%", "75%", "100%"), (5, 5, 10, 10, 10), strict=True):
        one.page.get_by_label(f"at {place}", exact=True).fill(str(value))
    middle, hint = one.page.get_by_label("at 50%", exact=True), one.page.locator(".drawing > p").first
    middle.fill("abc")
    expect(hint).to_contain_text("The box wants percent")
    expect(button(one, "That is my curve")).to_be_disabled()
    middle.fill("")
    expect(hint).to_contain_text("type five values")
    middle.fill("10")
    button(one, "That is my curve").press("Enter")
    expect(reply(one)).to_contain_text("Too low, by")


@pytest.mark.thorough
def test_a_finger_draws(visit):
    one = visit("/learn?lesson=counting&step=3", width=390, height=844, hidden=True)
    area = one.page.locator(".drawing svg")
    area.scroll_into_view_if_needed()
    assert area.evaluate("area => getComputedStyle(area).touchAction") == "none", "a finger draws and does not scroll"
    size = area.locator("text").first.evaluate("text => text.getBoundingClientRect().height")
    assert size >= 12, "its words are as large as elsewhere"


@pytest.mark.thorough
def test_steps_are_steps_of_the_history_and_of_the_address(visit):
    one = visit("/learn?lesson=counting&step=4", height=900)
    button(one, "Next →").click()
    address_has(one, "/corrections.*step=5")
    one.settle()
    button(one, "Next →").click()
    address_has(one, "/error-by-prevalence.*step=6")
    one.settle()
    for step, path in ((5, "/corrections"), (4, "/[?]")):
        one.page.go_back()
        address_has(one, f"{path}.*step={step}")
        expect(one.page.get_by_text(f"Step {step} of 7")).to_be_visible()
        one.settle()
    one.page.go_forward()
    address_has(one, "/corrections.*step=5")
    expect(one.page.get_by_text("Step 5 of 7")).to_be_visible()
    again = visit(one.page.url)
    expect(again.page.get_by_text("Step 5 of 7")).to_be_visible()


@pytest.mark.thorough
def test_steps_of_one_page_are_steps_of_the_history(visit):
    one = visit("/learn?lesson=counting&step=1", height=900, hidden=True)
    button(one, "Next →").click()
    address_has(one, "step=2")
    one.settle()
    one.page.go_back()
    address_has(one, "step=1")
    expect(one.page.get_by_text("Step 1 of 7")).to_be_visible()


def test_progress_is_kept_in_the_browser_and_can_be_forgotten(visit):
    one = visit("/learn", height=900)
    button(one, "Start: Counting goes wrong").click()
    expect(one.page.get_by_text("Step 1 of 7")).to_be_visible()
    button(one, "Show me").press("Enter")
    expect(reply(one)).to_contain_text("Shown.")
    expect(button(one, "Next →")).to_be_focused()
    one.page.wait_for_function("() => (localStorage.getItem('quantification-lab-lessons') ?? '').includes('counting')")
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Learn").click()
    card = one.page.locator("[data-lesson=counting]")
    expect(card).to_contain_text("1 of 7 steps")
    expect(card.get_by_role("button", name="Go on at step 2")).to_be_visible()
    button(one, "Forget my progress").click()
    expect(card).to_contain_text("0 of 7 steps")
    assert one.page.evaluate("localStorage.getItem('quantification-lab-lessons')") is None


@pytest.mark.thorough
def test_a_step_leads_to_its_section(visit):
    one = visit("/learn?lesson=dataset-shift&step=3", height=900)
    expect(one.page.get_by_role("tab", name="When it breaks")).to_be_in_viewport()
    expect(one.page.get_by_text("Strength (0: no shift)").first).to_be_in_viewport()


def test_a_term_of_the_glossary_is_found_and_shown(visit):
    one = visit("/learn?language=es", height=1400)
    one.page.get_by_role("searchbox", name="Buscar un término").fill("umbral")
    rows = one.page.locator(".glossary dl > div")
    expect(rows.filter(has_text="Umbral").first).to_be_visible()
    one.page.set_viewport_size({"width": 1400, "height": 900})
    one.page.get_by_role("searchbox", name="Buscar un término").fill("Instances a day")
    one.page.get_by_role("button", name="Verlo: Instances a day", exact=True).click()
    address_has(one, r"/corrections\?.*corrections_section=Over\+time")
    expect(one.page.get_by_text("Instances a day").first).to_be_in_viewport()


@pytest.mark.thorough
def test_a_card_begins_a_lesson_in_the_language_that_is_chosen(visit):
    one = visit("/learn", height=900)
    one.page.get_by_text("Español", exact=True).click()
    one.page.get_by_role("button", name="Empezar: Cuando contar falla").click()
    expect(one.page.get_by_text("Paso 1 de 7")).to_be_visible()
    address_has(one, "language=es")
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Learn").click()
    one.page.get_by_role("button", name="Empezar: Cuando contar falla").click()
    expect(one.page.get_by_text("Paso 1 de 7")).to_be_visible()


@pytest.mark.thorough
def test_damaged_progress_breaks_nothing(visit):
    one = visit("/learn", height=900)
    one.page.evaluate("""localStorage.setItem('quantification-lab-lessons', '{"counting": 5, "losses": [1, 99, "a", 1]}')""")
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Test size").click()
    expect(one.page.get_by_role("heading", name="Test size", exact=True)).to_be_visible()
    one.page.get_by_test_id("stSidebar").get_by_role("link", name="Learn").click()
    expect(one.page.locator("[data-lesson=losses]")).to_contain_text("1 of 8 steps")
    button(one, "Start: Counting goes wrong").click()
    button(one, "Show me").click()
    one.page.wait_for_function("() => localStorage.getItem('quantification-lab-lessons').includes('\"counting\":[1]')")
    button(one, "Hide the text").click()
    expect(button(one, "Show the text")).to_be_visible()


@pytest.mark.thorough
def test_a_script_that_a_server_refuses_for_a_moment_is_fetched_again(people):
    one, refused = people("/learn"), []

    def refuse(route):
        refused.append(route.request.url)
        route.abort("connectionrefused") if len(refused) < 5 else route.continue_()

    one.page.route("**/scripts/drawing-*", refuse)
    one.open("/learn?lesson=counting&step=3", hidden=True)
    expect(one.page.locator(".drawing svg")).to_be_visible()
    assert len(set(refused)) == 5
    expect(one.page.get_by_text("BidiComponent")).to_have_count(0)


@pytest.mark.thorough
def test_a_chart_library_that_a_server_refuses_for_a_moment_is_fetched_again(people):
    one, refused = people("/learn", hidden=True), []

    def refuse(route):
        refused.append(route.request.url)
        route.abort("connectionrefused") if len(refused) < 4 else route.continue_()

    one.page.route("**/vendor/*", refuse)
    one.open("/losses")
    expect(one.page.get_by_text("could not be loaded")).to_have_count(0)
    assert len(refused) == 4


@pytest.mark.thorough
def test_what_was_dragged_stays_although_one_goes_on_before_the_server_has_answered(people):
    """The box that holds the value in the address still has the former one then, and the browser sends it."""
    one = people("/learn", hidden=True)
    one.page.add_init_script(LATE)
    one.open("/learn?lesson=counting&step=4").page.evaluate("() => { window.late = 1500; }")
    bar = one.page.get_by_role("slider", name="True share of 8s today", exact=True)
    typed = one.page.get_by_role("textbox", name="True share of 8s today, typed")
    typed.fill("39")
    typed.press("Enter")
    one.page.wait_for_timeout(900)  # the server has been told, and has answered; the page has not heard it
    button(one, "Check").click()
    expect(reply(one)).to_contain_text("missed 8s and false alarms cancel out")
    expect(bar).to_have_attribute("aria-valuetext", "39%")
    address_has(one, "today=0.39")
