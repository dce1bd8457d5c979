"""The server around the app: what a browser gets first, security headers, warm imports before the first visitor."""

from __future__ import annotations

from starlette.middleware import Middleware

from pages.parts.server.addresses import TidyAddresses
from pages.parts.server.compressed_files import CompressedFiles, routes
from pages.parts.server.opening_page import OpeningPage
from pages.parts.server.security_headers import SecurityHeaders
from pages.parts.server.start import use_navigation_only, warm

__all__ = ["middleware", "routes", "use_navigation_only", "warm"]


def middleware() -> list[Middleware]:
    """The middleware of the app's server, from the outermost."""
    return [Middleware(SecurityHeaders), Middleware(TidyAddresses), Middleware(OpeningPage), Middleware(CompressedFiles)]
