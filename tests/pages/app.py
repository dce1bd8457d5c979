"""What page tests share: the app run without a browser, and the data of the charts that it draws."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qs

import pandas as pd
import plotly.graph_objects as go
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block
from streamlit.util import calc_hash

from pages.frame.share import SHARE_MENU
from pages.listed import PAGES
from tests.browser.server import ROOT
from tests.pages.quick_runs import make_runs_quick

make_runs_quick()
FEW_INSTANCES = {"data": "iris", "share": "0.1"}
"""Five training instances in the smallest class: five folds, not ten, where the page of every classifier is tried."""
SOME_CLASSIFIERS = ["logistic regression", "k nearest neighbours", "SVM-Q2"]
"""Probabilities, few values, and decision values: pages that only use scores know no more of a classifier.

All classifiers are tried on Error by prevalence and in the tests of scoring; with `make thorough`, on two pages more.
"""
ERROR_PAGE = "error_by_prevalence"


def run(page: str | None = None, /, **query: str | list[str]) -> AppTest:
    """The app after its first run, which is that of the page of that name, opened with the URL parameters `query`."""
    # Long jobs work while a processor is idle: where all are busy, one that takes 4 s alone was seen to take more than 60.
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=240)
    for key, value in query.items():
        app.query_params[key] = value
    return (app if page is None else go_to(app, page)).run()


def go_to(app: AppTest, page: str) -> AppTest:
    """The app, whose next run is that of another page: `AppTest.switch_page` knows only pages that are files."""
    app._page_hash = calc_hash(PAGES[page].path)
    return app


def addresses(pairs: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """All pairs of a parameter and its value in as few addresses as can hold them: each has a parameter once."""
    found: list[dict[str, Any]] = []
    for key, value in pairs:
        if all(key in address for address in found):
            found.append({})
        next(address for address in found if key not in address)[key] = value
    return found


def components(app: AppTest, name: str) -> list[dict[str, Any]]:
    """The data given to each component of that name."""
    protos = [element.proto for element in app.get("bidi_component")]
    return [json.loads(proto.bytes or proto.json) for proto in protos if proto.component_name == name]


def figures(app: AppTest) -> list[dict[str, Any]]:
    """The figures of the charts that are drawn, as plain data."""
    return [json.loads(data["figure"]) for data in components(app, "kept_chart")]


def lines(figure: dict[str, Any]) -> dict[str, Any]:
    """Name -> trace, the bands left out."""
    return {trace["name"]: trace for trace in figure["data"] if not trace["name"].endswith(" band")}


def tables(app: AppTest) -> list[pd.DataFrame]:
    """The tables that are drawn, their values under the names of their columns."""
    return [
        pd.DataFrame([[cell["value"] for cell in row] for row in data["rows"]], columns=[c["name"] for c in data["columns"]])
        for data in components(app, "small_table")
    ]


def open_share_menu(app: AppTest) -> AppTest:
    """The app with the menu "Share" open, and all that it holds: only then it is drawn."""
    app.session_state[SHARE_MENU] = app.session_state["share_more"] = True
    return app.run()


def script(app: AppTest) -> str:
    """The Python that the menu "Share" offers: what draws the picture."""
    (source,) = [block.value for block in open_share_menu(app).code if block.language == "python"]
    return source


def link(app: AppTest) -> dict[str, list[str]]:
    """The parameters that the copied link spells."""
    if not components(app, "copy_link"):
        open_share_menu(app)
    return parse_qs(components(app, "copy_link")[0]["query"], keep_blank_values=True)


def chart(app: AppTest, name: str) -> dict[str, Any]:
    """What is given to the chart of that name: figure, follows (each with values, frames and sentences), indices."""
    (data,) = [one for one in components(app, "kept_chart") if one["name"] == name]
    return {**data, "figure": json.loads(data["figure"]), "follows": json.loads(data["follows"])}


def sentences(app: AppTest, name: str) -> list[str]:
    """The sentences of a text that follows a value, one for each value."""
    (data,) = [one for one in components(app, "dragged_text") if one["name"] == name]
    result: list[str] = json.loads(data["sentences"])
    return result


def sentence(app: AppTest, name: str) -> str:
    """A text that follows a value, as it stands."""
    (data,) = [one for one in components(app, "dragged_text") if one["name"] == name]
    return sentences(app, name)[data["index"]]


def captions(app: AppTest) -> str:
    """All captions, among them what the current example shows."""
    return " ".join(caption.value for caption in app.caption)


def open_section(app: AppTest, page: str, title: str) -> AppTest:
    """The app with that section of a page open, or with that part of one: only the open one is computed."""
    for key, word in PAGES[page].opens(title).items():
        app.session_state[key] = word
    return app.run()


def fine(app: AppTest) -> AppTest:
    """The app, if it shows no error, and only charts that Plotly can draw: on the way to the browser nothing checks them."""
    assert not app.exception
    assert not app.error
    for figure in figures(app):
        _draw(figure)
    return app


_DRAWN: set[str] = set()
"""The traces and layouts that Plotly has taken, as text."""


def _draw(figure: dict[str, Any]) -> None:
    """Let Plotly check what it has not seen yet: that takes long, and most of a figure is as it was."""
    parts = [{"data": [trace]} for trace in figure["data"]] + [{key: part} for key, part in figure.items() if key != "data"]
    new = {text: part for part in parts if (text := json.dumps(part)) not in _DRAWN}
    traces = [trace for part in new.values() for trace in part.get("data", [])]
    go.Figure({key: value for part in new.values() for key, value in part.items()} | {"data": traces})
    _DRAWN.update(new)


def names(app: AppTest) -> list[str]:
    """The names of the charts that are drawn, in their order."""
    return [data["name"].replace("-", "_") for data in components(app, "kept_chart")]


def drawn(app: AppTest, name: str) -> dict[str, Any]:
    """The figure of the chart of that name."""
    return chart(app, name.replace("_", "-"))["figure"]


def warnings(app: AppTest) -> str:
    """All warnings."""
    return " ".join(warning.value for warning in app.warning)


def words(app: AppTest) -> str:
    """All text."""
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


def place_of(app: AppTest, key: str) -> tuple[int, ...]:
    """Where the container of that key stands: the number of each block around it, from the outermost to its own."""

    def inside(block: Block, before: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for number, child in block.children.items():
            if getattr(child.proto, "id", "").endswith(f"-{key}"):
                yield (*before, number)
            if isinstance(child, Block):
                yield from inside(child, (*before, number))

    (place,) = inside(app.main, ())
    return place


_MOST_WORDS = 20
_END = re.compile(r"(?<=[.?!])(?<!al\.)\**\s+(?=[A-Z0-9*“(])")


def long_sentences(app: AppTest) -> list[str]:
    """The computed sentences of more than 20 words: the finding, the lists below pictures, and texts that follow a value."""

    def said(block: Block, inside: bool) -> Iterator[str]:
        key = getattr(block.proto, "id", "")
        if block.type == "popover" or (block.type == "expander" and getattr(block, "label", "") != "More"):
            return
        for child in block.children.values():
            if isinstance(child, Block):
                yield from said(child, inside or key.endswith("-headline"))
            elif child.type == "markdown" and (inside or key.endswith("-headline") or child.value.startswith("- ")):
                yield from child.value.removeprefix("- ").split("\n- ")

    moving = [text for data in components(app, "dragged_text") for text in json.loads(data["sentences"])]
    sentences = [sentence for text in {*said(app.main, False), *moving} for sentence in _END.split(text)]
    return [one for one in sentences if len([word for word in one.split() if re.search(r"\w", word)]) > _MOST_WORDS]
