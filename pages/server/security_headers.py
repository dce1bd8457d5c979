"""Security headers on every answer, and no endpoint that no page needs."""

from collections.abc import Sequence

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.server.embedding import embedding_sites
from pages.settings.component import base_path

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
