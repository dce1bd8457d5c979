"""The section "Your own table": the diagram of losses from elsewhere, what they say, and files without losses."""

import pandas as pd
import pytest

from pages.compare.findings import verdict
from pages.compare.settings import HIGHEST
from qcore.evaluation.significance import compare
from qcore.evaluation.summaries import losses_of_table
from tests.pages.app import chart, fine, run

PAGE, SECTION = "compare", "Your own table"
LOSSES = pd.DataFrame(
    {
        "data set": [f"set {number}" for number in range(8)],
        "CC": [0.3 + number / 100 for number in range(8)],
        "mine*": [0.1 + number / 100 for number in range(8)],
        "AC": [0.2 + number / 100 for number in range(8)],
    }
)


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption])


def with_file(content, name="losses.csv"):
    app = fine(run(PAGE, compare_section=SECTION))
    return app.file_uploader(key="own losses").set_value((name, content, "text/csv")).run()


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_table_of_losses_is_compared(separator):
    app = fine(with_file(LOSSES.to_csv(index=False, sep=separator).encode()))
    said = verdict(compare(losses_of_table(LOSSES)), 0.05)
    assert said == "mine* leads. Clearly worse is CC; one other is not clearly worse."
    assert said.replace("*", r"\*") in words(app)
    assert "Friedman's chi-square is 16.0" in words(app)
    assert chart(app, "own-ranks")["alt"].startswith("Mean rank of each method")
    app.button_group(key="best_value").set_value(HIGHEST).run()
    assert "CC leads" in words(fine(app))


def test_the_downloaded_losses_of_the_page_are_read():
    long = LOSSES.melt("data set", var_name="method", value_name="loss").rename(columns={"data set": "data"})
    content = b"# Quantification Lab, compare: run=bundled\n" + long.assign(prevalence=0.5).to_csv(index=False).encode()
    assert "leads. Clearly worse is CC" in words(fine(with_file(content)))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a,b\n1,2\n3,4\n", "Methods must be at least two for a test"),
        (b"a\n1\n3\n", "one method or more"),
        (b"data set,CC,AC\niris,low,0.1\nwine,high,0.2\n", "hold numbers"),
        (b"data set,CC,AC\niris,0.1,0.2\n", "Data sets must be at least two"),
        (b"data set,CC,AC\niris,0.1,\nwine,0.2,0.1\n", "AC on iris"),
        (b"", "csv is empty"),
    ],
)
def test_a_file_without_losses_is_one_sentence(content, sentence):
    app = with_file(content)
    assert not app.exception
    assert sentence in " ".join(one.value for one in app.warning)


def test_a_file_stays_until_it_is_removed():
    app = fine(with_file(LOSSES.to_csv(index=False).encode()))
    app.file_uploader(key="own losses").set_value(None).run()
    assert "leads" not in words(fine(app)).rpartition("Losses that you have measured")[2]


OURS = b"data,Ours\niris versicolor,0.001\nwine 1,0.002\nwdbc malignant,0.003\nelsewhere,0.5\n"


def test_a_method_of_ones_own_joins_the_experiment_that_is_shown():
    app = fine(with_file(OURS))
    assert "Only Ours is in this file: add it to the experiment" in words(app)
    app.toggle(key="joined_table").set_value(True).run()
    assert chart(fine(app), "own-ranks")["figure"]["layout"]["title"]["text"] == "Mean ranks on 3 data sets: 1 is best"
    ranks = {trace["name"] for trace in chart(app, "own-ranks")["figure"]["data"]}
    assert {"Ours", "EMQ", "PWK"} <= ranks
    app.button_group(key="best_value").set_value(HIGHEST).run()
    assert "Methods must be at least two" in " ".join(one.value for one in app.warning), "an accuracy is no loss"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            b"data,Ours\niris versicolor,0.001\nelsewhere,0.5\n",
            "have two data sets of the experiment or more, got iris versicolor",
        ),
        (b"data,EMQ\niris versicolor,0.001\nwine 1,0.5\n", "have names that the experiment does not use, got EMQ"),
    ],
)
def test_what_does_not_join_is_one_sentence(content, sentence):
    app = with_file(content)
    app.toggle(key="joined_table").set_value(True).run()
    assert sentence in " ".join(one.value for one in fine(app).warning)
