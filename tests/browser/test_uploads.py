"""One's own table in the real app: it goes to every page, stays in its session, and a link to it asks for the file."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PAGE, ERROR = "/data-sets", "/error-by-prevalence"
CSV = "id;points;code;answer\n" + "\n".join(
    f"{i};{i * 7 % 11},5;{i % 5};{'yes' if i * 13 % 17 + i % 5 > 9 else 'no'}" for i in range(300)
)


def file(text=CSV):
    return {"name": "my table.csv", "mimeType": "text/csv", "buffer": text.encode()}


def used(visit):
    one = visit(PAGE)
    one.page.locator("input[type=file]").set_input_files(file())
    one.page.get_by_text("The first rows of 300").wait_for()
    one.page.get_by_role("button", name="Use this table").click()
    expect(one.page.get_by_text("my table.csv: 300 rows, 2 features, 2 classes")).to_be_visible()
    expect(one.page.get_by_role("combobox", name="Positive class")).to_have_value("no")
    return one.settle()


def test_an_upload_goes_to_every_page_and_its_link_asks_another_session_for_the_file(visit):
    one = used(visit)
    one.page.get_by_role("link", name="Error by prevalence", exact=True).first.click()
    one.page.wait_for_selector(".kept-plot[data-name=loss-by-prevalence][data-drawn]")
    seen = one.settle().data()
    assert "data=upload" in one.page.url
    address = one.page.url.removeprefix(one.address)
    other = visit(PAGE)
    other.page.locator(".small-table tbody tr").first.wait_for()
    assert "upload:" not in other.page.content(), "another session does not list it"
    other.page.goto(other.address + address)
    expect(other.page.get_by_text("only the session that uploaded it can see")).to_be_visible()
    assert not other.page.locator(".kept-plot").count()
    other.page.locator("input[type=file]").set_input_files(file())
    other.page.wait_for_selector("[data-drawn]")
    assert other.settle().data() == seen


@pytest.mark.thorough
def test_its_features_download_its_view_has_a_qr_code_and_its_file_arrives(visit):
    one = used(visit)
    one.unfold("Share")
    one.page.get_by_text("QR code of this view").click()
    expect(one.page.locator("[data-testid=stPopoverBody] img")).to_be_visible()
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name="Features as CSV").click()
    assert "points,numeric" in waiting.value.path().read_text()
    one.page.keyboard.press("Escape")
    one.page.get_by_role("link", name="Estimate", exact=True).first.click()
    one.page.get_by_role("button", name="An example").first.click()
    one.page.wait_for_selector(".kept-plot[data-name=intervals][data-drawn]")
    one.settle().unfold("Share")
    with one.page.expect_download() as waiting:
        one.page.get_by_test_id("stPopoverBody").get_by_role("button", name="Interactive file").click()
    assert "my table.csv, 300 instances" in waiting.value.path().read_text()


def test_the_sentence_of_an_estimate_is_copied_and_its_file_is_saved_below_the_picture(visit):
    one = visit("/estimate?q_matching=DyS-TS&q_matching=DyS-PS&q_matching=HDy&q_matching=SORD")
    box = one.page.locator(".copied-text")
    box.get_by_role("button", name="Copy").click()
    expect(box.get_by_role("button", name="Copied")).to_be_visible()
    assert one.page.evaluate("navigator.clipboard.readText()") == box.locator("p").text_content()
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name="Interactive file").click()
    assert waiting.value.suggested_filename == "quantification-lab-estimate.html"


@pytest.mark.thorough
def test_another_labelled_file_takes_the_place_of_the_first(visit):
    one = visit("/estimate")
    one.page.get_by_role("button", name="Two files: labelled and to be counted").click()
    labelled, counted = one.page.locator("input[type=file]").first, one.page.locator("input[type=file]").last
    labelled.set_input_files(file())
    expect(one.page.get_by_text("Now choose the ")).to_be_visible()
    one.settle()
    unlabelled = "\n".join(line.rpartition(";")[0] for line in CSV.splitlines())
    counted.set_input_files({**file(unlabelled), "name": "june.csv"})
    one.page.wait_for_selector(".kept-plot[data-name=intervals][data-drawn]")
    one.settle().page.get_by_role("button", name="Files: my table.csv").click()
    second = {**file(CSV.replace(";no", ";never")), "name": "second.csv"}
    # The page is told at once that the first file is gone; the second one is held until what is drawn without it was seen.
    held = []
    one.page.route("**/_stcore/upload_file/**", lambda route: held.append(route))
    one.page.get_by_test_id("stPopoverBody").locator("input[type=file]").first.set_input_files(second)
    expect(one.page.get_by_role("button", name="Files: which one is labelled? and june.csv")).to_be_visible()
    for route in held:
        route.continue_()
    one.page.unroute("**/_stcore/upload_file/**")
    expect(one.page.get_by_role("combobox", name="Positive class").first).to_have_value("never")
    expect(one.page.get_by_text("only the session that uploaded it can see")).to_have_count(0)
    one.page.wait_for_selector(".kept-plot[data-name=intervals][data-drawn]")


def test_a_table_sorts_by_a_click_and_a_data_set_is_found_as_one_types_and_opened(visit):
    one = visit(PAGE)
    rows = one.page.locator(".small-table tbody tr")
    rows.first.wait_for()
    by_rows = one.page.locator(".small-table thead button").nth(1)
    by_rows.click()
    expect(rows.first.locator("th")).to_have_text(re.compile("^Acute|^Toy grades"))
    by_rows.click()
    expect(rows.first.locator("th")).to_have_text(re.compile("^BNG"))
    assert one.page.locator("th[aria-sort=descending]").inner_text().startswith("Rows")
    assert rows.count() == 31, "those that are bundled, and those of the papers that can be fetched"
    one.page.get_by_role("searchbox", name="Find a data set").fill("mon")
    assert rows.count() == 3
    one.page.get_by_role("searchbox", name="Find a data set").fill("nothing of that name")
    expect(rows).to_have_text(["None found."])
    one.page.get_by_role("searchbox", name="Find a data set").fill("mon")
    rows.first.get_by_role("button").click()
    expect(one.page.get_by_text("432 rows, 6 features")).to_be_visible()
    assert "data=monks-1" in one.settle().page.url
    one.page.go_back()
    expect(one.page.get_by_text("5,000 rows, 21 features")).to_be_visible()


@pytest.mark.thorough
def test_a_data_set_of_uci_comes_by_a_click(visit):
    """The app's server asks the repository server that conftest.py has started; nothing leaves this machine."""
    one = visit(PAGE)
    one.page.get_by_role("searchbox", name="Find a data set").fill("haberman")
    row = one.page.get_by_role("button", name="Haberman's survival")
    here = one.page.get_by_text("Toy grades: 40 rows, 2 features, 2 classes")
    late = one.page.get_by_text("The download continues: try again in a while.")
    row.click()
    expect(here.or_(late)).to_be_visible()
    # The page waits ten seconds; on a loaded machine the process that fetches takes as long to start.
    if late.is_visible():
        row.click()
    expect(here).to_be_visible()
    one.page.wait_for_function("() => location.search.includes('data=uci')")
    one.page.get_by_role("link", name="Error by prevalence", exact=True).first.click()
    one.page.wait_for_selector(".kept-plot[data-name=loss-by-prevalence][data-drawn]")
    expect(one.page.get_by_role("combobox", name="Data set")).to_have_value("uci:43")


@pytest.mark.thorough
def test_a_broken_file_is_one_sentence_and_the_page_stays(visit):
    one = visit(PAGE)
    one.page.locator("input[type=file]").set_input_files(file("x,class\n1,a\n2,a\n"))
    expect(one.page.get_by_text("holds only one class, 'a'. Which column holds two classes or more?")).to_be_visible()
    one.page.locator("input[type=file]").set_input_files(file("x,class\n" + "".join(f"{i},{i}\n" for i in range(300))))
    expect(one.page.get_by_text("The column class of my table.csv holds 300 values, too many for classes.")).to_be_visible()
    expect(one.page.get_by_text("5,000 rows, 21 features")).to_be_visible()
