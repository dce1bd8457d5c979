"""Several processes of the app behind one address: python -m pages.server.workers --workers 4 --port 8501

A process that ends is started again, and its visitors continue in another one meanwhile. SIGHUP restarts all processes, one
after the other; SIGTERM and SIGINT end them. The processes share costly results, such as trained scores, by files on disk.
"""

import argparse
import contextlib
import ctypes
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from pages.server import proxy
from pages.server.environment import why_not
from pages.server.security_headers import embedding_sites
from pages.work.limits import LIMITS, PREFIX, limit
from pages.work.reach import LISTENS_AT

_ROOT = Path(__file__).parents[2]
_LOOPBACK = "127.0.0.1"
_EVERYWHERE = "0.0.0.0"  # noqa: S104 - only looked for
_DIVIDED = ("ANSWERS_MEGABYTES", "UPLOADS_MEGABYTES", "TABLES_MEGABYTES")
_DIES_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""
_STARTS_WITHIN, _ENDS_WITHIN, _LOOK_EVERY, _PROXY_KNOWS_WITHIN = 60.0, 10.0, 0.2, 1.5


class Workers:
    """The processes and the proxy in front of them.

    Parameters
    ----------
    n : number of processes.
    address, port : where the proxy listens.
    trust_forwarded : as of `proxy.configuration`.
    """

    def __init__(self, n: int, address: str, port: int, *, trust_forwarded: bool = False) -> None:
        self.ports = _free_ports(n)
        self._environment = os.environ | {
            # With one secret, all processes accept each other's tokens.
            "STREAMLIT_SERVER_COOKIE_SECRET": os.environ.get("STREAMLIT_SERVER_COOKIE_SECRET") or secrets.token_hex(32),
            LISTENS_AT: address,
            # Together they use as many processors, and as much memory for answers and files, as a single process would.
            f"{PREFIX}PROCESSES": os.environ.get(f"{PREFIX}PROCESSES") or str(max(2, (os.cpu_count() or 1) // n)),
            **{PREFIX + key: str(max(LIMITS[key].least, limit(key) // n)) for key in _DIVIDED},
        }
        workers = [f"{_LOOPBACK}:{port}" for port in self.ports]
        self._file = Path(tempfile.mkdtemp(prefix="quantification-lab-")) / "haproxy.cfg"
        embedded = bool(embedding_sites())
        text = proxy.configuration(address, port, workers, trust_forwarded=trust_forwarded, embedded=embedded)
        self._file.write_text(text)
        self._ends, self._restarts = threading.Event(), threading.Event()

    def start(self) -> None:
        """Start the processes and the proxy."""
        self.processes = [self._start(port) for port in self.ports]
        self.proxy = self._start_proxy()

    def _start(self, port: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        command += ["--server.address", _LOOPBACK, "--server.headless", "true"]
        return subprocess.Popen(
            command, cwd=_ROOT, env=self._environment, stdout=subprocess.DEVNULL, preexec_fn=_ends_with(os.getpid())
        )

    def _start_proxy(self) -> subprocess.Popen[bytes]:
        command = [proxy.haproxy() or "haproxy", "-db", "-q", "-f", str(self._file)]
        return subprocess.Popen(command, preexec_fn=_ends_with(os.getpid()))

    def watch(self) -> None:
        """Keep all running until `end` is called."""
        while not self._ends.wait(_LOOK_EVERY):
            self._start_what_has_ended()
            if self.proxy.poll() is not None:
                self.proxy = self._start_proxy()
            if self._restarts.is_set():
                self._restarts.clear()
                self._restart()
        self._close()

    def _start_what_has_ended(self) -> None:
        for number, process in enumerate(self.processes):
            if process.poll() is not None:
                self.processes[number] = self._start(self.ports[number])

    def end(self) -> None:
        """Have `watch` end all processes and return."""
        self._ends.set()

    def restart(self) -> None:
        """Have `watch` restart all processes, one after the other, so that the others serve meanwhile."""
        self._restarts.set()

    def _restart(self) -> None:
        for number, port in enumerate(self.ports):
            # One that was killed a moment ago may still be starting: the others must serve before this one ends.
            self._start_what_has_ended()
            if not all(self.wait(one) for one in self.ports):
                print("A process does not answer: no other is ended.", file=sys.stderr)
                return
            # The proxy checks twice a second: it must know who is back before the next one ends.
            self._ends.wait(_PROXY_KNOWS_WITHIN)
            _end(self.processes[number])
            self.processes[number] = self._start(port)

    def wait(self, port: int, address: str = _LOOPBACK) -> bool:
        """Wait until the server on a port answers; returns whether it does."""
        deadline = time.monotonic() + _STARTS_WITHIN
        while time.monotonic() < deadline and not self._ends.is_set():
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://{address}:{port}/_stcore/health", timeout=1)
                return True
            time.sleep(_LOOK_EVERY)
        return False

    def _close(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in (*self.processes, self.proxy):
            _end(process)
        shutil.rmtree(self._file.parent, ignore_errors=True)


def _ends_with(parent: int) -> Callable[[], None] | None:
    """What a new process calls before its program begins, so that it ends when this one does, even if it is killed.

    HAProxy cannot be told of that by a pipe. None where the system is not Linux: there, both then have to be ended by hand.
    """
    if sys.platform != "linux":
        return None
    # Loaded here: the new process must not import anything.
    libc = ctypes.CDLL(None)

    def end_with_parent() -> None:
        libc.prctl(_DIES_WITH_PARENT, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return end_with_parent


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_ports(n: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for one in sockets:
            one.bind((_LOOPBACK, 0))
        return [int(one.getsockname()[1]) for one in sockets]


def main() -> int:
    """Run the processes until a signal ends them; returns the exit code."""
    parser = argparse.ArgumentParser(description="Serve the app with several processes behind HAProxy.")
    parser.add_argument("--workers", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument("--address", default=_LOOPBACK, help="where to listen (default: only this machine)")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument(
        "--trust-forwarded", action="store_true", help="another proxy stands before this one and says who visits"
    )
    chosen = parser.parse_args()
    if chosen.workers < 1:
        print(f"--workers must be at least 1, got {chosen.workers}. Choose for example 2.", file=sys.stderr)
        return 2
    if reason := why_not(chosen.address, chosen.port):
        print(reason, file=sys.stderr)
        return 2
    if proxy.haproxy() is None:
        print(proxy.ADVICE, file=sys.stderr)
        return 2
    workers = Workers(chosen.workers, chosen.address, chosen.port, trust_forwarded=chosen.trust_forwarded)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: workers.end())
    signal.signal(signal.SIGHUP, lambda *_: workers.restart())
    workers.start()
    at = _LOOPBACK if chosen.address == _EVERYWHERE else chosen.address
    if all(workers.wait(port) for port in workers.ports) and workers.wait(chosen.port, at):
        print(f"{chosen.workers} processes answer at http://{chosen.address}:{chosen.port}", flush=True)
    workers.watch()
    print("Stopped.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
