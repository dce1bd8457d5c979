"""The tests of pages/server, and a way to run what is asynchronous."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor


def run_asynchronously(work: Coroutine[object, object, None]) -> None:
    """Run it to its end in a thread of its own: in that of the tests, the browser tests may have an event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
