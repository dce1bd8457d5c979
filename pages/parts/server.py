"""The server around the app: Plotly from our own origin, security headers, warm imports before the first visitor."""

from __future__ import annotations

import contextlib
import gc
import importlib
import pkgutil
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import plotly
import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.pages_manager import PagesManager

import pages.figures
import pages.findings
import qcore
from pages.parts.settings.url import without_defaults

_PLOTLY_FILE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
_CLOSED = ("/_stcore/metrics", "/_stcore/agent")
_NOT_PAGES = {"_stcore", "app", "component", "media", "static", "vendor"}
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
        b"script-src 'self' blob: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'; connect-src 'self' ws: wss: data: blob:; "
        b"font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'self'",
    ),
)


def plotly_url() -> str:
    """Where the browser finds plotly.js: on this server, under a name that changes with its version."""
    return f"{_base_path()}/vendor/plotly-{plotly.__version__}.min.js"


def _base_path() -> str:
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


async def _plotly_file(request: Request) -> FileResponse:
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return FileResponse(_PLOTLY_FILE, media_type="text/javascript", headers=headers)


class SecurityHeaders:
    """ASGI middleware: adds the headers above to every answer and closes the endpoints that no page needs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["path"].startswith(_CLOSED):
            await PlainTextResponse("not found", 404)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class TidyAddresses:
    """ASGI middleware: sends a page's address on to its short form before anything is drawn.

    Values equal to their defaults go: Streamlit would take out each by itself, and each would be a step for the browser's
    Back. An address below a page's goes home: the browser would look for the app's own files below it, and show nothing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        short = _short_address(Request(scope)) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (self.app if short is None else RedirectResponse(short))(scope, receive, send)


def _short_address(request: Request) -> str | None:
    """Where a request for a page should go instead, or None if its address is short already."""
    if "text/html" not in request.headers.get("accept", ""):
        return None
    base = _base_path()
    path = request.url.path.removeprefix(base)
    first, _, below = path.strip("/").partition("/")
    if first in _NOT_PAGES:
        return None
    if below:
        return f"{base}/"
    words = parse_qs(request.url.query, keep_blank_values=True)
    kept = without_defaults(words)
    return None if kept == words else f"{base}{path}{'?' if kept else ''}{urlencode(kept, doseq=True)}"


@contextlib.asynccontextmanager
async def warm(app: object) -> AsyncIterator[None]:
    """Import what pages need, then exclude it from garbage collection.

    Streamlit collects garbage after each run of a script; with the libraries loaded that costs 46 ms, frozen 0.01 ms.
    """
    for package in (qcore, pages.figures, pages.findings):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    yield


def middleware() -> list[Middleware]:
    """The middleware of the app's server."""
    return [Middleware(SecurityHeaders), Middleware(TidyAddresses)]


def routes() -> list[Route]:
    """The routes of the app's server beside Streamlit's own."""
    return [Route(plotly_url(), _plotly_file)]


def use_navigation_only() -> None:
    """Turn off Streamlit's old rule that each file in pages/ is a page by itself.

    The rule holds until a session has called st.navigation: the first request of a fresh server, if it is a deep link,
    would get its page without app.py around it.
    """
    PagesManager.uses_pages_directory = False
