"""The HTML file: what a page has drawn, with everything that draws it, and nothing from elsewhere."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from pages.charts.chart import CARTESIAN, SURFACES, gzipped, plotly_url
from pages.handout.drawn import COLUMN, ROW, TAB, Drawn, as_html, inline
from pages.settings.component import COMPONENTS
from pages.settings.page_declaration import APP

MARK = "<plotly.js>"
"""What plotly.js, compressed and as Base64 text, replaces in the file; no text of a page is written there with a <."""
VIEWS = "<views>"
"""What the list of the views, as JSON without a <, replaces in the file of a talk."""
_FOLDER = Path(__file__).parent
_STYLE = (_FOLDER / "handout.css").read_text()
_SCRIPT = (_FOLDER / "handout.js").read_text()
_DRAWN = ("kept_chart", "dragged", "dragged_text", "small_table", "digit_tiles")
"""Components that a file can hold; the others need a server."""
_TEXT_TO_COPY = "copied_text"
"""The component of a text with a copy button; a file holds its text alone."""
_TEXTS = ("markdown", "caption", _TEXT_TO_COPY)
_MOST_ROWS = 300
_PARTS = ("headline", "hero", "bar", "notes")
"""The keys of the containers of a page that a file shows, in their order; the footer holds that of the sheet."""
_LINKS = "whole-card"
"""How the key of a card begins that links to another page; a file, which has no other pages, leaves such cards out."""


@dataclass(frozen=True)
class RecordedView:
    """A view as a page has drawn it.

    Attributes
    ----------
    title, lead : the page's heading, and a sentence below it.
    page : what was drawn.
    tables : label -> table.
    section : the title of the section that the view leads to; empty where it leads to the page's picture.
    """

    title: str
    lead: str
    page: Drawn
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    section: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether what the view leads to is there: no sentence stands in its place that says why it is not."""
        aim = self.tab if self.section else self.page.find("hero")
        drawn = aim is not None and any(one.kind in _DRAWN for one in aim.all())
        return drawn or all(one.kind != "alert" for one in self.page.all())

    @property
    def tab(self) -> Drawn | None:
        """The open tab, if the view leads to a section."""
        return next((one for one in self.page.all() if one.kind == TAB and one.text == self.section), None)


class _Parts:
    """Collects the components of a file by number, with the data that each is given."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self.names: dict[str, None] = {}

    def add(self, name: str, data: Any) -> str:
        """Add a component; returns the HTML of its place."""
        self.names[name] = None
        self.listed.append({"name": name, "data": data})
        return f'<div data-part="{len(self.listed) - 1}">{COMPONENTS[name].html}</div>'


def document(title: str, view: RecordedView, *, link: str = "") -> str:
    """The file, with MARK in the place of plotly.js if the view has a chart.

    `link` says where the view can be seen in the app, if the page itself does not know.
    """
    parts = _Parts()
    footer = f'<footer><p><a href="{escape(link)}">{escape(link)}</a></p></footer>' if link else ""
    body = _body(view, parts) + footer
    script = _script(parts.names)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}' blob:{_evaluates(parts)}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )
    style = _STYLE + "".join(COMPONENTS[name].css for name in parts.names)
    plotly = MARK if "kept_chart" in parts.names else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{style}</style></head><body><main>{body}</main>"
        f'<script type="application/json" id="parts">{_json(parts.listed)}</script>'
        f'<script type="application/octet-stream" id="plotly">{plotly}</script><script>{script}</script></body></html>'
    )


_TALK_STYLE = """body { margin: 0; display: flex; flex-direction: column; height: 100vh; font-family: system-ui, sans-serif; }
iframe { flex: 1; border: 0; } nav { display: flex; gap: 0.75rem; justify-content: flex-end; padding: 0.3rem 1rem; }"""
_TALK_SCRIPT = (_FOLDER / "talk.js").read_text()
_POLICY = re.compile(r"script-src ([^;]+);")


class TalkFile:
    """The file of a talk, made view by view: all share one plotly.js.

    Attributes
    ----------
    in_space : whether the charts of a view need the larger bundle, for surfaces.
    """

    name = "quantification-lab-talk.html"
    title = f"A talk – {APP}"  # noqa: RUF001

    def __init__(self) -> None:
        self.in_space = False
        self._has_charts = False
        self._allowed: dict[str, None] = {}

    def add(self, view: str) -> str:
        """A view's file, as `document` makes it, in the form in which the talk holds it."""
        self.in_space |= in_space(view)
        self._has_charts |= MARK in view
        # A page inside another one obeys the policies of both.
        self._allowed |= dict.fromkeys(word for match in _POLICY.finditer(view) for word in match[1].split())
        return view.replace(f'id="plotly">{MARK}', 'id="plotly" data-of="talk">')

    def around(self) -> str:
        """The file of the views that were added, with VIEWS in the place of their list, and MARK in that of plotly.js."""
        digest = base64.b64encode(hashlib.sha256(_TALK_SCRIPT.encode()).digest()).decode()
        policy = (
            f"default-src 'none'; script-src 'sha256-{digest}' {' '.join(self._allowed)}; style-src 'unsafe-inline'; "
            "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
        )
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{self.title}</title>'
            f"<style>{_TALK_STYLE}</style></head><body>"
            '<nav><button aria-label="View before">←</button><span role="status"></span>'
            '<button aria-label="Next view">→</button></nav>'
            f'<iframe title="{self.title}"></iframe><script type="application/json" id="views">{VIEWS}</script>'
            f'<script type="application/octet-stream" id="plotly">{MARK if self._has_charts else ""}</script>'
            f"<script>{_TALK_SCRIPT}</script></body></html>"
        )


def talk_document(views: Iterable[str]) -> str:
    """The file of a talk, from the files of its views, with MARK in the place of plotly.js."""
    talk = TalkFile()
    inside = [talk.add(view) for view in views]
    return talk.around().replace(VIEWS, _json(inside))


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


def _script(names: Iterable[str]) -> str:
    made = (f"{json.dumps(name)}: (() => {{ {_callable(COMPONENTS[name].js)} }})()" for name in names)
    return f"'use strict';\nconst components = {{ {', '.join(made)} }};\n{_SCRIPT}"


def _callable(js: str) -> str:
    """A component's module as the body of a function that returns what the module exports."""
    return js.replace("export default function", "return function").replace("export default ", "return ")


def _json(value: Any) -> str:
    # In JSON a "<" stands in texts alone.
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _body(view: RecordedView, parts: _Parts) -> str:
    pieces = [f"<header><h1>{escape(view.title)}</h1><p>{inline(view.lead)}</p></header>"]
    followed = _followed(view.page)
    for key in _PARTS:
        block = view.page.find(key)
        if block is not None and (inside := _html(block, parts, followed)):
            pieces.append(f'<div class="{key}">{inside}</div>')
    if view.tab is not None:
        pieces.append(f'<section id="section"><h2>{escape(view.section)}</h2>{_html(view.tab, parts, followed)}</section>')
    pieces += [_table(label, table) for label, table in view.tables.items()]
    sheet = view.page.find("sheet")
    said = " ".join(one.text for one in sheet.all() if one.text) if sheet else ""
    return "".join([*pieces, f"<footer>{as_html(said)}</footer>"])


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
