"""A server on loopback that speaks as UCI's repository and as OpenML do, and servers that are broken in every way."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

UCI_ROWS = "ID,length,colour,Grade,Class\n" + "".join(
    f"{i},{i % 7 + 0.5},{('', 'red', 'blue')[i % 3]},{'ab'[i % 2]},{'yes' if i % 4 == 0 else 'no'}\n" for i in range(40)
)
VARIABLES = [("ID", "ID"), ("length", "Feature"), ("colour", "Feature"), ("Class", "Target"), ("Grade", "Target")]
ARFF = "@RELATION toy\n@ATTRIBUTE code {1, 2, 3}\n@ATTRIBUTE width REAL\n@ATTRIBUTE class {u, v}\n@DATA\n" + "".join(
    f"{i % 3 + 1},{i % 5 + 0.25},{'uv'[i % 2]}\n" for i in range(30)
)


def about_uci(address: str, number: int, elsewhere: str) -> dict[str, object]:
    """What UCI says of a data set."""
    return {
        "status": 200,
        "data": {
            "uci_id": number, "name": "Toy grades", "abstract": "Made for a test.", "dataset_doi": "10.24432/TOY",
            "data_url": elsewhere or f"{address}/static/public/{number}/data.csv", "additional_info": None, "intro_paper": None,
            "variables": [{"name": name, "role": role, "type": "x"} for name, role in VARIABLES],
        },
    }  # fmt: skip


def about_openml(address: str, number: int, elsewhere: str, *, checksum: str) -> dict[str, object]:
    """What OpenML says of a data set."""
    return {
        "data_set_description": {
            "id": str(number), "name": "toy", "version": "1", "status": "active", "format": "ARFF", "description": "Made.",
            "url": elsewhere or f"{address}/data/v1/download/{number}/toy.arff",
            "file_id": str(number), "md5_checksum": checksum,
        }
    }  # fmt: skip


FEATURES = {
    "data_features": {
        "feature": [
            {
                "index": str(i), "name": name, "data_type": kind, "is_target": str(name == "class").lower(),
                "is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0",
            }
            for i, (name, kind) in enumerate([("code", "nominal"), ("width", "numeric"), ("class", "nominal")])
        ]
    }
}  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    """Answers as `server.kind` says: well, or broken from the first answer or only where the data is."""

    def do_GET(self) -> None:
        kind, path, address = self.server.kind, self.path, self.server.address
        elsewhere = "" if kind == "moved data" else self.server.elsewhere
        self.server.asked.append(path)
        if kind.removesuffix(" data") in BROKEN and (not kind.endswith(" data") or "/static/" in path or "/download/" in path):
            BROKEN[kind.removesuffix(" data")](self)
        elif path.startswith("/api/dataset?id="):
            number = int(path.rpartition("=")[2])
            unknown = {"status": 404, "message": "No dataset matches your query"}
            self.answer(json.dumps(unknown if number == 404 else about_uci(address, number, elsewhere)))
        elif path.startswith("/api/v1/json/data/features/"):
            self.answer(json.dumps(FEATURES))
        elif path.startswith("/api/v1/json/data/qualities/"):
            self.answer(json.dumps({"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": "30"}]}}))
        elif path.startswith("/api/v1/json/data/"):
            checksum = "0" * 32 if kind == "checksum" else hashlib.md5(ARFF.encode()).hexdigest()
            self.answer(json.dumps(about_openml(address, int(path.rpartition("/")[2]), elsewhere, checksum=checksum)))
        elif "/static/" in path:
            self.answer(self.server.rows)
        else:
            self.answer(gzip.compress(ARFF.encode()), content_encoding="gzip")

    def answer(self, content: str | bytes, length: int | None = None, **headers: str) -> None:
        body = content.encode() if isinstance(content, str) else content
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def lead_away(self) -> None:
        self.send_response(302)
        self.send_header("Location", self.server.elsewhere)
        self.end_headers()

    def stay_silent(self) -> None:
        self.server.silence_ended = not self.server.ends.wait(30)

    def never_end(self) -> None:
        self.send_response(200)
        self.end_headers()
        # Ten gigabytes, or until nobody listens any more.
        for _ in range(10_000):
            self.wfile.write(b"1,2,3,4\n" * 125_000)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


BROKEN = {
    "silent": _Handler.stay_silent,
    "cut off": lambda handler: handler.answer('{"status": 200, "data": {"ui', length=10_000),
    "html": lambda handler: handler.answer("<!doctype html><title>Sign in to the network</title>"),
    "endless": _Handler.never_end,
    "error": lambda handler: handler.send_error(500),
    "moved": _Handler.lead_away,
    "json": lambda handler: handler.answer("[]"),
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Clients that hang up are what is tested."""


@contextlib.contextmanager
def repository_server(kind: str = "") -> Iterator[_Server]:
    """A server with `address` and `asked`, the paths that were requested; it ends with the block.

    It names `elsewhere` as the address of all data, or leads there ("moved data"), if that is not empty.
    """
    server = _Server(("127.0.0.1", 0), _Handler)
    server.kind, server.asked, server.ends, server.rows = kind, [], threading.Event(), UCI_ROWS
    server.silence_ended, server.elsewhere = False, ""
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    # Its end waits for the interval of polling.
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ends.set()
        server.shutdown()
        server.server_close()
