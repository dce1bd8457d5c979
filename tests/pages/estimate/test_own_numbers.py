"""With own files, no number of an example is shown as if it were theirs: every way and section of Estimate, and other pages."""

import re

import pytest

from pages.estimate.settings import COUNTS, DRAWN, LABELLED_PART, OWN, WATCHED
from pages.estimate.settings import SETTINGS as OF_ESTIMATE
from pages.frame.presets import OWN_DATA, OWN_SETTINGS
from pages.listed import PAGES
from tests.pages.app import ERROR_PAGE, captions, components, drawn, fine, go_to, open_section, run, words
from tests.pages.estimate.test_own_files import PAGE, customers, drop

SECTIONS = PAGES["estimate"].sections

EXAMPLES = re.compile(r"\b(66 of 80|18 of 120|0\.825|0\.150|760|2,000|A model has judged|100 instances without labels)")
"""Numbers and words of examples."""
MADE_UP = {
    DRAWN: "A sample drawn from train.csv: ",
    COUNTS: "Example: ",
    LABELLED_PART: "Example: ",
    WATCHED: "Simulated batches. ",
}


@pytest.fixture(scope="module")
def loaded():
    (labelled, classes), (counted, _) = customers(400, 0.3, 1), customers(300, 0.6, 2)
    app = drop(run(PAGE, way=OWN), "own labelled", labelled.assign(churn=classes), "train.csv")
    return fine(drop(app, "own sample", counted, "new.csv"))


def headline(app):
    return next(element.value.strip("*") for element in app.markdown if element.value.startswith("**"))


def choose(app, way):
    app.button_group(key="way").set_value(way)
    return fine(app.run())


@pytest.mark.parametrize("section", SECTIONS)
def test_no_section_shows_a_number_of_an_example_as_that_of_the_files(loaded, section):
    app = open_section(choose(loaded, OWN), "estimate", section)
    assert OWN_DATA in captions(fine(app))
    assert re.match(r"\d+\.\d% are leaves \(95% interval: ", headline(app))
    assert len(re.findall(r"\b[Tt]ake (?:AC|CC|PACC|EMQ|MS|DyS|SORD|Max)\b", words(app))) == 1, "one recommendation"
    is_simulated = section in ("Coverage", "Rules in use")
    assert ("These are not the numbers of the sample above" in captions(app)) == is_simulated
    if not is_simulated and section != "How it works":
        assert not EXAMPLES.search(words(app))


@pytest.mark.parametrize("section", ["Coverage", "Rules in use"])
def test_a_simulation_takes_the_numbers_of_the_sample_on_a_click(loaded, section):
    app = open_section(choose(loaded, OWN), "estimate", section)
    for key in ("true_rate", "false_rate", "simulated_labels"):
        app.session_state[key] = OF_ESTIMATE[key].default
    app.run()
    next(button for button in app.button if button.label == "Simulate with the numbers of the sample").click().run()
    assert "These are not the numbers of the sample above" not in captions(fine(app))
    assert app.session_state["simulated_labels"] == 120
    assert app.session_state["true_rate"] == pytest.approx(0.81)


@pytest.mark.parametrize("way", MADE_UP)
def test_what_is_not_of_the_files_says_so_first(loaded, way):
    app = choose(loaded, way)
    assert headline(app).startswith(MADE_UP[way])
    assert OWN_SETTINGS not in captions(app)
    if way == WATCHED:
        assert "These batches are simulated" in captions(app)
        assert drawn(app, "over_time")["layout"]["title"]["text"].endswith(" (simulated)")


def test_counts_that_are_an_examples_in_part_are_named():
    app = fine(run(PAGE, way=COUNTS, count_x="210", count_m="1000"))
    assert headline(app).startswith("With an example's 66 of 80 and 18 of 120: ")
    assert "these numbers are not yours" in captions(app)
    assert not components(app, "copied_text"), "no sentence for a report"
    own = {"count_tp": "85", "count_pos": "100", "count_fp": "12", "count_neg": "100"}
    app = fine(run(PAGE, way=COUNTS, count_x="210", count_m="1000", **own))
    assert headline(app).startswith("12.3% are positive")
    assert OWN_SETTINGS in captions(app)
    assert components(app, "copied_text")


def test_other_counts_of_a_sample_labelled_in_part_beside_an_examples_are_named():
    app = fine(run(PAGE, way=LABELLED_PART, sample_taken="300", sample_total="900"))
    assert headline(app).startswith("With an example's 44 of 53 and 9 of 47: ")


def test_on_other_pages_own_data_are_called_so(loaded):
    app = choose(loaded, OWN)
    go_to(app, ERROR_PAGE).run().run()
    assert OWN_DATA in captions(fine(app))
    go_to(app, "classifier").run()
    app = open_section(app, "classifier", "Costs")
    assert "In train.csv, 30% of what is evaluated is positive." in captions(fine(app))
