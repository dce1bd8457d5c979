"""How many people can use the app at once: sessions on loopback that speak Streamlit's own protocol.

python -m benchmarks.load [--json] [--seconds 30] [--most 50]   (some four minutes)

Each of N sessions opens a page, with one of four seeds, and then moves one of its sliders every five seconds: of "Error by
prevalence" the sample size, of the mix any; there people are on all pages by turns, and some train classifiers anew.
Time is from the change to the end of the script. Then people who open one link within ten seconds.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.typing import Subprotocol

from benchmarks import report
from benchmarks.report import Row

EVERY = 5.0
PAGES = (
    "error-by-prevalence", "corrections", "classifier", "test-size", "search-space", "losses", "estimate", "compare",
    "more-than-two-classes",
)  # fmt: skip
SESSIONS = (1, 10, 20, 50)
_LIMIT = 120.0


@dataclass
class Found:
    """What sessions saw: changes asked, seconds of those that were answered, errors."""

    asked: int = 0
    seconds: list[float] = field(default_factory=list)
    errors: int = 0


@dataclass
class Control:
    """A slider of a page: its id, its fragment, and its range."""

    widget: str
    fragment: str
    low: float
    high: float
    step: float


class Session:
    """One person: a websocket, the controls that the page has, the query of its address."""

    def __init__(self, address: str, page: str, query: str = "") -> None:
        self.address, self.page, self.query = address, page, query
        self.controls: dict[str, Control] = {}
        self.hash = ""
        self.failed = False

    async def open(self) -> None:
        """Connect and run the page once."""
        url = self.address.replace("http", "ws") + "/_stcore/stream"
        self.socket = await websockets.connect(url, subprotocols=[Subprotocol("streamlit")], max_size=None, open_timeout=_LIMIT)
        await self.ask(None, 0.0)
        await self.finished()

    async def ask(self, control: Control | None, value: float) -> None:
        """Ask for a run, with a control moved."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self.hash
        if not self.hash:
            state.page_name = self.page
        if control is not None:
            state.fragment_id = control.fragment
            widget = state.widget_states.widgets.add()
            widget.id = control.widget
            widget.double_array_value.data.append(value)
        await self.socket.send(message.SerializeToString())

    async def finished(self) -> None:
        """Read until the script has ended."""
        while True:
            message = ForwardMsg()
            message.ParseFromString(await asyncio.wait_for(self.socket.recv(), _LIMIT))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.hash = message.new_session.page_script_hash
            elif kind == "delta":
                self._note(message)
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return

    def _note(self, message: ForwardMsg) -> None:
        delta = message.delta
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        if element.WhichOneof("type") == "exception":
            self.failed = True
        if element.WhichOneof("type") == "slider" and len(element.slider.default) == 1:
            one = element.slider
            self.controls[one.label] = Control(one.id, delta.fragment_id, one.min, one.max, one.step)


async def _person(
    session: Session, found: Found, seconds: float, rng: random.Random, together: tuple[asyncio.Barrier, Collection[str]]
) -> None:
    opened, only = together
    try:
        await session.open()
        await opened.wait()
        until = time.perf_counter() + seconds
        await asyncio.sleep(rng.uniform(0.0, EVERY))
        while time.perf_counter() < until and session.controls:
            control = rng.choice([one for label, one in session.controls.items() if label in only or not only])
            steps = max(1, round((control.high - control.low) / control.step))
            found.asked += 1
            started = time.perf_counter()
            await session.ask(control, control.low + control.step * rng.randint(0, steps))
            await session.finished()
            taken = time.perf_counter() - started
            found.seconds.append(taken)
            await asyncio.sleep(max(0.0, EVERY - taken))
        await session.socket.close()
    except (OSError, TimeoutError, websockets.WebSocketException):
        found.errors += 1
    found.errors += session.failed


async def _people(address: str, pages: list[str], seconds: float, only: Collection[str] = ()) -> Found:
    found, rng = Found(), random.Random(0)
    # Opening may take long; what is measured are changes.
    opened = asyncio.Barrier(len(pages))
    sessions = [Session(address, page, f"seed={number % 4}") for number, page in enumerate(pages)]
    await asyncio.gather(
        *(_person(session, found, seconds, random.Random(rng.random()), (opened, only)) for session in sessions)
    )
    return found


async def _openings(address: str, n: int, within: float) -> Found:
    found = Found(asked=n)

    async def one(wait: float) -> None:
        await asyncio.sleep(wait)
        started = time.perf_counter()
        session = Session(address, "error-by-prevalence", "size=77&seed=5")
        try:
            await session.open()
            found.seconds.append(time.perf_counter() - started)
            await session.socket.close()
        except (OSError, TimeoutError, websockets.WebSocketException):
            found.errors += 1
        found.errors += session.failed

    await asyncio.gather(*(one(within * number / n) for number in range(n)))
    return found


@contextmanager
def _server() -> Iterator[tuple[str, int]]:
    """Address and process of a server of its own."""
    from tests.browser import server

    with server.serve() as address:
        yield address, server_process(address)


def server_process(address: str) -> int:
    """The process that listens at an address, of those of this machine."""
    port = address.rpartition(":")[2]
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if f"--server.port={port}".encode() in words or (port.encode() in words and b"--server.port" in words):
            return int(path.parent.name)
    raise RuntimeError(f"no process listens on port {port}")


def _memory(process: int, name: str) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))


def _processor(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _measured(work: Callable[[str], Awaitable[Found]], what: str) -> Row:
    with _server() as (address, process):
        asyncio.run(Session(address, "error-by-prevalence").open())
        start, before = _memory(process, "VmRSS"), _processor(process)
        found: Found = asyncio.run(work(address))  # type: ignore[arg-type]
        used = _processor(process) - before
        p50, p95, p99 = np.quantile(found.seconds or [np.nan], (0.5, 0.95, 0.99))
        return {
            "what": what, "asked": float(found.asked), "answered": float(len(found.seconds)), "p50 s": float(p50),
            "p95 s": float(p95), "p99 s": float(p99), "errors": float(found.errors),
            "CPU ms per answer": 1000.0 * used / max(1, len(found.seconds)), "MB at start": start,
            "MB at peak": _memory(process, "VmHWM"), "MB at end": _memory(process, "VmRSS"),
        }  # fmt: skip


def one_page(seconds: float, most: int) -> list[Row]:
    """Sessions on "Error by prevalence"."""
    return [
        _measured(lambda address, n=n: _people(address, ["error-by-prevalence"] * n, seconds, ["Sample size"]), f"{n} sessions")  # type: ignore[misc]
        for n in SESSIONS
        if n <= most
    ]


def all_pages(seconds: float, most: int) -> list[Row]:
    """Sessions on all pages by turns."""
    return [
        _measured(
            lambda address, n=n: _people(address, [PAGES[number % len(PAGES)] for number in range(n)], seconds),  # type: ignore[misc]
            f"{n} sessions",
        )
        for n in SESSIONS
        if n <= most
    ]


def openings() -> list[Row]:
    """200 people who open one link within ten seconds."""
    return [_measured(lambda address: _openings(address, 200, 10.0), "200 openings")]


def main() -> None:
    """Print the tables."""
    parsed = report.arguments(__doc__ or "", seconds=30, most=50)
    tables: dict[str, Callable[[], list[Row]]] = {
        '"Error by prevalence", a change every five seconds': partial(one_page, parsed.seconds, parsed.most),
        "All pages by turns": partial(all_pages, parsed.seconds, parsed.most),
        "One link": openings,
    }
    report.show(tables, parsed)


if __name__ == "__main__":
    main()
