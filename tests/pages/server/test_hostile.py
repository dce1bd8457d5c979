"""Hostile visitors, without a server: what is asked, sent or left open is limited, by session, by address and in all."""

import asyncio
import logging
import resource
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Mount, Route

from pages import server
from pages.learn.classroom.store import Classrooms
from pages.server import request_bodies, visitors
from pages.server.faults import Faults, OneLine
from pages.server.request_bodies import UPLOAD_PATH, RequestBodies, Uploads
from pages.server.visitors import STREAM_PATH, KnownPaths, SessionLimit
from pages.work import by_address, limits
from qcore import InvalidInput
from qcore.datasets import folder
from qcore.datasets.table_limits import TableLimits, within
from tests.pages.server import run_asynchronously

MEGABYTE = 2**20


def limited(monkeypatch, **values):
    """Set limits for all that is made from here on."""
    for key, value in values.items():
        monkeypatch.setenv(limits.PREFIX + key, str(value))
    limits.limit.cache_clear()
    monkeypatch.setattr(request_bodies, "UPLOADS", Uploads())


@pytest.fixture(autouse=True)
def _limits():
    yield
    limits.limit.cache_clear()


async def answer_to(application, method="PUT", path="/", address="192.0.2.1", parts=(b"x",), **headers):
    """(status, text) of the answer to a request whose body comes in parts; None among them is a pause without an end."""
    sent, left = [], list(parts)

    async def receive():
        part = left.pop(0) if left else b""
        if part is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": part, "more_body": bool(left)}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"", "root_path": "", "scheme": "http",
        "server": ("localhost", 80), "client": (address, 1),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    await application(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode()


async def status_of(application, *args, **kwargs):
    return (await answer_to(application, *args, **kwargs))[0]


async def takes_all(scope, receive, send):
    """An application that reads the whole body."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        if not message["more_body"]:
            break
    await PlainTextResponse("", 204)(scope, receive, send)


class TestUploads:
    @pytest.fixture(autouse=True)
    def there(self, monkeypatch):
        """The (session, file) that Streamlit has."""
        there = set()
        monkeypatch.setattr(request_bodies, "is_there", lambda *file: file in there)
        return there

    def put(self, there, n, *, session="s", address="192.0.2.1", length=MEGABYTE):
        """Statuses of so many files of one session."""
        statuses = []

        async def all_of_them():
            bodies = RequestBodies(takes_all)
            for number in range(n):
                more = {"content_length": str(length)} if length else {}
                statuses.append(await status_of(bodies, path=f"{UPLOAD_PATH}{session}/{number}", address=address, **more))
                there.add((session, str(number)))

        run_asynchronously(all_of_them())
        return statuses

    def test_sums_of_session_address_and_all(self, monkeypatch, there):
        limited(monkeypatch, UPLOADS_MEGABYTES=10, UPLOADS_MEGABYTES_OF_ONE_SESSION=5, PERCENT_OF_ONE_ADDRESS=80)
        assert self.put(there, 7) == [204] * 5 + [413] * 2
        assert self.put(there, 7, session="t") == [204] * 3 + [503] * 4
        assert self.put(there, 7, session="u", address="192.0.2.2") == [204] * 2 + [503] * 5
        there -= {("s", "0"), *(("t", str(number)) for number in range(7))}
        assert self.put(there, 7, session="v", address="192.0.2.2") == [204] * 4 + [503] * 3

    def test_an_ipv6_network_is_one_address(self, monkeypatch, there):
        limited(monkeypatch, UPLOADS_MEGABYTES=10, PERCENT_OF_ONE_ADDRESS=30)
        statuses = [self.put(there, 1, session=f"v{i}", address=f"2001:db8::{i}")[0] for i in range(1, 5)]
        assert statuses == [204, 204, 204, 503]

    def test_a_file_without_a_length_counts_as_the_largest(self, monkeypatch, there):
        limited(monkeypatch, UPLOAD_MEGABYTES=3, UPLOADS_MEGABYTES_OF_ONE_SESSION=5)
        assert self.put(there, 2, length=0) == [204, 413]

    def test_what_a_closed_session_has_sent_is_free_again(self, monkeypatch, there):
        limited(monkeypatch, UPLOADS_MEGABYTES_OF_ONE_SESSION=5)
        assert self.put(there, 6) == [204] * 5 + [413]
        there.clear()
        assert self.put(there, 5) == [204] * 5

    def test_a_file_that_is_sent_again_counts_once(self, monkeypatch, there):
        limited(monkeypatch, UPLOADS_MEGABYTES_OF_ONE_SESSION=5)
        for _ in range(3):
            assert self.put(there, 2) == [204] * 2
        assert request_bodies.UPLOADS.held.n() == 2 * MEGABYTE

    def test_a_file_whose_session_has_ended_while_it_came_is_dropped(self, monkeypatch):
        limited(monkeypatch)
        dropped = []
        manager = SimpleNamespace(remove_file=lambda *of: dropped.append(of))
        runtime = SimpleNamespace(is_active_session=lambda session: session == "s", uploaded_file_mgr=manager)
        monkeypatch.setattr(st, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: runtime))
        self.put(set(), 1)
        self.put(set(), 1, session="t")
        assert dropped == [("t", "0")]


def test_who_pauses_while_they_send_is_gone(monkeypatch):
    limited(monkeypatch)
    monkeypatch.setattr(request_bodies, "_NEXT_WITHIN", 0.05)
    result = []

    async def send_slowly():
        result.append(await status_of(Faults(RequestBodies(takes_all)), "POST", parts=(b"x", None)))

    run_asynchronously(send_slowly())
    assert result == [408]


def test_bodies_that_are_being_sent_are_limited_by_address(monkeypatch):
    limited(monkeypatch, HALF_OPEN=10, PERCENT_OF_ONE_ADDRESS=80)
    result = []

    async def send_many():
        bodies = RequestBodies(takes_all)
        waiting = [asyncio.create_task(status_of(bodies, "POST", parts=(b"x", None))) for _ in range(8)]
        await asyncio.sleep(0)
        result.extend([await status_of(bodies, "POST"), await status_of(bodies, "POST", address="192.0.2.2")])
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        result.append(await status_of(bodies, "POST"))

    run_asynchronously(send_many())
    assert result == [503, 204, 204]


class Sockets:
    """Websockets of sessions that are opened and say nothing, or something."""

    def __init__(self):
        self.limit, self.sent = SessionLimit(self.answer), []

    @staticmethod
    async def answer(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def open(self, address, *messages):
        """Open one, send messages, and say nothing from then on."""
        left, closed = [{"type": "websocket.connect"}, *messages], asyncio.Event()

        async def receive():
            if left:
                return left.pop(0)
            await closed.wait()
            return {"type": "websocket.disconnect"}

        async def send(message):
            self.sent.append(message["type"].removeprefix("websocket."))

        scope = {"type": "websocket", "path": STREAM_PATH, "client": (address, 1), "headers": []}
        await self.limit(scope, receive, send)


def test_idle_sockets_of_one_address_take_its_share_and_no_more(monkeypatch):
    limited(monkeypatch, SESSIONS=10)
    sockets = Sockets()

    async def crowd():
        tasks = [asyncio.create_task(sockets.open("192.0.2.1")) for _ in range(12)]
        tasks += [asyncio.create_task(sockets.open("192.0.2.2")) for _ in range(5)]
        # This machine has no share of its own: a proxy on it may not say who visits.
        await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    run_asynchronously(crowd())
    assert (sockets.sent.count("accept"), sockets.sent.count("close")) == (10, 7)
    assert sockets.limit.open.n() == 0


def test_a_lecture_room_of_two_hundred_has_room_by_default(monkeypatch):
    limited(monkeypatch)
    assert SessionLimit(None).open.of_one_address >= 240


def test_a_socket_that_never_sends_a_message_is_closed(monkeypatch):
    limited(monkeypatch)
    monkeypatch.setattr(visitors, "limit", lambda key: {"SESSIONS": 9, "FIRST_MESSAGE_SECONDS": 0.05}[key])
    silent, speaks = Sockets(), Sockets()

    async def both():
        await asyncio.wait_for(silent.open("192.0.2.1"), 10)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(speaks.open("192.0.2.1", {"type": "websocket.receive", "bytes": b"x"}), 0.5)

    run_asynchronously(both())
    assert silent.sent == ["accept", "close"]
    assert speaks.sent == ["accept"], "who has asked for a page may look at it for as long as they like"


def test_new_pages_are_refused_before_files_run_out(monkeypatch):
    limited(monkeypatch)
    monkeypatch.setattr(visitors, "room_for_files", lambda: 0.2)
    sockets = Sockets()
    run_asynchronously(sockets.open("192.0.2.1"))
    assert sockets.sent == ["close"]


def test_the_limit_of_open_files_is_raised_and_what_is_left_is_known():
    code = (
        "import resource, os\n"
        "hard = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 600)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))\n"
        "from pages.server.visitors import raise_limit_of_files, room_for_files\n"
        "raise_limit_of_files()\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard, room_for_files() > 0.8)\n"
        "files = [os.open(os.devnull, os.O_RDONLY) for _ in range(hard - 40)]\n"
        "print(0 < room_for_files() < 0.1)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.stdout.split() == ["True"] * 3, result.stderr
    assert visitors.room_for_files() > 0
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 0


def app_of(*middleware, fails=None):
    """An application with a page, a file of Streamlit's, and the last route that takes everything, as Streamlit has it."""

    async def serve(scope, receive, send):
        if fails is not None:
            raise fails
        await (PlainTextResponse if scope["path"] == "/favicon.png" else HTMLResponse)("the app")(scope, receive, send)

    routes = [Route("/_stcore/health", lambda _: PlainTextResponse("ok")), Mount("/", serve, name="static-assets")]
    return Starlette(routes=routes, middleware=[Middleware(kind) for kind in middleware])


def get(application, path, accept="text/html"):
    result = []

    async def ask():
        result.append(await answer_to(application, "GET", path, accept=accept))

    run_asynchronously(ask())
    return result[0]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/corrections", 200), ("/favicon.png", 200), ("/_stcore/health", 200), ("/nowhere", 404),
     ("/corrections/x", 404), ("/static/js/none.js", 404), ("/_stcore/none", 404), ("/app.py", 404),
     ("/classroom-state/teacher", 200)],
)  # fmt: skip
def test_where_nothing_is_nothing_is_found(path, status):
    for accept in ("text/html", "image/png"):
        assert get(app_of(KnownPaths), path, accept)[0] == status
    text = get(app_of(KnownPaths), "/nowhere")[1]
    assert "There is no such page" in text
    assert "the app" not in text


@pytest.mark.parametrize(
    ("error", "status", "n_lines"),
    [(ClientDisconnect(), 408, 0), (OSError(28, "No space left on device"), 500, 1), (sqlite3.OperationalError("full"), 500, 1),
     (InvalidInput("x", "be y", "z", "Wait."), 503, 0), (ZeroDivisionError(), 500, 1)],
)  # fmt: skip
def test_what_fails_is_one_line_and_a_word(error, status, n_lines, caplog):
    code, text = get(app_of(Faults, fails=error), "/corrections")
    assert code == status
    assert "/" not in text
    assert len(caplog.text.splitlines()) == n_lines


def test_a_traceback_is_put_into_one_line():
    try:
        raise ValueError("a\nb")
    except ValueError as error:
        info = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "f", 1, "Exception in %s\n", ("it",), info)
    assert OneLine(BaseException).filter(record)
    text = logging.Formatter().format(record)
    assert len(text.splitlines()) == 1
    assert text.startswith("Exception in it: ValueError: a b (")
    record = logging.LogRecord("streamlit.error_util", logging.ERROR, "f", 1, "ours", (), info)
    assert OneLine(OSError).filter(record)
    assert record.exc_info == info, "an error of our own keeps its traceback"


def test_what_refuses_stands_before_what_answers():
    names = [one.cls.__name__ for one in server.middleware()]
    assert names[:6] == ["SecurityHeaders", "Faults", "KnownHosts", "KnownPaths", "SessionLimit", "RequestBodies"]
    assert by_address.Held(5).of_one_address == 4


def test_no_sentence_says_where_files_lie(monkeypatch, tmp_path):
    monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
    (tmp_path / "taken").write_text("a file, where a folder should be")
    (tmp_path / "large.csv").write_text("x,y\n1,2\n")
    for act in (
        lambda: folder.load("none.csv"),
        lambda: folder.load("large.csv"),
        lambda: Classrooms(tmp_path / "taken" / "classrooms.sqlite").begin(),
    ):
        with within(TableLimits(file=0)), pytest.raises(InvalidInput) as refused:
            act()
        assert str(tmp_path) not in str(refused.value)


def test_uploads_stay_in_memory():
    """By default Starlette writes an upload of more than a megabyte to a temporary file."""
    code = (
        "from starlette.formparsers import MultiPartParser\n"
        "from pages.server.start import prepare\n"
        "from pages.work.limits import limit\n"
        "prepare()\n"
        "print(MultiPartParser.spool_max_size > limit('UPLOAD_MEGABYTES') * 2**20)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert result.stdout == "True\n", result.stderr
