"""The server around the app: what a browser gets first, security headers, warm imports before the first visitor."""

from __future__ import annotations

from starlette.middleware import Middleware

from pages.parts.server.addresses import TidyAddresses
from pages.parts.server.compressed_files import CompressedFiles, routes
from pages.parts.server.opening_page import OpeningPage
from pages.parts.server.security_headers import SecurityHeaders
from pages.parts.server.start import prepare, warm
from pages.parts.server.visitors import KnownHosts, SessionLimit

__all__ = ["middleware", "prepare", "routes", "warm"]


def middleware() -> list[Middleware]:
    """The middleware of the app's server, from the outermost."""
    kinds = (SecurityHeaders, KnownHosts, SessionLimit, TidyAddresses, OpeningPage, CompressedFiles)
    return [Middleware(kind) for kind in kinds]
