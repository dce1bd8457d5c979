"""A Dask scheduler and workers as processes of this machine, and quantifiers that do to a worker what users' do."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from qcore.base import FloatArray, IntArray
from tests.browser.server import ROOT

LIMIT = 60.0
LONGEST = 300.0
"""Seconds after which a scheduler ends whatever happens."""


def until(condition: Callable[[], bool], seconds: float = LIMIT) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


class DaskProcesses:
    """A scheduler, and workers that are started one by one."""

    def __init__(self, folder: Path, *words: str, sources: Path = ROOT) -> None:
        self.file, self.folder = folder / "scheduler.json", folder
        self.running: list[subprocess.Popen] = []
        where = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file))
        self.scheduler = self._start("scheduler", *where, "--no-dashboard", *words, sources=sources)
        until(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]
        # Whatever waits for a cell that never ends loses its scheduler, and fails.
        self._last = threading.Timer(LONGEST, self.end, (self.scheduler,))
        self._last.daemon = True
        self._last.start()

    def worker(self, *words: str, threads: int = 1, sources: Path = ROOT, **environment: str) -> subprocess.Popen:
        """Start a worker that imports qcore from a folder of sources."""
        options = ("--nthreads", str(threads), "--no-dashboard", "--local-directory", str(self.folder), *words)
        return self._start("worker", self.address, *options, sources=sources, **environment)

    def _start(self, kind: str, *words: str, sources: Path = ROOT, **environment: str) -> subprocess.Popen:
        variables = {**os.environ, "PYTHONPATH": str(sources), "OMP_NUM_THREADS": "1", **environment}
        with (self.folder / f"{kind}-{len(self.running)}.log").open("w") as log:
            command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
            process = subprocess.Popen(command, env=variables, cwd=self.folder, stderr=log, stdout=log, start_new_session=True)
        self.running.append(process)
        return process

    def log(self) -> str:
        """What all of them have written."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def close(self) -> None:
        """End all processes, and those that they have started."""
        self._last.cancel()
        for process in self.running:
            self.end(process)

    @staticmethod
    def end(process: subprocess.Popen) -> None:
        """End one, and those that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class CountedBytes:
    """An address before a scheduler's, and how many bytes are sent to it."""

    def __init__(self, scheduler: str) -> None:
        host, _, port = scheduler.rpartition("//")[2].partition(":")
        self.sent, self._scheduler = 0, (host, int(port))
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, theirs = self._server.accept()[0], socket.create_connection(self._scheduler)
                threading.Thread(target=self._pass_on, args=(ours, theirs, True), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(theirs, ours, False), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, is_counted: bool) -> None:
        with contextlib.suppress(OSError), source, target:
            while part := source.recv(2**20):
                self.sent += len(part) * is_counted
                target.sendall(part)

    def close(self) -> None:
        """Take no more connections."""
        self._server.close()


class Pausing:
    """A half of each sample, after a while."""

    def __init__(self, seconds: float = 0.2) -> None:
        self.seconds = seconds

    def fit(self, _scores: FloatArray, _labels: IntArray) -> "Pausing":
        time.sleep(self.seconds)
        return self

    def predict(self, scores: FloatArray) -> FloatArray:
        return np.full(np.shape(scores)[:-1], 0.5)


class Crashing(Pausing):
    """Ends the process that fits it, as a segmentation fault does."""

    def fit(self, _scores: FloatArray, _labels: IntArray) -> "Pausing":
        time.sleep(self.seconds)
        os.kill(os.getpid(), signal.SIGKILL)
        return self


class Hungry(Pausing):
    """Takes memory without end."""

    def fit(self, _scores: FloatArray, _labels: IntArray) -> "Pausing":
        taken = []
        while True:
            taken.append(np.ones(2_000_000))
            time.sleep(0.02)


class Failing(Pausing):
    """Raises an error where it is fitted."""

    def fit(self, _scores: FloatArray, _labels: IntArray) -> "Pausing":
        raise ZeroDivisionError("by nothing")
