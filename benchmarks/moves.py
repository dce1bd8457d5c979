"""What one move of a control costs the server, page by page: processor time of all processes, and the time to the answer.

python -m benchmarks.moves [--json] [--moves 30] [--sections 0]   (about a minute; with --sections 1 every section: eight)

One session on each page moves the page's main control to values that nobody had before, one after the other. The moves before
those that are measured fill what is computed once.
"""

import asyncio
import time
from typing import Final

import numpy as np
import psutil

from benchmarks import report
from benchmarks.load import MOVED, server, tree
from benchmarks.load_sessions import Session
from benchmarks.report import Row

_FIRST_MOVES: Final = 5


def _processor_by_process(process: psutil.Process) -> tuple[float, float]:
    """Seconds of processor time of the server, and of the processes that it started."""
    own, *others = (sum(one.cpu_times()[:2]) for one in tree(process))
    return own, sum(others)


async def _moves(address: str, process: psutil.Process, page: str, query: str, n_moves: int) -> Row:
    session = Session(address, page, query)
    await session.open()
    label = MOVED[page]
    control = session.control(label)
    values = control.new_values()
    for _ in range(_FIRST_MOVES):
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
        "page": page or "home", "section": query, "moved": label, "CPU ms": own + others, "of it in the server": own,
        "answer ms": 1000.0 * float(np.median(times)), "KB sent": (session.bytes_received - sent) / n_moves / 1000.0,
    }  # fmt: skip


def _queries(page: str, *, sections: bool) -> list[str]:
    from pages.settings.pages import settings_of
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


def main() -> None:
    """Print the table."""
    parsed = report.arguments(__doc__ or "", moves=30, sections=0)
    report.show({"What one move costs": lambda: measure(parsed.moves, sections=bool(parsed.sections))}, parsed)


if __name__ == "__main__":
    main()
