"""The HTML file: what a page has drawn, with everything that draws it, and nothing from elsewhere."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pandas as pd

from pages.charts.plotly_files import CARTESIAN, SURFACES, gzipped, plotly_url
from pages.handout.drawn import COLUMN, ROW, Drawn
from pages.handout.plain_markdown import as_html, inline
from pages.settings.component import COMPONENTS

MARK: Final = "<plotly.js>"
"""What plotly.js, compressed and as Base64 text, replaces in the file; no text of a page is written there with a <."""
_FOLDER: Final = Path(__file__).parent
_STYLE: Final = (_FOLDER / "handout.css").read_text()
_SCRIPT: Final = (_FOLDER / "handout.js").read_text()
_DRAWN: Final = ("kept_chart", "dragged", "dragged_text", "small_table", "digit_tiles")
"""Components that a file can hold; the others need a server."""
_TEXT_TO_COPY: Final = "copied_text"
"""The component of a text with a copy button; a file holds its text alone."""
_TEXTS: Final = ("markdown", "caption", _TEXT_TO_COPY)
_MOST_ROWS: Final = 300
_NO_LABELS: Final[Mapping[str, str]] = MappingProxyType({})
SECTION: Final = "section"
_PARTS: Final = {"headline": "headline", "picture": "hero", "bar": "bar", "notes": "notes"}
"""What lessons call a part of a page -> the key of its container."""
_OF_A_SECTION: Final = "_section"
"""How the key of the container of a page's open section ends."""
_LINKS: Final = "whole-card"
"""How the key of a card begins that links to another page; a file, which has no other pages, leaves such cards out."""


@dataclass(frozen=True)
class Section:
    """A view in the file, or a step of a lesson.

    Attributes
    ----------
    title, lead : its heading, and a sentence below it.
    page : what was drawn.
    tables : label -> table.
    text : HTML before the picture.
    question : HTML of a question, after the text.
    hidden, hidden_why : parts that the question hides ("headline", "picture", "notes", "section"), and the text in their place.
    hidden_charts : names of charts that it hides.
    left_out : parts, and names of charts, that are not shown at all.
    tab : the title of the page's open section, which is shown too; empty for none.
    """

    title: str
    lead: str
    page: Drawn
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    text: str = ""
    question: str = ""
    hidden: Sequence[str] = ()
    hidden_why: str = ""
    hidden_charts: Sequence[str] = ()
    left_out: Sequence[str] = ()
    tab: str = ""


class _Parts:
    """Collects the components of a file by number, with the data that each is given."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self.names: dict[str, None] = {}
        self.section = 0
        self._hidden_charts: Sequence[str] = ()
        self._left_out: Sequence[str] = ()
        self._hidden_why = ""

    def begin(self, section: Section, number: int) -> None:
        """Begin a section: components that are added from now on belong to it."""
        self.section, self._left_out = number, section.left_out
        self._hidden_charts, self._hidden_why = section.hidden_charts, section.hidden_why

    def add(self, name: str, data: Any) -> str:
        """Add a component to the current section; returns the HTML of its place, empty if the section leaves it out."""
        if name == "kept_chart" and data["name"] in self._left_out:
            return ""
        self.names[name] = None
        self.listed.append({"name": name, "data": _in_section(name, data, self.section)})
        is_hidden = name == "kept_chart" and data["name"] in self._hidden_charts
        why = f' data-hidden="{escape(self._hidden_why)}"' if is_hidden else ""
        return f'<div data-part="{len(self.listed) - 1}"{why}>{COMPONENTS[name].html}</div>'


def _in_section(name: str, data: Any, section: int) -> Any:
    """The data of a component, with the names of dragged values made the section's own: other sections do not follow them."""
    if section == 0 or data is None:
        return data
    here = f" {section}"
    if name == "dragged":
        return {**data, "name": data["name"] + here}
    if name in ("dragged_text", "digit_tiles"):
        return {**data, "follows": data["follows"] + here} if "follows" in data else data
    if name == "kept_chart":
        follows = [{**one, "name": one["name"] + here} for one in json.loads(data["follows"])]
        return {**data, "follows": json.dumps(follows), "drags": data["drags"] + here if data["drags"] else ""}
    return data


def document(
    title: str,
    sections: Sequence[Section],
    *,
    link: str = "",
    language: str = "en",
    questions: Sequence[Any] = (),
    labels: Mapping[str, str] = _NO_LABELS,
) -> str:
    """The file, with MARK in the place of plotly.js if any section has a chart.

    Parameters
    ----------
    link : where the view can be seen in the app, if the page itself does not know.
    questions : what the script needs to know of each question, in the order of their HTML; `labels`: its words for them.
    """
    parts = _Parts()
    footer = f'<footer><p><a href="{escape(link)}">{escape(link)}</a></p></footer>' if link else ""
    body = "".join(_section(section, parts, number) for number, section in enumerate(sections)) + footer
    names = list(parts.names) + (["drawing"] if any(one.get("curve") for one in questions) else [])
    script = _script(names)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}' blob:{_evaluates(parts)}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )
    style = _STYLE + "".join(COMPONENTS[name].css for name in names)
    data = {"parts": parts.listed, "questions": list(questions), "labels": dict(labels)}
    held = "".join(f'<script type="application/json" id="{name}">{_json(one)}</script>' for name, one in data.items())
    plotly = MARK if "kept_chart" in parts.names else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{style}</style></head><body><main>{body}</main>{held}"
        f'<script type="application/octet-stream" id="plotly">{plotly}</script><script>{script}</script></body></html>'
    )


def in_space(text: str) -> bool:
    """Whether a file's charts need the larger bundle, for surfaces."""
    return plotly_url(in_space=True) in text


def with_plotly(text: str) -> str:
    """The file with plotly.js in its place."""
    packed = gzipped(SURFACES if in_space(text) else CARTESIAN)
    return text.replace(MARK, base64.b64encode(packed).decode())


def _evaluates(parts: _Parts) -> str:
    """The word of the policy that lets Plotly compile code, as it does for surfaces; empty for a file without surfaces."""
    surfaces = any(one["name"] == "kept_chart" and one["data"]["url"] == plotly_url(in_space=True) for one in parts.listed)
    return " 'unsafe-eval'" if surfaces else ""


def _script(names: Sequence[str]) -> str:
    made = (f"{json.dumps(name)}: (() => {{ {_callable(COMPONENTS[name].js)} }})()" for name in names)
    return f"'use strict';\nconst components = {{ {', '.join(made)} }};\n{_SCRIPT}"


def _callable(js: str) -> str:
    """A component's module as the body of a function that returns what the module exports."""
    return js.replace("export default function", "return function").replace("export default ", "return ")


def _json(value: Any) -> str:
    # In JSON a "<" stands in texts alone.
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _section(section: Section, parts: _Parts, number: int) -> str:
    heading = "h1" if number == 0 else "h2"
    parts.begin(section, number)
    pieces = [f"<section><header><{heading}>{escape(section.title)}</{heading}><p>{inline(section.lead)}</p></header>"]
    pieces += [section.text, section.question]
    followed = _followed(section.page)
    for name, block in _blocks(section).items():
        inside = _html(block, parts, followed)
        if inside:
            why = f' data-hidden="{escape(section.hidden_why)}"' if name in section.hidden else ""
            title = f"<h3>{escape(section.tab)}</h3>" if name == SECTION else ""
            pieces.append(f'{title}<div class="{name}"{why}>{inside}</div>')
    pieces += [_table(label, table) for label, table in section.tables.items()]
    sheet = section.page.find("sheet")
    said = " ".join(one.text for one in sheet.all() if one.text) if sheet else ""
    return "".join([*pieces, f"<footer>{as_html(said)}</footer></section>"])


def _blocks(section: Section) -> dict[str, Drawn]:
    """The parts of a page that are shown, by what lessons call them."""
    found = {name: section.page.find(key) for name, key in _PARTS.items()}
    if section.tab:
        found[SECTION] = next((one for one in section.page.all() if one.key.endswith(_OF_A_SECTION)), None)
    return {name: block for name, block in found.items() if block is not None and name not in section.left_out}


def _followed(page: Drawn) -> set[str]:
    """The values that something of the page follows while they are dragged."""
    charts = [json.loads(one.data["follows"]) for one in page.all() if one.kind == "kept_chart"]
    texts = {one.data["follows"] for one in page.all() if one.kind == "dragged_text"}
    return texts | {value["name"] for follows in charts for value in follows}


def _html(node: Drawn, parts: _Parts, followed: set[str]) -> str:
    if node.kind == "popover" or node.key.startswith(_LINKS):
        return ""
    if node.kind in _TEXTS:
        html = f"<p>{escape(node.data['text'])}</p>" if node.kind == _TEXT_TO_COPY else as_html(node.text)
        return f"<small>{html}</small>" if node.kind == "caption" else html
    if node.kind in _DRAWN:
        moves_nothing = node.kind == "dragged" and (node.data["live"] or node.data["name"] not in followed)
        if moves_nothing:
            return ""
        html = parts.add(node.kind, node.data)
        return f'<div class="bar">{html}</div>' if node.kind == "dragged" else html
    inside = [(one, _html(one, parts, followed)) for _, one in sorted(node.children.items())]
    if node.kind == ROW or any(one.kind == COLUMN for one, _ in inside):
        cells = "".join(f'<div style="flex-grow: {one.weight:.3g}">{html}</div>' for one, html in inside if html)
        return f'<div class="row">{cells}</div>' if cells else ""
    return "".join(html for _, html in inside)


def _table(label: str, table: pd.DataFrame) -> str:
    shown = table.head(_MOST_ROWS)
    more = f"<p>The first {_MOST_ROWS:,} of {len(table):,} rows.</p>" if len(table) > _MOST_ROWS else ""
    html = shown.to_html(index=False, border=0, classes="table", float_format="{:.4g}".format, na_rep="")
    return f"<details><summary>{escape(label)}</summary>{html}{more}</details>"
