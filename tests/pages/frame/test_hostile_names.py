"""Names of somebody's table on the pages: charts read no tag of theirs, and sentences make no link or markup of them."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from pages.charts.figure import as_named, figure_text
from pages.listed import PAGES
from pages.settings.control import escaped
from pages.settings.shared import OWN_SAMPLE
from tests.pages.app import components, run

CLASSES = (
    '<a href="https://nowhere.example">first</a>',
    "[second](https://nowhere.example) www.nowhere.example *second*",
    "third@nowhere.example <span style='color:red'>$third$ :red[x]",
)
FILE = "<a href=x>table<b> www.nowhere.example [x](y).csv"
LINK = re.compile(
    r"(?i)https?:(?=//)|www(?=\.)|\w@(?=\w)|(?<!\\)\[[\w ]+(?<!\\)\]\("
    r"|(?<!\\)<[a-z]|(?<!\\)\*second|(?<!\\)\$third|(?<!\\):red\["
)
"""What Markdown reads in those names."""
OURS = {"<b>", "</b>", "<br>", "<sub>", "</sub>", "<extra>", "</extra>", "</span>"}
OUR_COLOURS = re.compile("<span style='color:#[0-9A-F]{6}'>")
"""The tags of figures."""
_OF_SEVERAL_CLASSES = (
    "Estimates against truth", "Errors by class", "All at once or one against all", "The matrix that is inverted",
    "Ordered classes",
)  # fmt: skip
SECTIONS = [
    ("classifier", "At the threshold"), ("classifier", "More than two classes"), ("corrections", "When it breaks"),
    ("data_sets", "Picture"), ("data_sets", "Features and source"),
    ("estimate", "Can it be trusted"), ("estimate", "All classes"),
    *(("more_than_two_classes", section) for section in _OF_SEVERAL_CLASSES),
]  # fmt: skip
"""Pages and sections that name classes or features."""


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """A data set of three classes in the folder of tables that all may open."""
    path = tmp_path_factory.mktemp("tables")
    numbers = np.random.default_rng(0).integers(0, 3, 240)
    features = {
        name.replace("nowhere", "feature"): numbers + np.random.default_rng(i).normal(size=240)
        for i, name in enumerate(CLASSES)
    }
    pd.DataFrame(features | {"class": np.array(CLASSES)[numbers]}).to_csv(path / FILE, index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUANTIFICATION_LAB_DATA", str(path))
        yield


def in_markdown(app):
    """Every text of a page that Streamlit draws as Markdown, without what is in code quotes."""
    elements = [*app.markdown, *app.caption, *app.info, *app.warning, *app.error]
    texts = [element.value for element in elements]
    controls = [*app.text_input, *app.selectbox, *app.multiselect, *app.button, *app.checkbox, *app.number_input, *app.toggle]
    texts += [text for one in controls for text in (one.label, getattr(one.proto, "help", ""))]
    return [re.sub(r"`[^`]*`", "", text) for text in texts]


def texts_of(value):
    """All texts in nested lists and dictionaries, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for pair in value.items() for one in pair for text in texts_of(one))
    elif isinstance(value, list):
        yield from (text for one in value for text in texts_of(one))


@pytest.mark.parametrize(("page", "section"), SECTIONS)
def test_names_are_texts_in_charts_and_sentences(page, section):
    app = run(page, data=f"folder:{FILE}", positive=CLASSES[0], **PAGES[page].opens(section))
    assert not app.exception
    drawn = components(app, "kept_chart")
    assert drawn or page == "data_sets"
    for one in drawn:
        frames = [value["frames"] for value in json.loads(one["follows"])]
        parts = [json.loads(one["figure"]), json.loads(one["narrow"] or "{}"), frames]
        tags = {tag for text in texts_of(parts) for tag in re.findall("<[^<>]*>?", text)}
        assert {tag for tag in tags if not OUR_COLOURS.fullmatch(tag)} <= OURS, one["name"]
    assert not [text for text in in_markdown(app) if LINK.search(text)]


def test_names_of_own_files_are_texts():
    numbers = np.arange(120) % 3
    columns = {name: numbers + np.random.default_rng(1).normal(size=120) for name in CLASSES}
    labelled = pd.DataFrame(columns | {"class": np.array(CLASSES)[numbers]})
    # Values outside the range of the labelled ones, and text in place of numbers: both are said by the names of columns.
    counted = pd.DataFrame(columns).assign(**{CLASSES[0]: 99.0, CLASSES[1]: "text"})
    app = run("estimate", way=OWN_SAMPLE)
    for key, table in (("own labelled", labelled), ("own sample", counted)):
        app.file_uploader(key=key).set_value((FILE, table.to_csv(index=False).encode(), "text/csv")).run()
    said = in_markdown(app)
    assert any("outside their range, mostly in" in text for text in said)
    assert not [text for text in said if LINK.search(text)]


def test_what_a_click_names_is_what_was_drawn():
    for name in (*CLASSES, "p < 0.05", "a"):
        assert as_named(json.loads(figure_text(name))) == name
    assert as_named(0.5) == 0.5


@pytest.mark.parametrize("name", CLASSES)
def test_a_sentence_with_a_name_has_no_link(name):
    assert not LINK.search(escaped(f"The class {name}."))
    assert re.sub(r"\\(.)|\N{WORD JOINER}", r"\1", escaped(name)) == name
