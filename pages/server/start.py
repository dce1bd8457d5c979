"""Prepares the server before the first visitor comes."""

import contextlib
import importlib
import pkgutil
import sys
from collections.abc import AsyncIterator
from types import ModuleType

from starlette.formparsers import MultiPartParser
from streamlit import config
from threadpoolctl import ThreadpoolController

import pages
import qcore
from pages.server.garbage import frozen_heap
from pages.server.wrong_values import shorten_wrong_values
from pages.streamlit_internals import register_no_file_as_page
from pages.work.heavy import pool
from pages.work.limits import check_limits, limit
from qcore import InvalidInput


@contextlib.asynccontextmanager
async def warm(app: object) -> AsyncIterator[None]:
    """Import the modules that pages need, start the pool of processes, and keep garbage collection short."""
    # A second thread hardly speeds up small computations, and takes the processor from others.
    ThreadpoolController().limit(limits=1)
    for module in [*modules_of(qcore), *modules_of(pages)]:
        importlib.import_module(module)
    pool().start()
    with frozen_heap():
        yield


def modules_of(package: ModuleType) -> list[str]:
    """All modules of a package but those that draw a page or are a command as they are imported."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [module.name for module in found if module.name.rpartition(".")[2] not in ("page", "__main__")]


def prepare() -> None:
    """Check the limits, and configure Streamlit. An invalid limit ends the server with a sentence."""
    try:
        check_limits()
    except InvalidInput as error:
        sys.exit(str(error))
    config.set_option("server.maxUploadSize", limit("UPLOAD_MEGABYTES"), "limits")
    shorten_wrong_values()
    # Uploads stay in memory: by default Starlette writes an upload of more than a megabyte to a temporary file.
    MultiPartParser.spool_max_size = (limit("UPLOAD_MEGABYTES") + 1) * 2**20
    register_no_file_as_page()
