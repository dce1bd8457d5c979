"""Heavy work on the real server, as a browser's websocket sees it: a moved control and a closed page end it."""

import asyncio
import threading
import time

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.load import server_process
from benchmarks.load_sessions import Session
from tests.browser.server import serve

pytestmark = pytest.mark.browser
SLOW = "data=waveform&classifier=random+forest&share=0.9&seed={}"


def in_a_thread(work):
    """What a coroutine returns; the browser tests of this process have a loop of their own."""
    result = []
    thread = threading.Thread(target=lambda: result.append(asyncio.run(work)))
    thread.start()
    thread.join(120)
    return result[0]


async def until(session, seen, seconds):
    """Read until a message is seen; how long that took."""
    started = time.monotonic()
    while True:
        if seen(await session.message(seconds)):
            return time.monotonic() - started


def training(message):
    return "Training random forest" in message.delta.new_element.progress.text


async def opened(address, seed):
    """A session on a page that trains for a minute, as soon as it says so."""
    session = Session(address, "error-by-prevalence", SLOW.format(seed))
    await session.connect()
    return session, await until(session, training, 20)


@pytest.fixture(scope="module")
def server():
    with serve() as address:
        yield address


def processor_time(address):
    """Seconds that the processes of a server's pool have worked."""
    children = server_process(address).children(recursive=True)
    return sum(sum(child.cpu_times()[:2]) for child in children)


def rests(address, seconds=8.0):
    """Whether the pool soon does nothing."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        before = processor_time(address)
        time.sleep(0.5)
        if processor_time(address) - before < 0.1:
            return True
    return False


def test_a_moved_control_does_not_wait_for_what_it_replaces(server):
    async def move():
        session, _ = await opened(server, 11)
        await session.ask(session.controls["Training share"], 0.4)
        ended = lambda message: message.WhichOneof("type") == "script_finished"  # noqa: E731
        taken = await until(session, ended, 20)
        # Else the page stays open until Python collects the socket, and what it asked for stays wanted.
        await session.socket.close()
        return taken

    assert in_a_thread(move()) < 2.0
    assert rests(server), "nobody waits for the answer any more"


def test_a_page_that_is_closed_ends_its_work(server):
    async def leave():
        session, _ = await opened(server, 12)
        message = BackMsg(stop_script=True)
        await session.socket.send(message.SerializeToString())
        await session.socket.close()

    in_a_thread(leave())
    assert rests(server)


def test_who_asks_for_the_same_waits_for_one_answer(server):
    async def two():
        first, _ = await opened(server, 13)
        second, _ = await opened(server, 13)
        await asyncio.sleep(1.0)
        before = processor_time(server)
        await asyncio.sleep(2.0)
        busy = (processor_time(server) - before) / 2.0
        await first.socket.close()
        await second.socket.close()
        return busy

    assert in_a_thread(two()) < 1.3, "one process is at work, not two"
    assert rests(server)


def test_light_pages_stay_light_meanwhile(server):
    async def meanwhile():
        heavy, _ = await opened(server, 14)
        light = Session(server, "error-by-prevalence")
        await light.open()
        times = []
        for size in range(20, 60, 2):
            started = time.monotonic()
            await light.ask(light.controls["Sample size"], size)
            await light.finished()
            times.append(time.monotonic() - started)
        await heavy.socket.close()
        await light.socket.close()
        return sorted(times)[len(times) // 2]

    assert in_a_thread(meanwhile()) < 1.0, "it would be tens of seconds if it waited"


def test_messages_are_compressed_with_a_whole_window(server):
    """As `compress_messages` asks for; uvicorn by itself takes a smaller window and more than twice as long."""

    async def agreed():
        session = Session(server, "losses")
        await session.open()
        (extension,) = session.socket.protocol.extensions
        await session.socket.close()
        return extension.local_max_window_bits, extension.remote_max_window_bits

    assert in_a_thread(agreed()) == (12, 15)
