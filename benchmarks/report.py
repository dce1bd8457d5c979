"""How a benchmark prints its results: tables for people, JSON for programs and for `benchmarks/measured/`."""

import argparse
import json
import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence

import numpy as np

Row = Mapping[str, str | float]


def main(title: str, measure: Callable[[], list[Row]]) -> None:
    """Run `measure` and print its rows, as a table or with --json as JSON."""
    show({title: measure}, arguments(title))


def arguments(description: str, **options: int) -> argparse.Namespace:
    """The parsed command line: --json, and a whole number for each of `options` (name and default)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    for name, default in options.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{name} (default {default})")
    return parser.parse_args()


def show(tables: Mapping[str, Callable[[], Sequence[Row]]], parsed: argparse.Namespace) -> None:
    """Measure and print one table after the other, title over rows; with --json all of them as one object, with its place."""
    place, result = _place(), []
    for title, measure in tables.items():
        rows = measure()
        # JSON has no NaN, which is what a benchmark gives where there was nothing to measure.
        known = [{column: value for column, value in row.items() if value == value} for row in rows]
        result.append({"title": title, "rows": known})
        if not parsed.json:
            print(f"{title}\n{_table(rows)}\n", flush=True)
    if parsed.json:
        print(json.dumps({**place, "load after": os.getloadavg()[0], "tables": result}, indent=1))


def _place() -> dict[str, str | float]:
    """Commit, machine and load at the beginning; the load is the mean number of busy processes in the last minute."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return {
        "commit": asked.stdout.strip(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "load before": os.getloadavg()[0],
    }


def _table(rows: Sequence[Row]) -> str:
    columns = list(rows[0])
    cells = [columns, *([_cell(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    words = [any(character.isalpha() for row in rows for character in str(row[column])) for column in columns]
    lines = [
        "  ".join(
            cell.ljust(width) if text else cell.rjust(width) for cell, width, text in zip(line, widths, words, strict=True)
        )
        for line in cells
    ]
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
