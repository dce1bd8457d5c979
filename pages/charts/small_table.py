"""A small table as HTML: it sorts by a click on a header, scrolls sideways by itself, prints, and loads nothing.

Streamlit's grid draws on a canvas and brings 1.4 MB of scripts.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st

from pages.settings.component import component
from pages.settings.number_text import formatted
from qcore.base import percentage_decimals

_HTML = """<input class="small-table-search" type="search" hidden>
<div class="small-table" role="region" tabindex="0">
<table role="table"><thead role="rowgroup"></thead><tbody role="rowgroup"></tbody></table></div>"""
_CSS = """
.small-table { overflow-x: auto; max-width: 100%; }
.small-table table { border-collapse: separate; border-spacing: 0; font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.small-table th, .small-table td { padding: 0.3rem 0.75rem; border-bottom: 1px solid var(--st-border-color); text-align: left;
  vertical-align: top; }
.small-table-search { font: inherit; width: 100%; padding: 0.4rem 0.6rem; margin-bottom: 0.5rem; color: inherit;
  background: transparent; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); }
.small-table .number, .small-table tbody .brief { white-space: nowrap; }
@media (max-width: 640px) {
  .small-table :is(th, td) { padding: 0.3rem 0.4rem; }
  .small-table thead .number { white-space: normal; }
  .small-table.has-long :is(table, thead, tbody) { display: block; }
  .small-table.has-long tr { display: grid; grid-template-columns: var(--columns);
    border-bottom: 1px solid var(--st-border-color); }
  .small-table.has-long :is(th, td) { padding: 0.2rem 0.3rem; border-bottom: 0; position: static; }
  .small-table.has-long .long { grid-column: 1 / -1; }
  .small-table.has-long thead .long:not(:first-child) { display: none; }
  .small-table.has-long td.long:empty { display: none; }
  .small-table.has-long td.long::before { content: attr(data-title) ": "; opacity: 0.75; }
}
.small-table thead th { position: sticky; top: 0; background: var(--st-background-color); z-index: 1; }
.small-table tbody button { font: inherit; font-weight: 600; color: var(--st-link-color); background: none; border: 0;
  padding: 0; cursor: pointer; text-align: left; max-width: 12rem; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
.small-table tr.chosen th, .small-table tr.chosen td { background: var(--st-secondary-background-color); }
.small-table .parts { display: inline-flex; gap: 1px; width: 6rem; height: 0.6rem; margin-left: 0.5rem;
  vertical-align: middle; }
.small-table .parts span { background: var(--st-primary-color); }
.small-table .parts span:not(:first-child) { opacity: 0.4; }
@media (max-width: 640px) { .small-table.has-long .parts { display: flex; width: auto; margin: 0.2rem 0 0; } }
.small-table .number { text-align: right; }
.small-table tbody th { font-weight: 600; position: sticky; left: 0; background: var(--st-background-color); }
.small-table thead button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; text-align: inherit; }
.small-table thead button[title] { text-decoration: underline dotted; text-underline-offset: 0.2em; }
.small-table [aria-sort=ascending] button::after { content: " ↑"; }
.small-table [aria-sort=descending] button::after { content: " ↓"; }
"""
_SEARCH_BOX, _ROW = 48, 30
"""Heights in pixels."""

_JS = Path(__file__).with_suffix(".js").read_text()
_mount = component("small_table", _HTML, _CSS, js=_JS)


P_VALUE = "p-value"
"""The format of a column of p-values: three decimals, and "< 0.001" for smaller values."""
_LEAST_P = 0.001
SHARE = "share with an interval"
"""The format of shares in a row with the ends of their interval, low and high: as sentences and pictures write them."""


@dataclass(frozen=True)
class Column:
    """A column to show: its name in the table, its title, the format of its numbers, and a help text for the title."""

    name: str
    title: str
    number: str = ""
    help: str = ""


def small_table(
    frame: pd.DataFrame,
    columns: Sequence[Column],
    *,
    label: str,
    on_choose: Callable[[str], None] | None = None,
    chosen: str = "",
    word: str = "",
    hint: str = "",
    searches: str = "",
    bars: Mapping[str, str] = MappingProxyType({}),
    height: int = 0,
) -> None:
    """Draw `columns` of a table; `label` says what it holds and is its key. The first column names the rows.

    Parameters
    ----------
    on_choose : called with the word of a clicked row, before the page runs again; the row with the word `chosen` is marked.
    word, hint : columns with each row's word (its name by default), and with the text that appears when one points at the name.
    searches : the prompt of a search box, which keeps only the rows (hints included) that contain the typed text.
    bars : column -> one with a list of shares, which are drawn as parts of a bar beside its number.
    height : of the table in pixels, which then scrolls; 0 for all of it.
    """
    key = f"table {label}"

    def on_chosen() -> None:
        if on_choose is not None and isinstance(st.session_state[key].chosen, str):
            on_choose(st.session_state[key].chosen)

    values = [frame[column.name].tolist() for column in columns]
    shares = _formats_of_shares(frame) if any(column.number == SHARE for column in columns) else [""] * len(frame)
    rows = [
        [_cell(value, share if column.number == SHARE else column.number) for value, column in zip(row, columns, strict=True)]
        for *row, share in zip(*values, shares, strict=True)
    ]
    names, words, hints = (frame[name or columns[0].name].tolist() for name in ("", word, hint))
    for row, one, text in zip(rows, words, hints if hint else names, strict=True):
        row[0] |= {"word": str(one), "hint": str(text)}
    for i, column in enumerate(columns):
        if column.name in bars:
            for row, shares_of_row in zip(rows, frame[bars[column.name]], strict=True):
                row[i]["parts"] = [round(float(part), 4) for part in shares_of_row]
    titles = [
        {
            "name": column.name,
            "title": column.title,
            "help": column.help,
            "number": bool(column.number),
        }
        for column in columns
    ]
    _mount(
        key=key,
        data={
            "label": label,
            "columns": titles,
            "rows": rows,
            "choosable": on_choose is not None,
            "chosen": chosen,
            "searches": searches,
            "height": height,
        },
        # A table that scrolls keeps its place from the start, with that of the search box above it.
        height=height + _SEARCH_BOX if height and searches and len(frame) * _ROW > height else "content",
        on_chosen_change=on_chosen,
    )


def _formats_of_shares(frame: pd.DataFrame) -> list[str]:
    """The format of the shares of each row, by its interval."""
    return [f".{percentage_decimals(low, high)}%" for low, high in zip(frame.low, frame.high, strict=True)]


def _cell(value: Any, number: str) -> dict[str, Any]:
    """The text of a cell and the value to sort by: None for an unknown value, which comes last."""
    if isinstance(value, bool):
        return {"text": "yes" if value else "", "value": int(value)}
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return {"text": "–", "value": None}  # noqa: RUF001
    if not number:
        return {"text": str(value), "value": str(value)}
    if math.isinf(value):
        return {"text": "∞" if value > 0 else "-∞", "value": math.copysign(1e300, value)}
    if number == P_VALUE and value < _LEAST_P:
        return {"text": f"< {_LEAST_P}", "value": value}
    return {"text": formatted(value, ".3f" if number == P_VALUE else number), "value": value}
