"""Prepares the server before the first visitor: imports, the processes for heavy work, short garbage collection."""

import asyncio
import contextlib
import gc
import importlib
import logging
import pkgutil
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from types import ModuleType

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.errors import StreamlitAPIException
from threadpoolctl import ThreadpoolController

import qcore
from pages.server.environment import check_environment
from pages.server.faults import shorten_faults, shorten_wrong_values
from pages.server.visitors import raise_limit_of_files
from pages.settings.control import late_values
from pages.settings.page_declaration import SETTINGS
from pages.streamlit_internals import take_what_is_news
from pages.work.engines import keep_texts_as_python_strings
from pages.work.heavy import jobs
from pages.work.limits import limit
from pages.work.temporary_folders import remove_temporary_folders
from qcore import InvalidInput, keep_freed_memory

_SECONDS = 20.0
_NEVER = 2**31 - 1


@contextlib.contextmanager
def frozen_heap(seconds: float = _SECONDS) -> Iterator[None]:
    """Freeze all existing objects, and examine all created since then every `seconds`, and at no other time."""
    ended, before = threading.Event(), gc.get_threshold()

    def examine() -> None:
        while not ended.wait(seconds):
            # If Python has not looked through young objects even once since, hardly anything has run.
            if any(gc.get_count()[1:]):
                gc.collect()

    thread = threading.Thread(target=examine, name="garbage", daemon=True)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*before[:2], _NEVER)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        gc.set_threshold(*before)
        gc.unfreeze()


_LOGGER = logging.getLogger(__name__)
_TIDY_EVERY = 600.0


def warm(tidy: Callable[[], None]) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """The server's lifespan handler: `_warm` with this argument."""
    return lambda _app: _warm(tidy)


@contextlib.asynccontextmanager
async def _warm(tidy: Callable[[], None]) -> AsyncIterator[None]:
    """Import what pages need, start the processes for heavy work, keep garbage collection short.

    `tidy` is called every ten minutes. When the server ends, its processes and its temporary folders go first.
    """
    # A second thread hardly speeds up small computations, and takes the processor from others.
    ThreadpoolController().limit(limits=1)
    for module in modules_of(qcore):
        importlib.import_module(module)
    jobs().start()
    with frozen_heap():
        tidying = asyncio.create_task(_now_and_then(tidy))
        yield
        tidying.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await tidying
    await asyncio.to_thread(jobs().close)
    remove_temporary_folders()
    _end_in_order()


def _end_in_order() -> None:
    """Let SIGTERM end the server as Ctrl-C does, so that Python removes the temporary files of its libraries.

    When uvicorn has ended in order, it raises the signal again, which ends the process at once.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


async def _now_and_then(tidy: Callable[[], None]) -> None:
    while True:
        try:
            await asyncio.to_thread(tidy)
        except Exception:
            # Whatever the error was, `tidy` is called again later.
            _LOGGER.exception("What is no longer needed could not be deleted")
        await asyncio.sleep(_TIDY_EVERY)


def modules_of(package: ModuleType) -> list[str]:
    """All modules of a package but commands."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [module.name for module in found if module.name.rpartition(".")[2] not in ("command", "__main__")]


def prepare() -> None:
    """Check the environment, and configure Streamlit. An invalid value ends the server with a sentence."""
    try:
        check_environment()
        # Where heavy work goes to a cluster, it has to be there.
        jobs()
    except InvalidInput as error:
        sys.exit(str(error))
    config.set_option("server.maxUploadSize", limit("UPLOAD_MEGABYTES"), "limits")
    shorten_wrong_values()
    shorten_faults()
    raise_limit_of_files()
    # Uploads stay in memory: by default Starlette writes an upload of more than a megabyte to a temporary file.
    MultiPartParser.spool_max_size = (limit("UPLOAD_MEGABYTES") + 1) * 2**20
    # Until this is called for the first time, Streamlit takes each file in pages/ for a page, and runs it without app.py.
    with contextlib.suppress(StreamlitAPIException):
        st.navigation([])
    take_what_is_news(SETTINGS, late_values)
    keep_freed_memory()
    keep_texts_as_python_strings()
