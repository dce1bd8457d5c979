"""Serves the files that a browser loads first (plotly.js, Streamlit's scripts and fonts) in a small form; compresses messages.

Streamlit sends its scripts uncompressed, 2.4 MB for a page. Here each is compressed once, when it is first requested: for
browsers that take Brotli (over HTTPS) a tenth smaller than by gzip. Streamlit's fonts, 0.5 MB for a page, are reduced to what
is drawn: see fonts/README.md.
"""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pyarrow
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.websockets import websockets_sansio_impl
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from pages.charts.chart import CARTESIAN, SURFACES, gzipped, plotly_url, unpacked
from pages.settings.component import SCRIPTS, base_path, script_url
from pages.streamlit_internals import STATIC_FILES, script_paths

FONTS: Final = MappingProxyType({path.name: path for path in (Path(__file__).parent / "fonts").glob("*.woff2")})
"""File name of a font of Streamlit's -> the smaller font that is sent in its place, with only the characters that are drawn."""

_STATIC: Final = STATIC_FILES / "static"
_TYPES: Final = {"js": "text/javascript", "css": "text/css"}
"""Folder of Streamlit's files that are compressed -> their media type."""

_HEADERS: Final = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}

_ENCODERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "br": lambda content: _by_brotli(content, 9),
    "gzip": lambda content: gzip.compress(content, mtime=0),
}
"""Encoding -> how it is made; the smallest first."""


_PACKED_FURTHER: Final = dict[Path, bytes]()
"""What `pack_further` has made."""


def compress_messages() -> None:
    """Compress messages to pages with other settings than uvicorn's: in less than half of the time, and a twelfth smaller.

    They take more memory: zlib's 256 kB for a connection, in place of 32 kB.
    """

    def factory(**_: object) -> ServerPerMessageDeflateFactory:
        return ServerPerMessageDeflateFactory(client_max_window_bits=12, compress_settings={"level": 2})

    websockets_sansio_impl.ServerPerMessageDeflateFactory = factory  # type: ignore[assignment, misc]


async def pack_further(until_idle: Callable[[], Awaitable[None]]) -> None:
    """Make the scripts of every first visit as small as Brotli can, which takes seconds: one by one, while nobody is served."""
    for path in script_paths():
        script = STATIC_FILES / path.removeprefix("./")
        if script not in _PACKED_FURTHER:
            await until_idle()
            _PACKED_FURTHER[script] = await asyncio.to_thread(_by_brotli, script.read_bytes(), 11)


def routes() -> list[Route]:
    """The routes to plotly.js, and to the scripts of the app's own components."""
    plotly = [Route(plotly_url(in_space=in_space), _plotly_file) for in_space in (False, True)]
    return [*plotly, Route(script_url("{file}"), _script)]


class CompressedFiles:
    """ASGI middleware: answers requests for Streamlit's scripts, style sheets and fonts."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        answer: ASGIApp = self.app
        if scope["type"] == "http" and scope["method"] == "GET":
            start, _, name = scope["path"].rpartition("/")
            folder = start.removeprefix(f"{base_path()}/static/")
            if folder in _TYPES and name in _names(folder):
                answer = _answer(Request(scope), _STATIC / folder / name, folder)
            elif folder == "media" and name in FONTS:
                answer = Response(FONTS[name].read_bytes(), media_type="font/woff2", headers=_HEADERS)
        await answer(scope, receive, send)


async def _plotly_file(request: Request) -> Response:
    return _answer(request, SURFACES if request.url.path == plotly_url(in_space=True) else CARTESIAN, "js")


async def _script(request: Request) -> Response:
    file = request.path_params["file"]
    if file not in SCRIPTS:
        return PlainTextResponse("not found", 404)
    return _answer_with(request, partial(_script_as, file), "js")


def _answer(request: Request, path: Path, folder: str) -> Response:
    def content_as(encoding: str | None) -> bytes:
        further = _PACKED_FURTHER.get(path) if encoding == "br" else None
        return _file_as(path, encoding) if further is None else further

    return _answer_with(request, content_as, folder)


def _answer_with(request: Request, content_as: Callable[[str | None], bytes], folder: str) -> Response:
    encoding = _encoding(request)
    headers = _HEADERS if encoding is None else {**_HEADERS, "content-encoding": encoding}
    return Response(content_as(encoding), media_type=_TYPES[folder], headers=headers)


def _encoding(request: Request) -> str | None:
    """The encoding with the smallest result that a browser accepts; None if it accepts none."""
    words = [word.partition(";")[0].strip() for word in request.headers.get("accept-encoding", "").split(",")]
    return next((one for one in _ENCODERS if one in words), None)


@cache
def _names(folder: str) -> frozenset[str]:
    return frozenset(path.name for path in (_STATIC / folder).iterdir())


@cache
def _file_as(path: Path, encoding: str | None) -> bytes:
    """The content of a file in an encoding; a file ending in .br stands for the file that is packed in it."""
    if path.suffix != ".br":
        return _encoded(path.read_bytes(), encoding)
    if encoding == "gzip":
        return gzipped(path)
    return path.read_bytes() if encoding == "br" else unpacked(path)


@cache
def _script_as(file: str, encoding: str | None) -> bytes:
    return _encoded(SCRIPTS[file].encode(), encoding)


def _by_brotli(content: bytes, level: int) -> bytes:
    return bytes(pyarrow.Codec("brotli", compression_level=level).compress(content))


def _encoded(content: bytes, encoding: str | None) -> bytes:
    return content if encoding is None else _ENCODERS[encoding](content)
