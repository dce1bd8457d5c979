"""JSON -> a table: a list of objects, an object a line, an object with one such list, or one with a list for each column."""

import io
import json
import re
from typing import Any, Final

import pandas as pd

from qcore.datasets.reading_failures import file_refused
from qcore.datasets.table_limits import MAX_CELLS, MAX_COLUMNS

JSON: Final = (".json", ".jsonl", ".ndjson")
"""Endings of JSON files."""
_WAY_OUT: Final = (
    'Write an object for each row, such as {"size": 1.5, "label": "yes"}, in a list or one a line, or save it as CSV.'
)
_BEGINS: Final = re.compile(r'\s*(?:\[\s*[\[{]|\{\s*")')
"""How JSON begins that can hold a table: a list of lists or objects, or an object."""


def is_json(text: str) -> bool:
    """Whether a text begins as JSON does that can hold a table."""
    return _BEGINS.match(text) is not None


def read_json(text: str, name: str) -> pd.DataFrame:
    """The table in a JSON text. Raises InvalidInput for JSON that is no table, or too large, and for what is no JSON."""
    table = _rows(_parsed(text, name))
    if table is None:
        raise file_refused(name, "be JSON with a table", "JSON without rows of values", _WAY_OUT)
    if isinstance(table, dict):
        return pd.DataFrame(table)
    columns = dict.fromkeys(key for row in table for key in row)
    if len(columns) > MAX_COLUMNS or len(columns) * len(table) > MAX_CELLS:
        result = f"{len(table):,} rows of {len(columns):,} columns"
        raise file_refused(name, f"have at most {MAX_COLUMNS:,} columns and {MAX_CELLS:,} cells", result, "Use a part of it.")
    return pd.DataFrame(table, columns=list(columns))


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as whole:
        rows = []
        for number, line in enumerate(io.StringIO(text), start=1):
            if line.strip():
                try:
                    rows.append(json.loads(line))
                except json.JSONDecodeError as error:
                    # Of one document the error of the whole is the right one, and of lines that of the line.
                    at = f"{error.msg} in line {number}" if rows else f"{whole.msg} in line {whole.lineno}"
                    raise file_refused(name, "be JSON, or have an object in each line", at, _WAY_OUT) from error
        return rows


def _rows(value: Any) -> list[dict[str, Any]] | dict[str, list[Any]] | None:
    """The rows, or the columns, of parsed JSON; None if it has neither."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return value
    if not isinstance(value, dict):
        return None
    lists = [one for one in value.values() if isinstance(one, list)]
    rows = [one for one in lists if one and all(isinstance(row, dict) for row in one)]
    if len(rows) == 1:
        return _rows(rows[0])
    if lists and len(lists) == len(value) and len({len(one) for one in lists}) == 1:
        return value
    return [value] if value and not lists and not any(isinstance(one, dict) for one in value.values()) else None
