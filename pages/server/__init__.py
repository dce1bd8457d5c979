"""The server around the app: the first files for a browser, security headers, imports before the first visitor."""

# Importing qcore lets Ctrl-C end a command with one line.
import qcore  # noqa: F401

# isort: split
from starlette.middleware import Middleware

from pages.server.addresses import TidyAddresses
from pages.server.compressed_files import CompressedFiles, routes
from pages.server.faults import Faults
from pages.server.opening_page import OpeningPage
from pages.server.request_bodies import RequestBodies
from pages.server.security_headers import SecurityHeaders
from pages.server.start import prepare, warm
from pages.server.visitors import KnownHosts, KnownPaths, SessionLimit

__all__ = ["middleware", "prepare", "routes", "warm"]


def middleware() -> list[Middleware]:
    """The middleware of the app's server, from the outermost."""
    refuse = (SecurityHeaders, Faults, KnownHosts, KnownPaths, SessionLimit, RequestBodies)
    answer = (TidyAddresses, OpeningPage, CompressedFiles)
    return [Middleware(kind) for kind in (*refuse, *answer)]
