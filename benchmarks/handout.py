"""How large interactive files are: python -m benchmarks.handout [--json]   (about a minute).

For each page as it opens: the size of the file, compressed as servers do, and compressed without plotly.js.
"""

import gzip
import time

from benchmarks import report
from benchmarks.report import Row
from pages.frame.navigation import window_title
from pages.frame.view import view_of_link
from pages.handout.command import recorded_view
from pages.handout.document import document, with_plotly
from pages.listed import PAGES


def measure() -> list[Row]:
    """A row for each page."""
    rows: list[Row] = []
    for page in PAGES.values():
        if page.has_picture:
            started = time.perf_counter()
            recorded, _ = recorded_view(view_of_link(f"/{page.path}"), {})
            own = document(window_title(page.title), recorded)
            rows.append(_row(page.title, with_plotly(own), len(gzip.compress(own.encode())), started))
    return rows


def _row(what: str, text: str, own: int, started: float) -> Row:
    file = text.encode()
    sizes = {"KB": len(file) / 1e3, "KB gzipped": len(gzip.compress(file)) / 1e3, "KB gzipped without plotly.js": own / 1e3}
    return {"what": what, **sizes, "made in s": time.perf_counter() - started}


if __name__ == "__main__":
    report.main("Interactive files", measure)
