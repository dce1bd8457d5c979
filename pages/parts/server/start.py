"""What is done before the first visitor comes."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import sys
from collections.abc import AsyncIterator

from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager
from threadpoolctl import ThreadpoolController

import pages.figures
import pages.findings
import qcore
from pages.parts.cached.heavy import pool
from pages.parts.limits import check_limits, limit
from pages.parts.server.garbage import frozen_heap
from pages.parts.server.wrong_values import shorten_wrong_values
from qcore import InvalidInput


@contextlib.asynccontextmanager
async def warm(app: object) -> AsyncIterator[None]:
    """Import what pages need, start the pool of processes, and keep garbage collection short."""
    # A second thread hardly shortens what is small, and takes the processor from others.
    ThreadpoolController().limit(limits=1)
    for package in (qcore, pages.figures, pages.findings):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    pool().start()
    with frozen_heap():
        yield


def prepare() -> None:
    """Read the limits, and turn off Streamlit's old rule that each file in pages/ is a page by itself.

    The rule holds until a session has called st.navigation: the first request of a fresh server, if it is a deep link,
    would get its page without app.py around it. A limit that is no number ends the server with a sentence.
    """
    try:
        check_limits()
    except InvalidInput as error:
        sys.exit(str(error))
    config.set_option("server.maxUploadSize", limit("UPLOAD_MEGABYTES"), "limits")
    shorten_wrong_values()
    # An upload stays in memory: by itself Starlette puts what is larger than a megabyte into a file for a while.
    MultiPartParser.spool_max_size = (limit("UPLOAD_MEGABYTES") + 1) * 2**20
    PagesManager.uses_pages_directory = False
