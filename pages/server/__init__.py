"""The server around the app: the first files for a browser, security headers, imports before the first visitor."""

# Importing qcore lets Ctrl-C end a command with one line.
import qcore  # noqa: F401

# isort: split
from starlette.middleware import Middleware

from pages.server.addresses import TidyAddresses
from pages.server.compressed_files import CompressedFiles, routes
from pages.server.opening_page import OpeningPage
from pages.server.security_headers import SecurityHeaders
from pages.server.start import prepare, warm
from pages.server.visitors import KnownHosts, SessionLimit

__all__ = ["middleware", "prepare", "routes", "warm"]


def middleware() -> list[Middleware]:
    """The middleware of the app's server, from the outermost."""
    kinds = (SecurityHeaders, KnownHosts, SessionLimit, TidyAddresses, OpeningPage, CompressedFiles)
    return [Middleware(kind) for kind in kinds]
