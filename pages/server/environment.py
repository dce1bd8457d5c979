"""What a server is told by its environment and its command line, checked before it starts."""

import os
import re
import socket
from pathlib import Path

from pages.server.security_headers import embedding_sites
from pages.work.limits import PREFIX, check_limits
from qcore import InvalidInput

_HOSTS = f"{PREFIX}HOSTS"
_FOLDERS = tuple(f"{PREFIX}{name}" for name in ("DATA", "LESSONS", "RUNS"))
_HOST = re.compile(r"\*|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[?[0-9a-f]*(:[0-9a-f]*){2,}\]?", re.IGNORECASE)


def check_environment() -> None:
    """Raise InvalidInput for an invalid limit, site, host or folder in the environment."""
    check_limits()
    embedding_sites()
    for host in filter(None, (name.strip() for name in os.environ.get(_HOSTS, "").split(","))):
        if not _HOST.fullmatch(host):
            hint = "Name for example lab.example.org, several with commas."
            raise InvalidInput(_HOSTS, "name hosts, without http:// and without a port", repr(host), hint)
    for name in _FOLDERS:
        folder = os.environ.get(name)
        if folder and not Path(folder).is_dir():
            raise InvalidInput(name, "name a folder", repr(folder), "Name one that is there, or leave it out.")


def check_place(address: str, port: int) -> None:
    """Raise InvalidInput unless a server can listen at an address and port."""
    if not 1 <= port <= 65_535:
        raise InvalidInput("--port", "be from 1 to 65535", str(port), "Choose for example 8501.")
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))
    except (OSError, TypeError, ValueError) as error:
        hint = "Choose another: --port, --address."
        raise InvalidInput(f"{address}:{port}", "be free, and of this machine", str(error), hint) from error


def why_not(address: str, port: int) -> str:
    """Why no server can start at an address and port, in a sentence; empty if one can."""
    try:
        check_environment()
        check_place(address, port)
    except InvalidInput as error:
        return str(error)
    return ""
