"""A classroom of 200: do all answers count, how soon does the teacher see them, and do others feel it?

python -m benchmarks.classroom [--json] [--people 200] [--seconds 10]   (about three minutes; needs a browser)

All members have the step's page open over Streamlit's protocol and ask whether something has changed, as a browser does. Each
answers at a random moment; the teacher's page asks for the answers. Ten other sessions move the sample size of "Error by
prevalence" every five seconds to new values, first alone, then during the answers. Last, the teacher goes on to the next step,
and the time until all pages have it is measured.

Then a teacher in a real browser leads a class of as many through a lesson, one of them in a browser, too: from the click on
"Next" to that student's picture, and to the last other page that has the step. Both browsers share the server's processors.
"""

import asyncio
import json
import random
import re
import tempfile
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.async_api import async_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks import report
from benchmarks.load import MOVED
from benchmarks.load_sessions import Session, new_values_of, people
from benchmarks.report import Row
from tests.browser import chromium

OTHERS = ["error-by-prevalence"] * 10
STEPS = 7
"""Of the first lesson."""
# A step is there when the strip names it and its picture has been drawn; no chart or progress bar is left from the one before.
SEEN = """(head) => document.querySelector('.st-key-lesson-head p')?.textContent.includes(head)
  && document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
  && document.querySelector('[data-drawn]') && !document.querySelector('[data-testid=stProgress]')"""


@dataclass
class Seen:
    """When each answer was taken, when the teacher's page had how many, and when each member's page had the next step."""

    taken: list[float] = field(default_factory=list)
    shown: list[tuple[int, float]] = field(default_factory=list)
    arrived: list[float] = field(default_factory=list)

    def delays(self) -> list[float]:
        """Seconds from each answer until the teacher's page had at least as many."""
        return [next(at for n, at in self.shown if n >= number) - taken for number, taken in enumerate(sorted(self.taken), 1)]


async def request(address: str, path: str, body: object, **headers: str) -> tuple[int, object]:
    """Status and JSON of the answer to a POST over a connection of its own."""
    place = urllib.parse.urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    sent = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", f"Host: {place.netloc}", "Connection: close"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(sent)}", "X-Classroom: 1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode() + sent)
    head, _, text = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(text)


class Member(Session):
    """A session that keeps by which word the classroom knows it."""

    word = ""

    def _note(self, message: ForwardMsg) -> None:
        super()._note(message)
        drawn = message.delta.new_element.bidi_component
        if drawn.component_name == "classroom_member":
            self.word = json.loads(drawn.bytes)["member"]


async def member(address: str, code: str, number: int, within: float, page: str, seen: Seen, opened: asyncio.Barrier) -> None:
    """A student: answers once, and asks all the time whether something has changed; at the next step runs the page."""
    state, session = f"/classroom-state/{code}", Member(address, "", f"classroom={code}")
    await session.open()
    name = session.word
    await opened.wait()

    async def answers() -> None:
        await asyncio.sleep(random.Random(number).uniform(0.0, within))
        status, said = await request(
            address, f"{state}/answer", {"member": name, "question": "counting 1 1", "value": number % 3}
        )
        if status != 200:
            raise RuntimeError(f"an answer was refused: {said}")
        seen.taken.append(time.perf_counter())

    answering, version = asyncio.ensure_future(answers()), "0"
    while True:
        _, now = await request(address, f"{state}/shown", {"since": version, "member": name})
        if not isinstance(now, dict):
            raise TypeError(now)
        version = str(now["version"])
        if now["look"] != page:
            break
        await asyncio.sleep(0.3)
    await answering
    await session.ask(None, 0.0)
    await session.finished()
    seen.arrived.append(time.perf_counter())
    await session.socket.close()


async def teacher(address: str, code: str, secret: str, n: int, seen: Seen) -> None:
    """The teacher's page: asks for the answers until all are there."""
    stamp, number = "", 0
    while number < n:
        sent = {"question": "counting 1 1", "since": stamp}
        _, now = await request(address, f"/classroom-state/{code}/answers", sent, x_teacher=secret)
        if not isinstance(now, dict):
            raise TypeError(now)
        stamp, number = now["stamp"], len(now["values"])
        seen.shown.append((number, time.perf_counter()))
        await asyncio.sleep(0.3)


async def follower(address: str, code: str, opened: asyncio.Barrier, arrived: asyncio.Queue[float]) -> None:
    """A student who runs the page whenever something else is shown, until they are cancelled."""
    session, version, look = Member(address, "", f"classroom={code}"), "0", None
    await session.open()
    while True:
        sent = {"since": version, "member": session.word}
        _, now = await request(address, f"/classroom-state/{code}/shown", sent)
        if not isinstance(now, dict):
            raise TypeError(now)
        if look is None:
            await opened.wait()
        elif now["look"] != look:
            await session.ask(None, 0.0)
            await session.finished()
            arrived.put_nowait(time.perf_counter())
        version, look = str(now["version"]), now["look"]
        await asyncio.sleep(0.3)


async def lesson(address: str, n: int) -> list[Row]:
    """Rows: from a teacher's click on "Next" to the picture of a student in a browser, and to the last of all other pages."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        teachers, students = [await (await browser.new_context()).new_page() for _ in range(2)]
        await teachers.goto(f"{address}/learn")
        await teachers.get_by_role("link", name="Open or join a classroom").click()
        await teachers.get_by_role("button", name="Open a classroom").click()
        name = teachers.locator(".classroom-teacher strong")
        await name.filter(has_text=re.compile("[A-Z2-9]{8}")).wait_for()
        code = (await name.inner_text()).split()[-1]
        opened, arrived = asyncio.Barrier(n), asyncio.Queue[float]()
        others = [asyncio.ensure_future(follower(address, code, opened, arrived)) for _ in range(n - 1)]
        await students.goto(f"{address}/learn?classroom={code}")
        await opened.wait()
        await teachers.get_by_role("button", name="Start: Counting goes wrong").click()
        pictures, lasts = [], []
        for number in range(1, STEPS + 1):
            if number > 1:
                await teachers.wait_for_timeout(1000)
                started = time.perf_counter()
                await teachers.get_by_role("button", name="Next →").click()
            await students.wait_for_function(SEEN, arg=f"Step {number} of {STEPS}")
            seen = time.perf_counter()
            last = max([await arrived.get() for _ in others])
            if number > 1:
                pictures.append(seen - started)
                lasts.append(last - started)
        for one in others:
            one.cancel()
        await browser.close()
    return [_row("the picture of a student in a browser", pictures), _row(f"the last of {n - 1} other pages", lasts)]


async def lecture(address: str, folder: Path, n: int, within: float) -> list[Row]:
    """Rows: the other sessions alone, the answers, the other sessions during the answers, the next step."""
    from pages.learn.classroom.store import Classrooms, Shown

    rooms = Classrooms(folder / "classrooms.sqlite")
    code, secret = rooms.begin()
    first = Shown("counting", "en", 1, kind="choice", n_options=3)
    rooms.show(code, first)
    moved = new_values_of(MOVED["error-by-prevalence"])
    alone = await people(address, OTHERS, within, moved)
    seen, opened = Seen(), asyncio.Barrier(n + 1)
    members = [asyncio.ensure_future(member(address, code, i, within, first.look, seen, opened)) for i in range(n)]
    # All pages are open before anybody answers and anything is measured.
    await opened.wait()
    meanwhile, _ = await asyncio.gather(
        people(address, OTHERS, within, moved), asyncio.wait_for(teacher(address, code, secret, n, seen), 120.0)
    )
    started = time.perf_counter()
    rooms.show(code, Shown("counting", "en", 2, kind="find"))
    await asyncio.gather(*members)
    delays = seen.delays()
    return [
        _row("ten others alone", [answer.seconds for answer in alone.answers]),
        _row(f"{len(seen.taken)} of {n} answers, until the teacher sees them", delays),
        _row("ten others meanwhile", [answer.seconds for answer in meanwhile.answers]),
        _row("the next step, until a page has it", [at - started for at in seen.arrived]),
    ]


def _row(what: str, seconds: list[float]) -> Row:
    p50, p95 = np.quantile(seconds, (0.5, 0.95))
    return {"what": what, "n": float(len(seconds)), "p50 s": float(p50), "p95 s": float(p95), "most s": max(seconds)}


def main() -> None:
    """Print the table."""
    from tests.browser import server

    parsed = report.arguments(__doc__ or "", people=200, seconds=10)

    def measure() -> list[Row]:
        with (
            tempfile.TemporaryDirectory() as folder,
            server.serve(QUANTIFICATION_LAB_PIECES=folder, QUANTIFICATION_LAB_SESSIONS="1000") as address,
        ):
            return asyncio.run(lecture(address, Path(folder), parsed.people, parsed.seconds))

    def lead() -> list[Row]:
        with server.serve(QUANTIFICATION_LAB_SESSIONS="1000") as address:
            return asyncio.run(lesson(address, parsed.people))

    title = f'From "Next" to the screens of a class of {parsed.people}'
    report.show({f"A classroom of {parsed.people}": measure, title: lead}, parsed)


if __name__ == "__main__":
    main()
