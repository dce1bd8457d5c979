"""How many people can use the app at once: sessions on loopback that speak Streamlit's own protocol.

python -m benchmarks.load [--json] [--seconds 30] [--most 50] [--minutes 0]   (about fifteen minutes, plus --minutes)

Each of N sessions opens a page, with one of four seeds, and then moves a slider every five seconds: in the first test the
sample size of "Error by prevalence", in the second the main control of one page after the other, each to a value that nobody
had before, in the third any slider on any of the pages, some of which train classifiers again. Time runs from the change to
the end of the script. Further tests: 200 people open one link within ten seconds; one person trains a forest on 40,000 rows
beside ten others; 200 links to expensive views are opened from one address beside ten sessions from another. Processor time
and memory include all processes of the server; memory that processes share counts once.
"""

import asyncio
import contextlib
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
import pandas as pd
import psutil

from benchmarks import report
from benchmarks.load_sessions import TRAINS, Found, Session, new_values_of, openings, people
from benchmarks.report import Row

PAGES = (
    "error-by-prevalence",
    "corrections",
    "classifier",
    "test-size",
    "search-space",
    "losses",
    "estimate",
    "compare",
    "more-than-two-classes",
)
MOVED: Final[Mapping[str, str]] = {
    "": "True share of 8s today",
    "error-by-prevalence": "Sample size",
    "corrections": "Sample size",
    "classifier": "Threshold, typed",
    "test-size": "Prevalence (column)",
    "search-space": "Positives, P",
    "losses": "Sample size, typed",
    "estimate": "Sample size",
    "more-than-two-classes": "Sample size",
}
"""Page -> the control that a class would move on it. The other pages have none that works without training."""

SESSIONS = (1, 10, 20, 50)
WORKERS = 2
EXPENSIVE = (
    "error-by-prevalence?data=waveform&classifier=random+forest&share=0.9&grid=101&repeats=500",
    "test-size?data=waveform&classifier=quantification+forest&runs=50&points=101",
    "search-space?data=waveform&learners=SVM-GM,SVM-F1,random+forest",
    "test-size?test_size_section=Recommender&data=waveform&classifier=random+forest",
)

_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})

Work = Callable[[str], Awaitable[Found]]


@contextlib.contextmanager
def server(workers: int = 1, environment: Mapping[str, str] = _NO_SETTINGS) -> Iterator[tuple[str, psutil.Process]]:
    """Start a new server whose store of finished pieces is empty, and yield its address and its process."""
    from tests.browser import server as started

    with tempfile.TemporaryDirectory() as folder:
        settings = {**environment, "QUANTIFICATION_LAB_PIECES": folder}
        if workers > 1:
            from tests.browser.workers import serve_by_workers

            with serve_by_workers(workers, **settings) as (process, address):
                yield address, psutil.Process(process.pid)
            return
        with started.serve(started.ROOT, None, port=0, **settings) as address:
            yield address, server_process(address)


def server_process(address: str) -> psutil.Process:
    """The process of this machine that listens at an address."""
    port = address.rpartition(":")[2]
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "--server.port" in words and port in words:
            return process
    raise RuntimeError(f"no process listens on port {port}")


def tree(process: psutil.Process) -> list[psutil.Process]:
    """A process, and all that it started, the first one first."""
    return [process, *process.children(recursive=True)]


def _megabytes(process: psutil.Process) -> float:
    total = 0.0
    for one in tree(process):
        with contextlib.suppress(psutil.Error):
            total += one.memory_full_info().pss / 2**20
    return total


def _processor(process: psutil.Process) -> float:
    total = 0.0
    for one in tree(process):
        with contextlib.suppress(psutil.Error):
            total += sum(one.cpu_times()[:2])
    return total


async def _with_peak(work: Awaitable[Found], process: psutil.Process) -> tuple[Found, float]:
    """The result of the work, and the server's peak memory meanwhile, measured each second."""
    running, most = asyncio.ensure_future(work), 0.0
    while not running.done():
        most = max(most, await asyncio.to_thread(_megabytes, process))
        await asyncio.wait([running], timeout=1.0)
    return running.result(), most


def _measured(
    work: Work,
    what: str,
    *,
    workers: int = 1,
    environment: Mapping[str, str] = _NO_SETTINGS,
    first: str = "error-by-prevalence",
) -> list[Row]:
    """A row for all answers; if some changes trained a classifier, separate rows for these and for the others.

    `first` is the page that somebody has opened before.
    """
    with server(workers, environment) as (address, process):
        asyncio.run(Session(address, first).open())
        start, before = _megabytes(process), _processor(process)
        result, peak = asyncio.run(_with_peak(work(address), process))
        used = 1000.0 * (_processor(process) - before) / max(1, len(result.answers))
        shared = {
            "errors": float(result.errors),
            "picture in s": max(result.pictures, default=np.nan),
            "opened in s": max(result.openings, default=np.nan),
            "CPU ms": used,
            "MB at start": start,
            "MB at peak": peak,
            "MB at end": _megabytes(process),
        }
    light = [answer.seconds for answer in result.answers if answer.control != TRAINS]
    training = [answer for answer in result.answers if answer.control == TRAINS]
    rows = [_row(what if not training else f"{what}, light controls", light, shared)]
    if training:
        rows.append(_row(f"{what}, those that train", [answer.seconds for answer in training], shared))
        rows.append(_row(f"{what}, those that train, first sign", [answer.seen_after for answer in training], shared))
    return rows


def _row(what: str, seconds: list[float], shared: dict[str, float]) -> Row:
    p50, p95, p99 = np.quantile(seconds or [np.nan], (0.5, 0.95, 0.99))
    times = {"answered": float(len(seconds)), "p50 s": float(p50), "p95 s": float(p95), "p99 s": float(p99)}
    return {"what": what, **times, **shared}


def _on_one_page(n: int, seconds: float) -> Work:
    return partial(_same_page, "error-by-prevalence", n, seconds)


def _same_page(page: str, n: int, seconds: float, address: str) -> Awaitable[Found]:
    """Run `n` sessions on one page, each moving the page's main control to values that nobody had before."""
    return people(address, [page] * n, seconds, new_values_of(MOVED[page]))


def _on_all_pages(n: int, seconds: float) -> Work:
    return lambda address: people(address, [PAGES[number % len(PAGES)] for number in range(n)], seconds)


def _by_number(make: Callable[[int, float], Work], seconds: float, most: int) -> list[Row]:
    numbers = [n for n in SESSIONS if n <= most]
    rows = [row for n in numbers for row in _measured(make(n, seconds), f"{n} sessions")]
    return [*rows, *_measured(make(numbers[-1], seconds), f"{numbers[-1]} sessions, {WORKERS} workers", workers=WORKERS)]


def each_page(seconds: float, most: int) -> list[Row]:
    """A row for each page: `most` sessions open it at once, and move its main control."""
    return [row for page in MOVED for row in _measured(partial(_same_page, page, most, seconds), page or "home", first=page)]


def one_link() -> list[Row]:
    """A row on 200 people who open one link within ten seconds."""
    return _measured(lambda address: openings(address, 200, 10.0), "200 openings")


def beside_a_forest(seconds: float) -> list[Row]:
    """Rows on ten sessions alone, and while another one trains a forest on 40,000 rows."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(40_000, 10))
    table = pd.DataFrame(features, columns=[f"x{number}" for number in range(10)])
    table["class"] = np.where(features[:, 0] + rng.normal(size=40_000) > 0.0, "yes", "no")
    query = "data=folder:forest.csv&classifier=random+forest&share=0.9&seed=99"

    async def both(address: str) -> Found:
        training = asyncio.ensure_future(Session(address, "error-by-prevalence", query).open())
        await asyncio.sleep(2.0)
        result = await _on_one_page(10, seconds)(address)
        if training.done():
            raise RuntimeError("the forest was trained before the others were done")
        training.cancel()
        return result

    with tempfile.TemporaryDirectory() as folder:
        table.to_csv(Path(folder) / "forest.csv", index=False)
        settings = {"QUANTIFICATION_LAB_DATA": folder, "QUANTIFICATION_LAB_ASK_SECONDS": "100000"}
        alone = _measured(_on_one_page(10, seconds), "10 sessions", environment=settings)
        return [*alone, *_measured(both, "10 sessions beside a forest", environment=settings)]


def beside_a_hostile_visitor(seconds: float) -> list[Row]:
    """Rows on ten sessions while 200 links to expensive views are opened again and again from another address."""

    async def hostile(address: str, number: int) -> None:
        page, _, query = EXPENSIVE[number % len(EXPENSIVE)].partition("?")
        with contextlib.suppress(Exception):
            await Session(address, page, f"{query}&seed={random.Random(number).randint(0, 9999)}", "127.0.0.2").open()

    async def both(address: str) -> Found:
        asking = [asyncio.ensure_future(hostile(address, number)) for number in range(200)]
        result = await _on_one_page(10, seconds)(address)
        for one in asking:
            one.cancel()
        return result

    settings = {"QUANTIFICATION_LAB_ASK_SECONDS": "100000"}
    return _measured(both, "10 sessions beside 200 expensive links", environment=settings)


def over_minutes(minutes: int) -> list[Row]:
    """A row for each minute: memory with 50 sessions on all pages."""
    rows: list[Row] = []

    async def watched(address: str, process: psutil.Process) -> None:
        running = asyncio.ensure_future(_on_all_pages(50, 60.0 * minutes)(address))
        for minute in range(1, minutes + 1):
            await asyncio.wait([running], timeout=60.0)
            rows.append({"what": f"after {minute} minutes", "MB": await asyncio.to_thread(_megabytes, process)})
        await running

    with server() as (address, process):
        asyncio.run(watched(address, process))
    return rows


def main() -> None:
    """Print the tables."""
    parsed = report.arguments(__doc__ or "", seconds=30, most=50, minutes=0)
    tables: dict[str, Callable[[], list[Row]]] = {
        '"Error by prevalence", a change every five seconds': partial(_by_number, _on_one_page, parsed.seconds, parsed.most),
        "Each page by itself, a change every five seconds, each value new": partial(each_page, parsed.seconds, parsed.most),
        "All pages by turns": partial(_by_number, _on_all_pages, parsed.seconds, parsed.most),
        "One link": one_link,
        "A forest on 40,000 rows": partial(beside_a_forest, parsed.seconds),
        "A hostile visitor": partial(beside_a_hostile_visitor, parsed.seconds),
    }
    if parsed.minutes:
        tables["Memory with 50 sessions on all pages"] = partial(over_minutes, parsed.minutes)
    report.show(tables, parsed)


if __name__ == "__main__":
    main()
