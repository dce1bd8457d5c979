"""The headers of every answer: what a browser may load, and which sites may show the app in a frame."""

import os
import re
from collections.abc import Sequence

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.settings.component import base_path
from pages.work.limits import PREFIX
from qcore import InvalidInput

VARIABLE = f"{PREFIX}EMBED_IN"
_SOURCE = re.compile(r"(https?://)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?", re.IGNORECASE)


def embedding_sites() -> tuple[str, ...]:
    """The sites, as `frame-ancestors` takes them. Raises InvalidInput for a text that does not name a site."""
    sites = tuple(name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip())
    for site in sites:
        if not _SOURCE.fullmatch(site):
            hint = "Name for example https://moodle.example.org, several with commas."
            raise InvalidInput(VARIABLE, "name sites whose pages may show the app in a frame", repr(site), hint)
    return sites


_CLOSED = ("/_stcore/metrics", "/_stcore/agent")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "script-src 'self' blob: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'; connect-src 'self' ws: wss: data: blob:; "
    "font-src 'self' data:; worker-src 'self' blob:; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)


def security_headers(sites: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """The headers; pages of `sites` may show the app in a frame. X-Frame-Options cannot name them, so it is left out then."""
    policy = (b"content-security-policy", " ".join([_POLICY, *sites]).encode())
    return [*_HEADERS, policy, *([] if sites else [(b"x-frame-options", b"SAMEORIGIN")])]


class SecurityHeaders:
    """ASGI middleware: adds the headers above to every answer and closes the endpoints that no page needs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = security_headers(embedding_sites())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["path"].removeprefix(base_path()).startswith(_CLOSED):
            await PlainTextResponse("not found", 404)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self.headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)
