"""Several processes behind HAProxy: one is killed, all are started anew, and nobody loses their view."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from pages.server import proxy
from pages.server import workers as supervisor
from pages.server.proxy import configuration, haproxy
from tests.browser.server import ROOT, free_port
from tests.browser.test_faults import answered
from tests.browser.test_sessions import in_a_thread, opened
from tests.browser.workers import all_answer, answers, children, draws_again, proxy_of, serve_by_workers, worker_of

pytestmark = pytest.mark.browser
VIEW = "/error-by-prevalence?size=77&seed=3&loss=KLD"


@pytest.fixture(scope="module")
def workers():
    """Process and address of two workers: each test leaves two behind, but the one that ends them."""
    with serve_by_workers(2) as started:
        yield started


@pytest.mark.thorough
def test_people_of_a_process_that_is_killed_go_on_in_another(browser, workers):
    process, address = workers
    page = browser.new_page()
    page.goto(address + VIEW)
    page.wait_for_selector("[data-drawn]", timeout=30_000)
    slider = page.get_by_role("slider", name="Sample size")
    expect(slider).to_have_attribute("aria-valuetext", "77")
    assert draws_again(page)
    # On a busy machine the first key's picture may come after a second one.
    expect(page).to_have_url(re.compile(r"size=(78|79|8\d)\b"))
    # Both charts are drawn: what is drawn from here on is another process's.
    page.wait_for_timeout(1000)
    killed = worker_of(page, process)
    # What starts it again is held, or on a fast machine it would be there before the browser asks a second time.
    process.send_signal(signal.SIGSTOP)
    try:
        os.kill(killed, signal.SIGKILL)
        assert draws_again(page)
        assert worker_of(page, process) != killed
    finally:
        process.send_signal(signal.SIGCONT)
    # Who has set a size by keys finds theirs: at least what it was, as each try has moved it by one.
    assert int(slider.get_attribute("aria-valuetext")) >= 78
    assert "loss=KLD" in page.url
    assert "seed=3" in page.url
    assert all_answer(process), "a process that has ended is started again"
    page.close()


@pytest.mark.thorough
def test_an_upload_of_a_process_that_is_killed_is_asked_for_again(browser, workers):
    process, address = workers
    assert all_answer(process)
    page = browser.new_page()
    page.goto(f"{address}/data-sets")
    table = "x,z,y\n" + "".join(f"{i % 7},{i % 5},{'a' if i % 3 else 'b'}\n" for i in range(90))
    files = [{"name": "mine.csv", "mimeType": "text/csv", "buffer": table.encode()}]
    page.locator("input[type=file]").first.set_input_files(files, timeout=60_000)
    page.get_by_role("button", name="Use this table").click(timeout=30_000)
    page.get_by_text("mine.csv: 90 rows").wait_for(timeout=30_000)
    os.kill(worker_of(page, process), signal.SIGKILL)
    page.get_by_text("Choose the same file to see the same view").wait_for(timeout=30_000)
    page.locator("input[type=file]").first.set_input_files(files)
    page.get_by_text("mine.csv: 90 rows").wait_for(timeout=30_000)
    page.close()


@pytest.mark.thorough
def test_all_are_started_anew_one_after_the_other(workers):
    process, address = workers
    before = children(process.pid)
    process.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + 60
    while set(before) & set(children(process.pid)) and time.monotonic() < deadline:
        assert answers(f"{address}/_stcore/health"), "one of them always serves"
        time.sleep(0.2)
    assert not set(before) & set(children(process.pid))


@pytest.mark.thorough
def test_a_proxy_that_is_killed_is_started_again(workers):
    process, address = workers
    proxy_of(process).kill()
    deadline = time.monotonic() + 30
    while not answers(f"{address}/_stcore/health") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert answers(f"{address}/_stcore/health")
    # All are started anew while one of them trains: its page goes on in another.
    in_a_thread(opened(address, 31))
    process.send_signal(signal.SIGHUP)
    in_a_thread(answered(address, "size=35"))


class Echo(BaseHTTPRequestHandler):
    """Says which addresses a request claims to come from."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(self.headers.get("X-Forwarded-For")).encode())

    def log_message(self, *_):
        """Say nothing."""


@pytest.mark.thorough
@pytest.mark.parametrize(("trusts", "seen"), [(False, "127.0.0.1"), (True, "10.1.2.3")])
def test_haproxy_takes_out_what_a_visitor_says_of_their_address(tmp_path, trusts, seen):
    echo = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=echo.serve_forever, daemon=True).start()
    port = free_port()
    file = tmp_path / "haproxy.cfg"
    file.write_text(configuration("127.0.0.1", port, [f"127.0.0.1:{echo.server_port}"], trust_forwarded=trusts))
    process = subprocess.Popen([haproxy(), "-db", "-q", "-f", str(file)])
    try:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"X-Forwarded-For": "10.1.2.3"})
        deadline = time.monotonic() + 30
        answer = b""
        while not answer and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                answer = urllib.request.urlopen(request, timeout=2).read()
        assert answer.decode() == seen
    finally:
        process.terminate()
        process.wait(10)
        echo.shutdown()


@pytest.mark.thorough
def test_half_open_requests_of_one_address_leave_connections_to_others(tmp_path, monkeypatch):
    echo = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=echo.serve_forever, daemon=True).start()
    monkeypatch.setattr(proxy, "_CONNECTIONS", 50)
    port, file = free_port(), tmp_path / "haproxy.cfg"
    file.write_text(configuration("127.0.0.1", port, [f"127.0.0.1:{echo.server_port}"]))
    process = subprocess.Popen([haproxy(), "-db", "-q", "-f", str(file)])
    try:
        deadline = time.monotonic() + 30
        while not answers(f"http://127.0.0.1:{port}/") and time.monotonic() < deadline:
            time.sleep(0.05)
        with contextlib.ExitStack() as stack:
            for _ in range(60):
                # What is refused is reset at once.
                with contextlib.suppress(OSError):
                    one = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5, ("127.0.0.2", 0)))
                    one.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            # HAProxy gives each ten seconds: without shares, others would wait that long.
            assert urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).status == 200
    finally:
        process.terminate()
        process.wait(10)
        echo.shutdown()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="what ends with the process that has started it is Linux's")
def test_all_end_with_the_process_that_keeps_them_even_if_it_is_killed():
    code = (
        "import os, subprocess, sys\n"
        "from pages.server.workers import _ends_with\n"
        "child = subprocess.Popen(['sleep', '60'], preexec_fn=_ends_with(os.getpid()))\n"
        "print(child.pid, flush=True)\n"
        "child.wait()\n"
    )
    keeper = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    child = psutil.Process(int(keeper.stdout.readline()))
    assert child.is_running()
    keeper.kill()
    keeper.wait()
    child.wait(10)


def test_a_port_that_is_taken_ends_the_second_server_at_once():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        command += ["--server.address", "127.0.0.1", "--server.port", str(taken.getsockname()[1])]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "is not available" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.thorough
def test_a_visitor_cannot_say_from_where_they_come():
    assert "del-header X-Forwarded-For" in configuration("127.0.0.1", 80, ["a:1"])
    assert "SameSite=Lax" in configuration("127.0.0.1", 80, ["a:1"])
    assert "secure attr SameSite=None" in configuration("127.0.0.1", 80, ["a:1"], embedded=True)
    trusting = configuration("127.0.0.1", 80, ["a:1"], trust_forwarded=True)
    assert "del-header" not in trusting
    assert "option forwardfor if-none" in trusting


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "environment", "sentence"),
    [
        (["--port", "{taken}"], {}, "must be free, and of this machine"),
        ([], {"QUANTIFICATION_LAB_SESSIONS": "many"}, "QUANTIFICATION_LAB_SESSIONS must be a whole number"),
    ],
)
def test_what_cannot_be_served_is_a_sentence(words, environment, sentence):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "-m", "pages.server.workers", *words]
        command = [word.format(taken=taken.getsockname()[1]) for word in command]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, env=os.environ | environment)
    assert result.returncode == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.thorough
def test_the_supervisor_starts_all_so_that_they_end_with_it(monkeypatch):
    started = []
    monkeypatch.setattr(supervisor.subprocess, "Popen", lambda *args, **more: started.append(more))
    monkeypatch.setattr(supervisor, "_ends_with", lambda pid: pid)
    supervisor.Workers(2, "127.0.0.1", 80).start()
    assert [more["preexec_fn"] for more in started] == [os.getpid()] * 3


@pytest.mark.thorough
def test_the_end_ends_all(workers):
    process, address = workers
    before = children(process.pid)
    process.terminate()
    assert process.wait(30) == 0
    assert not [pid for pid in before if Path(f"/proc/{pid}/cmdline").exists()]
    assert not answers(f"{address}/_stcore/health")
