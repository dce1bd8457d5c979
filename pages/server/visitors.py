"""Which requests are served: those for this server's own host names, from its own pages, up to a number of open pages."""

import asyncio
import contextlib
import ipaddress
import os
import socket
from functools import cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.server.addresses import page_path
from pages.settings.component import base_path
from pages.settings.page_declaration import PAGES
from pages.work.by_address import Held, network_of_client
from pages.work.limits import PREFIX, limit

_ANY = "*"
STREAM_PATH = "/_stcore/stream"
"""Where browsers open the websocket of a session."""
_FILES_FREE = 1 / 3
_HTML_BELOW = ("media/", "classroom-state/")
"""Share of the files and sockets of this process that new pages leave to what is open, and to requests."""
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">{head}'
    "<title>{title}</title><style>:root {{ color-scheme: light dark; }} "
    "body {{ font-family: sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; line-height: 1.5; }}</style></head>"
    "<body><h1>{title}</h1><p>{text}</p></body></html>"
)
_AGAIN = '<meta http-equiv="refresh" content="10">'
_WHY_FULL = {
    "all": "{n} pages are open on this server, as many as it holds.",
    "address": "{n} pages are open from your network address, as many as this server holds for one.",
}


class KnownHosts:
    """ASGI middleware: refuses requests for a host name that is not this server's, and websockets from other sites.

    Otherwise another site could make its own name point here ("DNS rebinding") or open a websocket, and act as the person who
    visits that site. A numeric address cannot be redirected like a name, and is always accepted.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = HTTPConnection(scope).headers
        host = headers.get("host", "")
        if not is_known(host):
            text = f"This server does not answer to that name. {PREFIX}HOSTS lists the names that it answers to.\n"
            await _refuse(text, 421, scope, receive, send)
        elif scope["type"] == "websocket" and not is_from_this_host(headers.get("origin"), host):
            await _refuse("Only this server's own pages may open a websocket.\n", 403, scope, receive, send)
        else:
            await self.app(scope, receive, send)


class SessionLimit:
    """ASGI middleware: counts open pages; if there are too many, a new visitor gets a page that asks to wait.

    A page whose browser never sends a message is closed: every browser asks for the page as soon as it is connected.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.open = Held(limit("SESSIONS"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_stream = scope["type"] == "websocket" and scope["path"].endswith(STREAM_PATH)
        if not is_stream and page_path(scope) is None:
            await self.app(scope, receive, send)
            return
        address = network_of_client(scope.get("client"))
        full = "all" if room_for_files() < _FILES_FREE else self.open.why_not(1, address)
        if full and is_stream:
            await _refuse("full\n", 503, scope, receive, send)
        elif full:
            await self._full_page(full, address)(scope, receive, send)
        elif is_stream:
            holding = self.open.take(1, address)
            try:
                await self.app(scope, _binary(receive, send), send)
            finally:
                self.open.give_back(holding)
        else:
            await self.app(scope, receive, send)

    def _full_page(self, of: str, address: str) -> HTMLResponse:
        n = self.open.n(address if of == "address" else None)
        text = f"{_WHY_FULL[of].format(n=n)} This page tries again every 10 seconds."
        page = _PAGE.format(title="Quantification Lab is full", head=_AGAIN, text=text)
        return HTMLResponse(page, 503, {"retry-after": "10"})


def _binary(receive: Receive, send: Send) -> Receive:
    """The messages of a browser; a text message, which no browser sends, ends the connection, and so does silence at first."""
    n_received = 0

    async def received() -> Message:
        nonlocal n_received
        n_received += 1
        # The first message says that the connection is there, the second one is the browser's own.
        if n_received == 2:
            try:
                async with asyncio.timeout(limit("FIRST_MESSAGE_SECONDS")):
                    message = await receive()
            except TimeoutError:
                await send({"type": "websocket.close", "code": 1008, "reason": "nothing was asked for"})
                return {"type": "websocket.disconnect", "code": 1008}
        else:
            message = await receive()
        is_text = message["type"] == "websocket.receive" and message.get("bytes") is None
        return {"type": "websocket.disconnect", "code": 1003} if is_text else message

    return received


class KnownPaths:
    """ASGI middleware: answers 404 to a path at which nothing is. Streamlit would answer with the app's HTML to any."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or self._may_be_html(scope["path"].removeprefix(base_path()).strip("/")):
            await self.app(scope, receive, send)
            return
        is_the_app = False

        async def send_unless_it_is_the_app(message: Message) -> None:
            nonlocal is_the_app
            if message["type"] == "http.response.start":
                is_the_app = Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
            if not is_the_app:
                await send(message)

        await self.app(scope, receive, send_unless_it_is_the_app)
        if is_the_app:
            await self._nothing(scope)(scope, receive, send)

    @staticmethod
    def _may_be_html(path: str) -> bool:
        """Whether HTML may be at a path: a page, a file that is downloaded, or the way of a teacher into a classroom."""
        return PAGES.of_path(path) is not None or path.startswith(_HTML_BELOW)

    @staticmethod
    def _nothing(scope: Scope) -> PlainTextResponse | HTMLResponse:
        if page_path(scope) is None:
            return PlainTextResponse("not found\n", 404)
        text = f'There is no such page. <a href="{base_path()}/">Go to the first page.</a>'
        return HTMLResponse(_PAGE.format(title="Not found", head="", text=text), 404)


async def _refuse(text: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": text.strip()})
    else:
        await PlainTextResponse(text, status)(scope, receive, send)


def is_known(host: str) -> bool:
    """Whether a Host header names this server: by a number, as localhost, by the machine's name, or as its settings list."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if not name:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return bool({_ANY, name.rstrip(".")} & _names())
    return True


def is_from_this_host(origin: str | None, host: str) -> bool:
    """Whether an Origin header names this host; programs other than browsers send none (None), which is accepted."""
    return origin is None or urlsplit(origin).netloc == host or _ANY in _names()


@cache
def _names() -> frozenset[str]:
    listed = os.environ.get(f"{PREFIX}HOSTS", "").split(",")
    return frozenset({"localhost", socket.gethostname().lower(), *(name.strip().lower() for name in listed if name.strip())})


_MOST_FILES = 65_536


def raise_limit_of_files() -> None:
    """Let this process open as many files and sockets as the system allows: each open page takes four."""
    # Windows has no such limit.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def room_for_files() -> float:
    """The share of this process's files and sockets that is still free, from 0 to 1."""
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        # The system gives the lowest number that is free.
        number = os.open(os.devnull, os.O_RDONLY)
    except ImportError:
        return 1.0
    except OSError:
        return 0.0
    os.close(number)
    return 1.0 if most == resource.RLIM_INFINITY else 1.0 - number / most
