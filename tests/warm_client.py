"""The program that fetches data sets, in forks of a process that has imported what it needs: for tests not about its start."""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[1]
_ADDRESSES = ("QUANTIFICATION_LAB_UCI", "QUANTIFICATION_LAB_OPENML")
_LOCK = threading.Lock()


def serve(number: int) -> None:
    """Import what takes a second, and fork for each request that comes, with a socket to answer to, through that socket."""
    import pyarrow.parquet  # noqa: F401
    import sklearn.datasets._openml  # noqa: F401
    import ucimlrepo  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=number) as requests:
        while (received := socket.recv_fds(requests, 2**16, 1))[0]:
            request, (answer,), _, _ = received
            if os.fork() == 0:
                requests.close()
                _run(json.loads(request), answer)
                os._exit(0)
            os.close(answer)


def _run(request: dict, answer: int) -> None:
    sys.stdout = os.fdopen(answer, "w")
    print(os.getpid(), flush=True)
    os.environ.update(request["addresses"])
    sys.modules["sklearn.datasets._openml"].time.sleep = lambda _: None  # before it asks again
    spec = importlib.util.spec_from_file_location("client", request["program"])
    client = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(client)
    client.main(*request["words"])
    sys.stdout.flush()


@cache
def _server() -> tuple[socket.socket, subprocess.Popen]:
    """The socket to the process that forks, which ends with this one."""
    ours, its = socket.socketpair()
    code = f"from tests.warm_client import serve; serve({its.fileno()})"
    with its:
        quiet = subprocess.DEVNULL
        return ours, subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, pass_fds=[its.fileno()], stderr=quiet)


class WarmClient:
    """What a download uses of `subprocess.Popen`, for the same command."""

    def __init__(self, command: list[str], **_: object) -> None:
        addresses = {name: os.environ[name] for name in _ADDRESSES if name in os.environ}
        request = {"program": command[2], "words": command[3:], "addresses": addresses}
        ours, its = socket.socketpair()
        with _LOCK, its:
            socket.send_fds(_server()[0], [json.dumps(request).encode()], [its.fileno()])
            self._answer = ours.makefile("rb")
            its.close()
            self._pid = int(self._answer.readline())
        ours.close()
        self._text, self._ended = b"", threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with self._answer:
            self._text = self._answer.read()
        self._ended.set()

    def poll(self) -> int | None:
        return 0 if self._ended.is_set() else None

    def wait(self, timeout: float | None = None) -> None:
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("client", timeout)

    def kill(self) -> None:
        if not self._ended.is_set():
            os.kill(self._pid, signal.SIGKILL)

    def communicate(self) -> tuple[bytes, None]:
        self._ended.wait()
        return self._text, None


SUBPROCESS = SimpleNamespace(**{**vars(subprocess), "Popen": WarmClient})
"""In place of the module `subprocess` in `qcore.datasets.repositories`."""
