"""How a benchmark says what it found: a table for people, JSON for programs."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Mapping

import numpy as np

Row = Mapping[str, str | float]


def main(title: str, measure: Callable[[], list[Row]]) -> None:
    """Run `measure` and print its rows, as a table or with --json as JSON."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    as_json = parser.parse_args().json
    rows = measure()
    if as_json:
        print(json.dumps({"title": title, "numpy": np.__version__, "python": platform.python_version(), "rows": rows}))
        return
    print(title)
    columns = list(rows[0])
    cells = [columns, *([_cell(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    for line in cells:
        padded = [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        print("  ".join([line[0].ljust(widths[0]), *padded]))


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
