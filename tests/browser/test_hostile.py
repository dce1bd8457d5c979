"""Hostile visitors, on the real server: each attack here worked before there was a limit on it."""

import asyncio
import base64
import os
import re
import socket
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.typing import Subprotocol

from tests.browser.server import serve
from tests.browser.test_sessions import in_a_thread

pytestmark = pytest.mark.browser
LIMITS = {"UPLOADS_MEGABYTES": "20", "UPLOADS_MEGABYTES_OF_ONE_SESSION": "10"}
"""So small that floods are quick. Of what all may have, one address has 80%."""


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return tmp_path_factory.mktemp("server") / "log.txt"


@pytest.fixture(scope="module")
def server(log):
    with serve(log=log, **{f"QUANTIFICATION_LAB_{key}": value for key, value in LIMITS.items()}) as address:
        yield address


def host_of(server):
    address, port = server.removeprefix("http://").split(":")
    return address, int(port)


def status(server, path="/", of="203.0.113.9", accept="text/html", **more):
    """The status of the answer to a request that comes from an address."""
    request = urllib.request.Request(server + path, headers={"Accept": accept, "X-Forwarded-For": of}, **more)
    try:
        return urllib.request.urlopen(request, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code


async def come(server, of):
    url = server.replace("http", "ws") + "/_stcore/stream"
    headers = {"X-Forwarded-For": of}
    try:
        return await websockets.connect(
            url, subprotocols=[Subprotocol("streamlit")], additional_headers=headers, open_timeout=60, max_size=None
        )
    except (OSError, websockets.WebSocketException):
        return None


async def names_of_files(one, n):
    """(the session's name, paths at which it may put files)."""
    run, ask = BackMsg(), BackMsg()
    run.rerun_script.query_string = ""
    ask.file_urls_request.request_id = "1"
    ask.file_urls_request.file_names.extend(["x.csv"] * n)
    await one.send(run.SerializeToString())
    session, paths = "", []
    while not paths:
        message = ForwardMsg()
        message.ParseFromString(await asyncio.wait_for(one.recv(), 60))
        session = session or message.new_session.initialize.session_id
        if message.WhichOneof("type") == "script_finished":
            await one.send(ask.SerializeToString())
        paths = [url.upload_url for url in message.file_urls_response.file_urls]
    return session, paths


def put(server, path, token, of, megabytes=2):
    body = (
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n' + bytes(megabytes * 10**6) + b"\r\n--x--\r\n"
    )
    headers = {
        "X-Xsrftoken": token,
        "Cookie": f"_streamlit_xsrf={token}",
        "Content-Type": "multipart/form-data; boundary=x",
        "X-Forwarded-For": of,
    }
    try:
        return urllib.request.urlopen(urllib.request.Request(server + path, body, headers, method="PUT"), timeout=30).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        # What is refused is not read.
        return 0


def flood(server):
    """Statuses: of a wrong token, of names of one's own, and of 7 files of three sessions, two of which have one address."""
    with urllib.request.urlopen(server + "/_stcore/health") as answer:
        token = re.search(r"_streamlit_xsrf=([^;]+)", answer.headers["set-cookie"])[1]
    addresses = ("203.0.113.1", "203.0.113.1", "203.0.113.2")

    async def all_of_them():
        result = []
        sockets = [await come(server, of) for of in addresses]
        for number, (one, of) in enumerate(zip(sockets, addresses, strict=True)):
            session, paths = await names_of_files(one, 7)
            if not number:
                result.append([await asyncio.to_thread(put, server, paths[0], "none", of, 0)])
                own = [f"/_stcore/upload_file/{session}/{name}" for name in "abc"]
                result.append([await asyncio.to_thread(put, server, path, token, of) for path in own])
            result.append([await asyncio.to_thread(put, server, path, token, of) for path in paths])
        for one in sockets:
            await one.close()
        return result

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, all_of_them()).result()


@pytest.mark.thorough
def test_a_flood_of_uploads_ends_at_the_sums_of_session_address_and_all(server):
    without_token, own, first, second, third = flood(server)
    assert without_token == [403]
    assert own == [204] * 3, "files under names of one's own count like others"
    assert [code == 204 for code in first] == [True] * 2 + [False] * 5, "10 MB of one session"
    assert [code == 204 for code in second] == [True] * 3 + [False] * 4, "16 MB of one address"
    assert [code == 204 for code in third] == [True] * 2 + [False] * 5, "20 MB in all"


@pytest.mark.thorough
def test_three_hundred_idle_sockets_of_one_address_leave_room_for_others(server):
    async def crowd():
        there = []
        for _ in range(10):
            there += [one for one in await asyncio.gather(*(come(server, "203.0.113.3") for _ in range(30))) if one]
        codes = [await asyncio.to_thread(status, server, of=of) for of in ("203.0.113.3", "203.0.113.4")]
        await asyncio.gather(*(one.close() for one in there))
        return len(there), codes

    assert in_a_thread(crowd()) == (240, [503, 200])


def lines_of(log):
    return log.read_text().splitlines()


def aborted_posts(server, n):
    """Begin to send answers of a class, and go."""
    head = "POST /classroom-state/ABCDEF/answer HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for _ in range(n):
        with socket.create_connection(host_of(server), timeout=10) as one:
            one.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
            time.sleep(0.002)


@pytest.mark.thorough
def test_three_hundred_aborted_posts_leave_at_most_a_line_each(server, log):
    before = len(lines_of(log))
    aborted_posts(server, 300)
    assert status(server) == 200
    time.sleep(0.5)
    assert len(lines_of(log)) - before <= 300
    assert "Traceback" not in log.read_text()


def malformed(server):
    """Send what is no message of Streamlit's, a text that is no UTF-8, and a frame that is none."""

    async def send():
        one = await come(server, "203.0.113.5")
        await one.send(b"\xff\xff\xff")
        await one.wait_closed()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, send()).result()
    for frame in (b"\x81\x82\0\0\0\0\xff\xfe", b"\xff\x82\0\0\0\0ab", b"\x81\x82\0\0\0\0ab"):
        with socket.create_connection(host_of(server), timeout=10) as one:
            key = base64.b64encode(os.urandom(16)).decode()
            one.sendall(
                f"GET /_stcore/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            one.recv(4096)
            one.sendall(frame)
            while one.recv(4096):
                pass


def test_malformed_frames_leave_a_line_each(server, log):
    before = len(lines_of(log))
    malformed(server)
    time.sleep(0.3)
    assert len(lines_of(log)) - before <= 4
    assert "Traceback" not in log.read_text()
    assert status(server) == 200


def test_unknown_paths_are_not_there(server):
    unknown = ("/nowhere", "/corrections/nowhere", "/static/js/none.js", "/_stcore/none", "/app.py")
    assert {path: status(server, path) for path in unknown} == dict.fromkeys(unknown, 404)
    known = ("/", "/corrections", "/corrections/", "/_stcore/health", "/_stcore/host-config", "/favicon.png")
    assert {path: status(server, path) for path in known} == dict.fromkeys(known, 200)
