"""Prepares the server before the first visitor comes."""

import asyncio
import contextlib
import importlib
import pkgutil
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from types import ModuleType

from starlette.formparsers import MultiPartParser
from streamlit import config
from threadpoolctl import ThreadpoolController

import pages
import qcore
from pages.frame.view import View
from pages.server.compressed_files import compress_messages, pack_further
from pages.server.environment import check_environment
from pages.server.garbage import frozen_heap
from pages.server.warm_views import draw_when_idle, until_idle
from pages.server.wrong_values import shorten_wrong_values
from pages.streamlit_internals import present_values_singly, register_no_file_as_page
from pages.work.heavy import pool
from pages.work.limits import limit
from qcore import InvalidInput, keep_freed_memory


def warm(views: Callable[[], Iterable[View]]) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """What the server does at its start: `_warm` with these views."""
    return lambda _app: _warm(views)


@contextlib.asynccontextmanager
async def _warm(views: Callable[[], Iterable[View]]) -> AsyncIterator[None]:
    """Import what pages need, start the pool of processes, keep garbage collection short; when idle draw views, pack files."""
    # A second thread hardly speeds up small computations, and takes the processor from others.
    ThreadpoolController().limit(limits=1)
    for module in [*modules_of(qcore), *modules_of(pages)]:
        importlib.import_module(module)
    pool().start()
    with frozen_heap():
        when_idle = asyncio.create_task(_when_idle(views))
        yield
        when_idle.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await when_idle


async def _when_idle(views: Callable[[], Iterable[View]]) -> None:
    if limit("WARM_VIEWS"):
        await draw_when_idle(views)
        await pack_further(until_idle)


def modules_of(package: ModuleType) -> list[str]:
    """All modules of a package but those that draw a page or are a command as they are imported."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [module.name for module in found if module.name.rpartition(".")[2] not in ("page", "__main__")]


def prepare() -> None:
    """Check the environment, and configure Streamlit. An invalid value ends the server with a sentence."""
    try:
        check_environment()
    except InvalidInput as error:
        sys.exit(str(error))
    config.set_option("server.maxUploadSize", limit("UPLOAD_MEGABYTES"), "limits")
    shorten_wrong_values()
    # Uploads stay in memory: by default Starlette writes an upload of more than a megabyte to a temporary file.
    MultiPartParser.spool_max_size = (limit("UPLOAD_MEGABYTES") + 1) * 2**20
    register_no_file_as_page()
    present_values_singly()
    compress_messages()
    keep_freed_memory()
