"""Which page a request asks for; its address is sent on to its short form before anything is drawn; what the app answers."""

import asyncio
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.settings.address import without_defaults
from pages.settings.component import base_path

_BY_BROWSER = ("language",)
"""Settings whose default depends on the browser: an address that names one keeps it, even at the usual default."""
_NOT_PAGES = {"_stcore", "app", "classroom-state", "component", "media", "scripts", "static", "vendor"}


def page_path(scope: Scope, *, for_preview: bool = False) -> str | None:
    """The path of the page that a request asks for, without slashes at its ends, or None if it asks for something else.

    `for_preview`: also accept requests for any type and for the headers alone, as programs send them that preview a link. The
    app's own scripts send such requests too, but never for a page.
    """
    if scope["type"] != "http" or scope["method"] not in (("GET", "HEAD") if for_preview else ("GET",)):
        return None
    request = Request(scope)
    kinds = ("text/html", "*/*") if for_preview else ("text/html",)
    if not any(kind in request.headers.get("accept", "*/*" if for_preview else "") for kind in kinds):
        return None
    path = request.url.path.removeprefix(base_path()).strip("/")
    return None if path.partition("/")[0] in _NOT_PAGES else path


class TidyAddresses:
    """ASGI middleware: sends a page's address on to its short form.

    It removes values equal to their defaults: Streamlit would remove them one by one, and each would be a step for the
    browser's Back. A slash at the end is removed: the browser would look for the app's own files below it, and show nothing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = page_path(scope)
        short = None if path is None else _short_address(path, Request(scope))
        await (self.app if short is None else RedirectResponse(short))(scope, receive, send)


def _short_address(path: str, request: Request) -> str | None:
    """Where a request for a page should go instead, or None if its address is short already."""
    words = parse_qs(request.url.query, keep_blank_values=True)
    kept = without_defaults(words) | {key: words[key] for key in _BY_BROWSER if key in words}
    is_short = kept == words and not (path and request.url.path.endswith("/"))
    return None if is_short else f"{base_path()}/{path}{'?' if kept else ''}{urlencode(kept, doseq=True)}"


class Answer(NamedTuple):
    """A status, the headers and the body of an answer."""

    status: int
    headers: Headers
    body: bytes


async def answer_of(app: ASGIApp, scope: Scope, path: str) -> Answer:
    """The answer of `app` to a browser that asks for `path` as in `scope`, but keeps no copies and takes no compression."""
    headers = [(b"host", Headers(scope=scope).get("host", "localhost").encode()), (b"accept", b"*/*")]
    plain = {**scope, "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers, "extensions": {}}
    start: Message = {}
    parts: list[bytes] = []
    is_asked = False

    async def receive() -> Message:
        # Who sends a file waits here for a browser that goes, until the file is sent.
        nonlocal is_asked
        if is_asked:
            await asyncio.Event().wait()
        is_asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            parts.append(message.get("body", b""))

    await app(plain | {"method": "GET"}, receive, send)
    return Answer(start["status"], Headers(raw=start["headers"]), b"".join(parts))
