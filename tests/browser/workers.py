"""Several processes of the app behind HAProxy, and which of them serves a page."""

import contextlib
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
from playwright.sync_api import Error, Page

from tests.browser.server import ROOT, free_port


@contextlib.contextmanager
def serve_by_workers(number: int, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process that keeps a number of workers, in an environment with these variables, and the address; all answer."""
    port = free_port()
    command = [sys.executable, "-m", "pages.server.workers", "--workers", str(number), "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ | environment)
    try:
        if process.stdout is None or f"{number} processes answer" not in process.stdout.readline():
            raise RuntimeError("the workers did not start")
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def answers(url: str) -> bool:
    with contextlib.suppress(OSError):
        return urllib.request.urlopen(url, timeout=5).status == 200
    return False


def children(pid: int) -> list[int]:
    """The app's processes that a process has started, in the order in which it did."""
    result = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if parent == pid and b"streamlit" in (path.parent / "cmdline").read_bytes():
                result.append(int(path.parent.name))
    return sorted(result)


def all_answer(process: subprocess.Popen[str], seconds: float = 60.0) -> bool:
    """Wait until both processes serve."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(psutil.Error):
            lines = [psutil.Process(pid).cmdline() for pid in children(process.pid)]
            ports = [line[line.index("--server.port") + 1] for line in lines]
            if len(ports) == 2 and all(answers(f"http://127.0.0.1:{port}/_stcore/health") for port in ports):
                return True
        time.sleep(0.2)
    return False


def proxy_of(process: subprocess.Popen[str]) -> psutil.Process:
    (proxy,) = [one for one in psutil.Process(process.pid).children() if "haproxy" in one.name()]
    return proxy


def worker_of(page: Page, process: subprocess.Popen[str]) -> int:
    """The id of the process that serves a page: which port its cookie means, the proxy's file says."""
    (cookie,) = [one for one in page.context.cookies() if one["name"] == "WORKER"]
    servers = Path(proxy_of(process).cmdline()[-1]).read_text()
    port = re.findall(rf"server {cookie['value']} \S+:(\d+)", servers)[0]
    return next(pid for pid in children(process.pid) if port in psutil.Process(pid).cmdline())


def draws_again(page: Page, seconds: float = 60.0) -> bool:
    """Move the size of the sample until a picture follows."""
    drawn = "[...document.querySelectorAll('[data-drawn]')].map(e => e.dataset.drawn).join()"
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(Error):
            before = page.evaluate(drawn)
            page.get_by_role("slider", name="Sample size").press("ArrowRight")
            page.wait_for_function(f"before => ![before, ''].includes({drawn})", arg=before, timeout=1000)
            return True
    return False
