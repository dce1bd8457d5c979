"""What the application within a middleware answers to a GET request, as a whole."""

import asyncio
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Scope


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
