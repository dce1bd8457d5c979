"""Serves the files that a browser loads first (plotly.js, Streamlit's scripts and fonts) in a small form.

Streamlit sends its scripts uncompressed, 2.4 MB for a page. Here each is compressed once, when it is first requested: for
browsers that take Brotli (over HTTPS) a tenth smaller than by gzip. Streamlit's fonts, 0.5 MB for a page, are reduced to what
is drawn: see fonts/README.md.
"""

import gzip
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pyarrow
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.charts.chart import CARTESIAN, SURFACES, gzipped, plotly_url, unpacked
from pages.server.addresses import answer_of
from pages.settings.component import SCRIPTS, base_path, script_url

FONTS = MappingProxyType({path.name: path for path in (Path(__file__).parent / "fonts").glob("*.woff2")})
"""File name of a font of Streamlit's -> the smaller font that is sent in its place, with only the characters that are drawn."""

_TYPES = {"js": "text/javascript", "css": "text/css"}
"""Folder of Streamlit's files that are compressed -> their media type."""

_HEADERS = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}

_ENCODERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "br": lambda content: bytes(pyarrow.Codec("brotli", compression_level=9).compress(content)),
    "gzip": lambda content: gzip.compress(content, mtime=0),
}
"""Encoding -> how it is made; the smallest first."""


def routes() -> list[Route]:
    """The routes to plotly.js, and to the scripts of the app's own components."""
    plotly = [Route(plotly_url(in_space=in_space), _plotly_file) for in_space in (False, True)]
    return [*plotly, Route(script_url("{file}"), _script)]


class CompressedFiles:
    """ASGI middleware: answers requests for Streamlit's scripts, style sheets and fonts.

    A script is what the application within answers, compressed once: its name changes with its content.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: dict[tuple[str, str | None], bytes] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        answer: ASGIApp = self.app
        if scope["type"] == "http" and scope["method"] == "GET":
            start, _, name = scope["path"].rpartition("/")
            folder = start.removeprefix(f"{base_path()}/static/")
            if folder in _TYPES:
                answer = await self._script(Request(scope), folder) or self.app
            elif folder == "media" and name in FONTS:
                answer = Response(FONTS[name].read_bytes(), media_type="font/woff2", headers=_HEADERS)
        await answer(scope, receive, send)

    async def _script(self, request: Request, folder: str) -> Response | None:
        key = request.url.path, _encoding(request)
        if key not in self._kept:
            found = await answer_of(self.app, request.scope, request.url.path)
            # To a path at which no file is, Streamlit answers with the app.
            if found.status != 200 or found.headers.get("content-type", "").startswith("text/html"):
                return None
            self._kept[key] = _encoded(found.body, key[1])
        return _answer_with(request, lambda _: self._kept[key], folder)


async def _plotly_file(request: Request) -> Response:
    path = SURFACES if request.url.path == plotly_url(in_space=True) else CARTESIAN
    return _answer_with(request, partial(_file_as, path), "js")


async def _script(request: Request) -> Response:
    file = request.path_params["file"]
    if file not in SCRIPTS:
        return PlainTextResponse("not found", 404)
    return _answer_with(request, partial(_script_as, file), "js")


def _answer_with(request: Request, content_as: Callable[[str | None], bytes], folder: str) -> Response:
    encoding = _encoding(request)
    headers = _HEADERS if encoding is None else {**_HEADERS, "content-encoding": encoding}
    return Response(content_as(encoding), media_type=_TYPES[folder], headers=headers)


def _encoding(request: Request) -> str | None:
    """The encoding with the smallest result that a browser accepts; None if it accepts none."""
    words = [word.partition(";")[0].strip() for word in request.headers.get("accept-encoding", "").split(",")]
    return next((one for one in _ENCODERS if one in words), None)


@cache
def _file_as(path: Path, encoding: str | None) -> bytes:
    """The file that is packed in a file ending in .br, in an encoding."""
    if encoding == "gzip":
        return gzipped(path)
    return path.read_bytes() if encoding == "br" else unpacked(path)


@cache
def _script_as(file: str, encoding: str | None) -> bytes:
    return _encoded(SCRIPTS[file].encode(), encoding)


def _encoded(content: bytes, encoding: str | None) -> bytes:
    return content if encoding is None else _ENCODERS[encoding](content)
