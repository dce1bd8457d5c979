"""What one move of a control costs the server, page by page: processor time of all processes, and the time to the answer.

python -m benchmarks.moves [--json] [--moves 30] [--sections 0] [--growth 0]   (a minute; --sections 1, every section, and
--growth 1, by the size of the data, take some minutes each)

One session on each page moves the page's main control to values that nobody had before, one after the other. A few moves before
the measured ones have everything computed that is computed only once.
"""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import psutil

from benchmarks import report
from benchmarks.load import MOVED, server, tree
from benchmarks.load_sessions import Session
from benchmarks.report import Row

_FIRST_MOVES = 5


def _processor_by_process(process: psutil.Process) -> tuple[float, float]:
    """Seconds of processor time of the server, and of the processes that it started."""
    own, *others = (sum(one.cpu_times()[:2]) for one in tree(process))
    return own, sum(others)


async def _moves(
    address: str, process: psutil.Process, page: str, query: str, n_moves: int, n_first: int = _FIRST_MOVES
) -> Row:
    session = Session(address, page, query)
    await session.open()
    label = MOVED[page]
    control = session.control(label)
    values = control.new_values()
    for _ in range(n_first):
        await session.put(control, next(values))
    before, times, sent = _processor_by_process(process), [], session.bytes_received
    for _ in range(n_moves):
        started = time.perf_counter()
        await session.put(control, next(values))
        times.append(time.perf_counter() - started)
    after = _processor_by_process(process)
    await session.socket.close()
    if session.failed:
        raise RuntimeError(f"the page {page} shows an exception")
    own, others = (1000.0 * (now - then) / n_moves for now, then in zip(after, before, strict=True))
    return {
        "page": page or "home",
        "section": query,
        "moved": label,
        "CPU ms": own + others,
        "of it in the server": own,
        "answer ms": 1000.0 * float(np.median(times)),
        "KB sent": (session.bytes_received - sent) / n_moves / 1000.0,
    }


def _queries(page: str, *, sections: bool) -> list[str]:
    from pages.settings.page_declaration import settings_of
    from pages.settings.setting import section_key

    name = page.replace("-", "_")
    section = settings_of(name).get(section_key(name))
    if not sections or section is None:
        return [""]
    return [f"{section.key}={title}" for title in section.options]


def measure(n_moves: int, *, sections: bool) -> list[Row]:
    """A row for each page, or for each section of each page."""
    rows = []
    with server() as (address, process):
        for page in MOVED:
            rows += [asyncio.run(_moves(address, process, page, query, n_moves)) for query in _queries(page, sections=sections)]
    return rows


ROWS = (1_000, 10_000, 100_000)
METHODS = (4, 12, 22)


def _made_table(n_rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    labels = rng.random(n_rows) < 0.4
    features = rng.normal(labels[:, np.newaxis], 1.0, (n_rows, 5))
    table = pd.DataFrame(features, columns=[f"x{number}" for number in range(5)])
    # Of three classes, for the page that needs them; the others take the first one.
    return table.assign(**{"class": np.where(labels, "a", np.where(features[:, 0] > 0.0, "b", "c"))})


def _chosen(n_methods: int) -> str:
    from pages.settings.address import url_words
    from pages.settings.shared import quantifiers_chosen
    from qcore import QUANTIFIERS

    settings = quantifiers_chosen(list(QUANTIFIERS)[-n_methods:])
    return urlencode(url_words(dict(settings)), doseq=True)


def _exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of the cost over the size, both as logarithms: 0 if the cost does not depend on the size, 1 if it is linear."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def growth(n_moves: int) -> list[Row]:
    """A row for each page on data: what a move costs by the rows of the table, and by the number of quantifiers."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for n_rows in ROWS:
            _made_table(n_rows).to_csv(Path(folder) / f"{n_rows}.csv", index=False)
        with server(environment={"QUANTIFICATION_LAB_DATA": folder, "QUANTIFICATION_LAB_ASK_SECONDS": "100000"}) as running:
            for page in MOVED:
                if page not in ("", "losses"):
                    tables = [f"data=folder:{n_rows}.csv&positive=a" for n_rows in ROWS]
                    chosen = [f"data=folder:{ROWS[1]}.csv&positive=a&{_chosen(n)}" for n in METHODS]
                    by_rows, by_methods = (
                        [float(asyncio.run(_moves(*running, page, query, n_moves, 1))["CPU ms"]) for query in queries]
                        for queries in (tables, chosen)
                    )
                    cells = {f"{n:,} rows": cost for n, cost in zip(ROWS, by_rows, strict=True)}
                    cells |= {"exponent": _exponent(ROWS, by_rows)}
                    cells |= {f"{n} methods": cost for n, cost in zip(METHODS, by_methods, strict=True)}
                    rows.append({"page": page, **cells, "exponent ": _exponent(METHODS, by_methods)})
    return rows


def main() -> None:
    """Print the tables."""
    parsed = report.arguments(__doc__ or "", moves=30, sections=0, growth=0)
    tables = {"What one move costs": lambda: measure(parsed.moves, sections=bool(parsed.sections))}
    if parsed.growth:
        tables["What one move costs, by the size of the data, and by the number of quantifiers"] = lambda: growth(
            max(2, parsed.moves // 10)
        )
    report.show(tables, parsed)


if __name__ == "__main__":
    main()
