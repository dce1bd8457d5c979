"""Faults and strangers, on the real server: what it is sent, what is killed, how many come at once."""

import asyncio
import contextlib
import re
import socket
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil
import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.typing import Subprotocol

from benchmarks.load import server_process
from benchmarks.load_sessions import Session
from tests.browser.server import serve
from tests.browser.test_sessions import SLOW, in_a_thread, rests, training, until

pytestmark = pytest.mark.browser
SMALL = "data=iris&classifier=random+forest&seed={}"
VALUES = {
    "string_value": "<b>secret</b>", "bool_value": True, "int_value": 5, "bytes_value": b"x", "json_value": "{",
    "double_value": 0.5,
}  # fmt: skip


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return tmp_path_factory.mktemp("server") / "log.txt"


@pytest.fixture(scope="module")
def server(log):
    """A server that can keep no pieces, and lets one job of each address wait."""
    with serve(log=log, QUANTIFICATION_LAB_PIECES="/proc/none", QUANTIFICATION_LAB_WAITING_OF_ONE_ADDRESS="1") as address:
        yield address


async def answered(server, query):
    """Open a page and wait for its chart; an error after a minute without it."""
    session = Session(server, "error-by-prevalence", query)
    await session.connect()
    await until(session, lambda message: message.delta.new_element.HasField("bidi_component"))
    await session.finished()
    await session.socket.close()


@pytest.mark.thorough
def test_a_folder_for_pieces_that_cannot_be_made_stops_nobody(server):
    in_a_thread(answered(server, SMALL.format(1)))


@pytest.mark.thorough
def test_the_process_that_forks_may_be_killed_and_its_children_with_it(server):
    in_a_thread(answered(server, SMALL.format(1)))  # what trains is there from then on
    children = server_process(server).children(recursive=True)
    (forks,) = [one for one in children if "forkserver" in " ".join(one.cmdline()) and one.children()]
    for one in (forks, *forks.children()):
        with contextlib.suppress(psutil.NoSuchProcess):
            one.kill()
    in_a_thread(answered(server, SMALL.format(2)))


@pytest.mark.thorough
def test_who_says_that_they_come_from_elsewhere_has_the_turns_of_one_address(server):
    async def forge():
        sessions, refused = [], False
        for number in range(4):
            session = Session(server, "error-by-prevalence", SLOW.format(50 + number), "127.0.0.2", f"10.0.0.{number}")
            sessions.append(session)
            await session.connect()
            seen = []

            def told(message, seen=seen):
                text = message.delta.new_element.alert.body + message.delta.new_element.markdown.body
                seen.append("from your address are waiting" in text)
                return seen[-1] or training(message)

            await until(session, told)
            refused = refused or seen[-1]
        for session in sessions:
            await session.socket.close()
        return refused

    assert in_a_thread(forge())
    assert rests(server)


@pytest.mark.thorough
def test_four_hundred_sockets_and_two_hundred_half_open_ones(server):
    address, port = server.removeprefix("http://").split(":")

    async def crowd():
        async def come():
            try:
                url = server.replace("http", "ws") + "/_stcore/stream"
                return await websockets.connect(url, subprotocols=[Subprotocol("streamlit")], open_timeout=60)
            except (OSError, websockets.WebSocketException):
                return None

        there = [one for one in await asyncio.gather(*(come() for _ in range(400))) if one is not None]
        page = urllib.request.Request(server, headers={"Accept": "text/html"})
        full = False
        try:
            urllib.request.urlopen(page, timeout=10)
        except urllib.error.HTTPError as error:
            full = error.code == 503
        await asyncio.gather(*(one.close() for one in there))
        return len(there), full

    assert in_a_thread(crowd()) == (300, True)
    with contextlib.ExitStack() as stack:
        for _ in range(200):
            half = stack.enter_context(socket.create_connection((address, int(port)), timeout=10))
            half.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        in_a_thread(answered(server, "size=33"))


@pytest.mark.thorough
def test_values_that_no_control_sends_leave_a_line_each_in_the_log(server, log):
    async def send():
        session = Session(server, "error-by-prevalence")
        await session.open()
        widgets = list(session.controls.values())
        for control in widgets:
            for kind, value in VALUES.items():
                message = BackMsg()
                message.rerun_script.page_script_hash = session.hash
                widget = message.rerun_script.widget_states.widgets.add()
                widget.id = control.widget
                setattr(widget, kind, value)
                await session.socket.send(message.SerializeToString())
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(session.finished(), 10)
        await session.socket.close()
        return len(widgets)

    assert in_a_thread(send()) >= 2
    text = log.read_text()
    assert "A value of a wrong type was sent for a control, and not used (" in text
    assert "Traceback" not in text
    assert "secret" not in text
    in_a_thread(answered(server, "size=34"))


OWN_EXPERIMENT = "compare_section=Run+your+own&own_data=digits&own_data=waveform&own_classifiers=random+forest"


def own_folders(temporary=None):
    return set(Path(temporary or tempfile.gettempdir()).glob("quantification-lab-*/run"))


def begin_own_experiment(page, server):
    page.goto(f"{server}/compare?{OWN_EXPERIMENT}")
    page.get_by_role("button", name="Run it").click(timeout=60_000)
    page.get_by_text(re.compile("Running in the background")).wait_for(timeout=30_000)


@pytest.mark.thorough
def test_ones_own_experiment_ends_with_its_page_and_its_folder_with_it(browser, server):
    before = own_folders()
    page = browser.new_page()
    begin_own_experiment(page, server)
    (folder,) = own_folders() - before
    page.close()
    deadline = time.monotonic() + 15
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not folder.exists()
    assert rests(server, 3.0)
    assert not folder.parent.exists(), "nothing was written after it was removed"


@pytest.mark.thorough
def test_a_server_that_is_told_to_end_leaves_no_temporary_files_not_even_of_an_experiment_that_runs(browser, tmp_path):
    pieces = tmp_path / "pieces"
    (temporary := tmp_path / "temporary").mkdir()
    with serve(TMPDIR=str(temporary), QUANTIFICATION_LAB_PIECES=str(pieces)) as server:
        page = browser.new_page()
        begin_own_experiment(page, server)
        assert own_folders(temporary)
    page.close()
    assert list(temporary.iterdir()) == []
