"""Ctrl-C ends a command with one line and status 130: while it is imported, and while it runs."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest

from pages import start_command as command
from qcore import __main__ as commands
from qcore._base import interrupted
from qcore._base.interrupted import INTERRUPTED, say_stopped, usual_from_here
from qcore.datasets import keel
from qcore.evaluation.experiment import command as experiment
from qcore.intervals import labelled_sample_command, tables_command
from qcore.watching import watch_command
from tests.browser.server import ROOT


@pytest.fixture
def usual_signal():
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def stop(*_args, **_more):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("words", "module", "step"),
    [
        (["estimate", "a.csv", "b.csv"], tables_command, "read_file"),
        (["estimate", "--labelled-sample", "a.csv"], labelled_sample_command, "read_file"),
        (["watch", "a.csv"], watch_command, "read_file"),
        (["experiment", "maletzke-2020"], experiment, "check_names"),
        (["keel"], keel, "download"),
    ],
)
def test_each_command_ends_with_one_line(words, module, step, monkeypatch, capsys):
    monkeypatch.setattr(module, step, stop)
    assert commands.main(words) == INTERRUPTED
    assert capsys.readouterr().err == "Stopped.\n"


@pytest.mark.parametrize("words", [["estimate", "a.csv", "b.csv"], []])
def test_the_installed_command_ends_with_one_line(words, monkeypatch, capsys):
    monkeypatch.setattr(tables_command, "read_file", stop)
    monkeypatch.setattr(command, "_serve", stop)
    assert command.main(words) == INTERRUPTED
    assert capsys.readouterr().err == "Stopped.\n"


def test_a_terminal_gets_a_line_of_its_own_below_its_sign(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    assert say_stopped() == INTERRUPTED
    assert sys.stderr.getvalue() == "\nStopped.\n"


@pytest.mark.parametrize(
    ("started", "is_ours"),
    [("-m", True), ("/usr/bin/quantification-lab", True), ("quantification-lab.exe", True), ("/x/pytest", False), ("", False)],
)
def test_only_a_command_of_this_project_is_silent_while_it_is_imported(started, is_ours, usual_signal, monkeypatch):
    """A notebook, a server or a test that imports qcore keeps Python's own way."""
    monkeypatch.setattr(sys, "argv", [started])
    interrupted._quiet_while_importing()
    assert (signal.getsignal(signal.SIGINT) is interrupted._end) == is_ours
    usual_from_here()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_command_that_is_to_ignore_the_signal_goes_on_ignoring_it(usual_signal, monkeypatch):
    """As one that a shell without job control has put into the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    monkeypatch.setattr(sys, "argv", ["-m"])
    interrupted._quiet_while_importing()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
@pytest.mark.parametrize("module", ["qcore", "pages.server.workers"])
def test_a_command_that_is_still_being_imported_ends_with_one_line(module, tmp_path):
    """A module that it imports waits here until the signal comes."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Wait:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'qcore.classifiers':\n"
        "            import time\n"
        "            print('here', flush=True)\n"
        "            time.sleep(60)\n"
        "sys.meta_path.insert(0, Wait())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", module, "--help"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        # The tests themselves may run where the signal is ignored, which a command leaves as it is.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (INTERRUPTED, "Stopped.\n")
