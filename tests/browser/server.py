"""The real app on a free loopback port, ended by its own process."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_SECONDS = 240


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serve(root: Path = ROOT, log: Path | None = None, *, port: int = 0, **environment: str) -> Iterator[str]:
    """Start the app of the checkout at `root`, in an environment with these variables; yields its address.

    What it says goes into the file `log`, or nowhere; without a `port` it takes a free one. It draws nothing by itself, which
    would disturb what is measured.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true"]
    with running(command, root, port, os.environ | environment, log) as address:
        yield address


@contextlib.contextmanager
def running(
    command: Sequence[str | Path], folder: Path, port: int, environment: Mapping[str, str], log: Path | None = None
) -> Iterator[str]:
    """Run a command that starts the app on a port of this machine, in a folder; yields its address, and ends it."""
    with contextlib.ExitStack() as stack:
        out = subprocess.DEVNULL if log is None else stack.enter_context(log.open("wb"))
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=out, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(process, address)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode} before it answered")
        with contextlib.suppress(urllib.error.URLError, OSError):
            if urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).status == 200:
                return
        time.sleep(0.05)
    raise RuntimeError(f"the server did not answer within {START_SECONDS} s")
