"""Security headers on every answer, and no endpoint that no page needs."""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.settings.component import base_path

_CLOSED = ("/_stcore/metrics", "/_stcore/agent")
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


class SecurityHeaders:
    """ASGI middleware: adds the headers above to every answer and closes the endpoints that no page needs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

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
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        await self.app(scope, receive, send_with_headers)
