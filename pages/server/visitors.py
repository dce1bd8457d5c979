"""Which requests are served: those for this server's own host names, from its own pages, up to a number of open pages."""

import ipaddress
import os
import socket
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.server.addresses import page_path
from pages.work.limits import PREFIX, limit

_ANY: Final = "*"
_STREAM: Final = "/_stcore/stream"
_FULL: Final = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="10">'
    "<title>Quantification Lab is full</title><style>:root {{ color-scheme: light dark; }} "
    "body {{ font-family: sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; line-height: 1.5; }}</style></head>"
    "<body><h1>Quantification Lab is full</h1><p>{n} pages are open on this server, as many as it holds. This page tries again "
    "every 10 seconds.</p></body></html>"
)


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
        elif scope["type"] == "websocket" and not is_own(headers.get("origin"), host):
            await _refuse("Only this server's own pages may open a websocket.\n", 403, scope, receive, send)
        else:
            await self.app(scope, receive, send)


class SessionLimit:
    """ASGI middleware: counts open pages; if there are too many, a new visitor gets a page that asks to wait."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.n_open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_stream = scope["type"] == "websocket" and scope["path"].endswith(_STREAM)
        if self.n_open >= limit("SESSIONS") and (is_stream or page_path(scope) is not None):
            if is_stream:
                await _refuse("full\n", 503, scope, receive, send)
            else:
                page = HTMLResponse(_FULL.format(n=self.n_open), 503, {"retry-after": "10"})
                await page(scope, receive, send)
            return
        self.n_open += is_stream
        try:
            await self.app(scope, _binary(receive) if is_stream else receive, send)
        finally:
            self.n_open -= is_stream


def _binary(receive: Receive) -> Receive:
    """The messages of a browser; a text message, which no browser sends, ends the connection without filling the log."""

    async def received() -> Message:
        message = await receive()
        is_text = message["type"] == "websocket.receive" and message.get("bytes") is None
        return {"type": "websocket.disconnect", "code": 1003} if is_text else message

    return received


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


def is_own(origin: str | None, host: str) -> bool:
    """Whether an Origin header names this host; programs other than browsers send none (None), which is accepted."""
    return origin is None or urlsplit(origin).netloc == host or _ANY in _names()


@cache
def _names() -> frozenset[str]:
    listed = os.environ.get(f"{PREFIX}HOSTS", "").split(",")
    return frozenset({"localhost", socket.gethostname().lower(), *(name.strip().lower() for name in listed if name.strip())})
