"""Heavy work on the real server, as a browser's websocket sees it: a moved control and a closed page end it."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.load import server_process
from benchmarks.load_sessions import Session
from tests.browser.server import serve

pytestmark = pytest.mark.browser
SLOW = "data=waveform&classifier=random+forest&share=0.9&seed={}"


def in_a_thread(work):
    """What a coroutine returns; the browser tests of this process have a loop of their own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def until(session, seen):
    """Read until a message is seen; an error after a minute without it."""
    async with asyncio.timeout(60):
        while not seen(await session.message(60)):
            pass


def training(message):
    return "Training random forest" in message.delta.new_element.progress.text


async def opened(address, seed):
    """A session on a page that trains for a minute, as soon as it says so."""
    session = Session(address, "error-by-prevalence", SLOW.format(seed))
    await session.connect()
    await until(session, training)
    return session


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


@pytest.mark.thorough
def test_a_moved_control_does_not_wait_for_what_it_replaces(server):
    async def move():
        session = await opened(server, 11)
        await session.ask(session.controls["Training share"], 0.4)
        ended = lambda message: message.WhichOneof("type") == "script_finished"  # noqa: E731
        await until(session, ended)
        # Else the page stays open until Python collects the socket, and what it asked for stays wanted.
        await session.socket.close()
        return session.picture_seen is None

    assert in_a_thread(move()), "the run ends without the picture that it was to train for"
    assert rests(server), "nobody waits for the answer any more"


def test_a_page_that_is_closed_ends_its_work(server):
    async def leave():
        session = await opened(server, 12)
        message = BackMsg(stop_script=True)
        await session.socket.send(message.SerializeToString())
        await session.socket.close()

    in_a_thread(leave())
    assert rests(server)


@pytest.mark.thorough
def test_who_asks_for_the_same_waits_for_one_answer(server):
    async def two():
        first = await opened(server, 13)
        second = await opened(server, 13)
        await asyncio.sleep(1.0)
        before = processor_time(server)
        await asyncio.sleep(2.0)
        busy = (processor_time(server) - before) / 2.0
        await first.socket.close()
        await second.socket.close()
        return busy

    assert in_a_thread(two()) < 1.3, "one process is at work, not two"
    assert rests(server)


@pytest.mark.thorough
def test_light_pages_stay_light_meanwhile(server):
    async def meanwhile():
        heavy = await opened(server, 14)
        answered = asyncio.create_task(heavy.finished())
        light = Session(server, "error-by-prevalence")
        await light.open()
        for size in range(20, 60, 2):
            await light.put(light.controls["Sample size"], size)
        trains_still = not answered.done()
        answered.cancel()
        await heavy.socket.close()
        await light.socket.close()
        return trains_still

    assert in_a_thread(meanwhile()), "twenty moves are answered before the heavy page is"
