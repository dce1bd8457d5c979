"""What browsers send: uploaded files, up to sums of bytes, and other bodies; nobody may take ages over either."""

import asyncio
import re
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.settings.component import base_path
from pages.work.by_address import Held, Holding, TooMuch, network_of_client
from pages.work.limits import limit

_NEXT_WITHIN = 30.0
"""Seconds in which the next part of a body has to come."""
_MEGABYTE = 2**20
UPLOAD_PATH = "/_stcore/upload_file/"
"""Where browsers send files: this, the session's name, a slash and the file's."""
_WHOSE = {"session": "this page has", "address": "your network address has", "all": "all who are here have"}


class Uploads:
    """The bytes of the uploaded files that the server holds or receives.

    Streamlit takes files of any name, as many as are sent, and drops those of a session that has ended, and those that a person
    takes back: it is asked which are still there.
    """

    def __init__(self) -> None:
        self.held = Held(limit("UPLOADS_MEGABYTES") * _MEGABYTE, limit("UPLOADS_MEGABYTES_OF_ONE_SESSION") * _MEGABYTE)
        self._files: dict[tuple[str, str], Holding] = {}

    def take(self, n_bytes: int, address: str, session: str) -> Holding:
        """Reserve bytes for a file of a session. Raises TooMuch."""
        for session_id, file in [one for one in self._files if not is_there(*one)]:
            self.held.give_back(self._files.pop((session_id, file)))
        return self.held.take(n_bytes, address, session)

    def keep(self, session: str, file: str, holding: Holding) -> None:
        """Let a file count for as long as Streamlit has it."""
        self.held.give_back(self._files.get((session, file)))
        self._files[session, file] = holding


def is_there(session: str, file: str) -> bool:
    """Whether Streamlit still has an uploaded file."""
    return st.runtime.exists() and bool(st.runtime.get_instance().uploaded_file_mgr.get_files(session, [file]))


def _forget_if_it_has_ended(session: str, file: str) -> None:
    """Drop a file whose session has ended while it came: nobody else would."""
    if st.runtime.exists() and not (runtime := st.runtime.get_instance()).is_active_session(session):
        manager: Any = runtime.uploaded_file_mgr
        manager.remove_file(session, file)


UPLOADS = Uploads()


class RequestBodies:
    """ASGI middleware: refuses uploads that are too much, and ends requests that dawdle."""

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
        """Take a file if there is room; reserve its bytes before they come."""
        session, file = upload.groups()
        length, most = Headers(scope=scope).get("content-length", ""), limit("UPLOAD_MEGABYTES") * _MEGABYTE
        n_bytes = int(length) if length.isdecimal() else most
        try:
            holding = UPLOADS.take(min(n_bytes, most), address, session)
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
            if 200 <= status < 300:
                _forget_if_it_has_ended(session, file)
                UPLOADS.keep(session, file, holding)
            else:
                UPLOADS.held.give_back(holding)


def _refused(status: int, text: str) -> PlainTextResponse:
    # What is refused is not read: the connection cannot serve for another request.
    return PlainTextResponse(f"{text}\n", status, {"connection": "close", "retry-after": "30"})
