"""What browsers send: uploaded files, up to sums of bytes, and other bodies; nobody may take ages over either."""

import asyncio
import re
from collections import defaultdict
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.settings.component import base_path
from pages.streamlit_internals import UPLOAD_PATH, forget_upload
from pages.work.by_address import Held, Holding, TooMuch, network_of_client
from pages.work.limits import limit

_NEXT_WITHIN: Final = 30.0
"""Seconds in which the next part of a body has to come."""
_MEGABYTE: Final = 2**20
_MOST_NAMES: Final = 100
"""Files of one session that have a name and no content yet; the oldest names are forgotten."""
_WHOSE: Final = {"session": "this page has", "address": "your network address has", "all": "all who are here have"}


class Uploads:
    """The uploaded files that the server holds or receives: the names that it gave to each session, and their bytes.

    Its methods are called by the loop of the server's events, and by runs of pages: each is one step on a dictionary.
    """

    def __init__(self) -> None:
        self.held = Held(limit("UPLOADS_MEGABYTES") * _MEGABYTE, limit("UPLOADS_MEGABYTES_OF_ONE_SESSION") * _MEGABYTE)
        self._files: defaultdict[str, dict[str, Holding | None]] = defaultdict(dict)

    def give(self, session: str, file: str) -> None:
        """Note a file that a session may send."""
        files = self._files[session]
        files[file] = None
        if len(empty := [name for name, holding in files.items() if holding is None]) > _MOST_NAMES:
            del files[empty[0]]

    def knows(self, session: str, file: str) -> bool:
        """Whether a session may send a file of that name."""
        return file in self._files.get(session, ())

    def keep(self, session: str, file: str, holding: Holding) -> None:
        """Let a file count for as long as its session has it."""
        if self.knows(session, file):
            self.held.give_back(self._files[session][file])
            self._files[session][file] = holding

    def drop(self, session: str, file: str) -> None:
        """Forget a file of a session, or with "" all of them."""
        files = self._files.pop(session, {}) if not file else {file: self._files.get(session, {}).pop(file, None)}
        for holding in files.values():
            self.held.give_back(holding)


UPLOADS: Final = Uploads()


class RequestBodies:
    """ASGI middleware: refuses uploads that were not asked for or are too much, and ends requests that dawdle."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.being_sent = Held(limit("HALF_OPEN"))
        self._upload = re.compile(re.escape(base_path() + UPLOAD_PATH) + "([^/]+)/([^/]+)")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        address = network_of_client(scope.get("client"))
        try:
            sending = self.being_sent.take(1, address)
        except TooMuch:
            await _refused(503, "Too much is being sent at this moment. Please try again.")(scope, receive, send)
            return
        try:
            patient = self._patient(receive, sending)
            upload = self._upload.fullmatch(scope["path"]) if scope["method"] == "PUT" else None
            if upload is None:
                await self.app(scope, patient, send)
            else:
                await self._take(upload, address, scope, patient, send)
        finally:
            self.being_sent.give_back(sending)

    def _patient(self, receive: Receive, sending: Holding) -> Receive:
        """`receive`, by which a sender who makes pauses is gone, and does not count any more once all is there."""
        is_all_there = False

        async def received() -> Message:
            nonlocal is_all_there
            try:
                async with asyncio.timeout(None if is_all_there else _NEXT_WITHIN):
                    message = await receive()
            except TimeoutError:
                return {"type": "http.disconnect"}
            if not message.get("more_body", False):
                is_all_there = True
                self.being_sent.give_back(sending)
            return message

        return received

    async def _take(self, upload: re.Match[str], address: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a file, if the server gave its name to that session and there is room; reserve its bytes before they come."""
        session, file = upload.groups()
        if not UPLOADS.knows(session, file):
            await _refused(404, "Nobody has asked for this file.")(scope, receive, send)
            return
        length, most = Headers(scope=scope).get("content-length", ""), limit("UPLOAD_MEGABYTES") * _MEGABYTE
        n_bytes = int(length) if length.isdecimal() else most
        try:
            holding = UPLOADS.held.take(min(n_bytes, most), address, session)
        except TooMuch as error:
            text = (
                f"The files that {_WHOSE[error.of]} uploaded are as many as this server holds. Remove one, or try again later."
            )
            await _refused(413 if error.of == "session" else 503, text)(scope, receive, send)
            return
        status = 0

        async def note(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, note)
        finally:
            is_taken = 200 <= status < 300
            if is_taken and UPLOADS.knows(session, file):
                UPLOADS.keep(session, file, holding)
            else:
                UPLOADS.held.give_back(holding)
                if is_taken:
                    # The session has ended while the file came: nobody else would drop it.
                    forget_upload(session, file)


def _refused(status: int, text: str) -> PlainTextResponse:
    # What is refused is not read: the connection cannot serve for another request.
    return PlainTextResponse(f"{text}\n", status, {"connection": "close", "retry-after": "30"})
