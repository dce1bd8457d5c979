"""A small table as HTML: it sorts by a click on a header, scrolls sideways by itself, prints, and loads nothing.

Streamlit's grid draws on a canvas and brings 1.4 MB of scripts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

_HTML = '<div class="small-table" role="region" tabindex="0"><table><thead></thead><tbody></tbody></table></div>'
_CSS = """
.small-table { overflow-x: auto; max-width: 100%; }
.small-table table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
.small-table th, .small-table td { padding: 0.3rem 0.75rem; border-bottom: 1px solid var(--st-border-color); text-align: left;
  vertical-align: top; }
.small-table .number { text-align: right; white-space: nowrap; }
.small-table tbody th { font-weight: 600; position: sticky; left: 0; background: var(--st-background-color); }
.small-table thead button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; text-align: inherit; }
.small-table thead button[title] { text-decoration: underline dotted; text-underline-offset: 0.2em; }
.small-table [aria-sort=ascending] button::after { content: " ↑"; }
.small-table [aria-sort=descending] button::after { content: " ↓"; }
"""
_JS = """
function draw(region, data) {
  const { by, down } = region.sorting ?? {};
  const rows = [...data.rows];
  const known = (value) => value !== null;
  if (by !== undefined) rows.sort((one, other) => {
    const [a, b] = [one[by].value, other[by].value];
    if (!known(a) || !known(b)) return known(b) - known(a);
    return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
  });
  const cell = (tag, column, content) => {
    const element = document.createElement(tag);
    if (column.number) element.className = "number";
    element.append(content);
    return element;
  };
  const head = data.columns.map((column, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = column.title;
    if (column.help) button.title = column.help;
    button.onclick = () => {
      region.sorting = { by: i, down: by === i && !down };
      draw(region, data);
      region.querySelectorAll("thead button")[i].focus();
    };
    const element = cell("th", column, button);
    element.scope = "col";
    if (by === i) element.setAttribute("aria-sort", down ? "descending" : "ascending");
    return element;
  });
  const line = (cells) => { const row = document.createElement("tr"); row.append(...cells); return row; };
  region.querySelector("thead").replaceChildren(line(head));
  region.querySelector("tbody").replaceChildren(...rows.map((row) => line(row.map(({ text }, i) => {
    const element = cell(i ? "td" : "th", data.columns[i], text);
    if (!i) element.scope = "row";
    return element;
  }))));
}

export default function ({ data, parentElement }) {
  const region = parentElement.querySelector(".small-table");
  region.setAttribute("aria-label", data.label);
  const drawn = JSON.stringify(data);
  if (region.drawn === drawn) return;
  region.drawn = drawn;
  draw(region, data);
}
"""
_mount = st.components.v2.component("small_table", html=_HTML, css=_CSS, js=_JS, isolate_styles=False)


@dataclass(frozen=True)
class Column:
    """A column of a table: its name there and its title here, how its numbers are written, what its title means."""

    name: str
    title: str
    number: str = ""
    help: str = ""


def small_table(frame: pd.DataFrame, columns: Sequence[Column], *, label: str) -> None:
    """Draw `columns` of a table; `label` says what it holds and is its key. The first column names the rows."""
    values = [frame[column.name].tolist() for column in columns]
    rows = [
        [_cell(value, column.number) for value, column in zip(row, columns, strict=True)] for row in zip(*values, strict=True)
    ]
    titles = [
        {"name": column.name, "title": column.title, "help": column.help, "number": bool(column.number)} for column in columns
    ]
    _mount(key=f"table {label}", data={"label": label, "columns": titles, "rows": rows}, height="content")


def _cell(value: Any, number: str) -> dict[str, Any]:
    """What is written, and what is sorted by: None for what is not known, which comes last."""
    if isinstance(value, bool):
        return {"text": "yes" if value else "", "value": int(value)}
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return {"text": "–", "value": None}  # noqa: RUF001
    if not number:
        return {"text": str(value), "value": str(value)}
    if math.isinf(value):
        return {"text": "∞" if value > 0 else "-∞", "value": math.copysign(1e300, value)}
    return {"text": format(value, number), "value": value}
