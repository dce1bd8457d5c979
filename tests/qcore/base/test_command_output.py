"""How far long work is: one line on a terminal, nothing elsewhere."""

import io
import sys

import pytest
from tqdm import std

from qcore._base.command_output import ProgressBar, progress_line


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """The time that tqdm sees, in seconds."""
    now = [0.0]
    monkeypatch.setattr(std, "time", lambda: now[0])
    return now


def test_the_line_says_how_far_the_work_is_and_how_long_the_rest_takes_and_goes(clock, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_line(at_once=True) as say:
        say("Training", 0.0)
        clock[0] = 10.0
        say("Training", 0.2)
        clock[0] = 10.1
        say("Training", 0.21)
    _, first, second, blank, end = terminal.getvalue().split("\r")
    assert first == "Training: 0%|" + " " * 20 + "| ? left"
    assert second == "Training: 20%|" + "#" * 4 + " " * 16 + "| 00:40 left"
    assert blank == " " * len(second)
    assert end == ""
    assert not ProgressBar.monitor, "no thread watches it"


def test_short_work_writes_nothing(clock, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_line() as say:
        say("Redrawing", 0.3)
        clock[0] = 0.9
        say("Redrawing", 0.9)
    assert terminal.getvalue() == ""


def test_what_is_no_terminal_gets_nothing(monkeypatch):
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with progress_line(at_once=True) as say:
        say("Training", 0.5)
    assert file.getvalue() == ""


def test_another_step_takes_the_line_at_once(clock, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_line(at_once=True) as say:
        say("Redrawing sample and labels", 0.0)
        say("Testing", 0.0)
    assert "\rTesting: 0%|" in terminal.getvalue()
