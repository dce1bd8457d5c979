"""What a server is told is checked before it starts, each mistake with a sentence."""

import socket
import sys

import pytest

from pages.server import workers
from pages.server.environment import check_environment, check_place
from qcore import InvalidInput


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("HOSTS", "http://lab.example.org", "must name hosts, without http:// and without a port"),
        ("HOSTS", "lab.example.org, other:8501", "got 'other:8501'"),
        ("DATA", "/no/such/folder", "QUANTIFICATION_LAB_DATA must name a folder"),
        ("LESSONS", "/no/such/folder", "QUANTIFICATION_LAB_LESSONS must name a folder"),
        ("RUNS", "/no/such/folder", "QUANTIFICATION_LAB_RUNS must name a folder"),
        ("EMBED_IN", "not a site", "must name sites"),
    ],
)
def test_a_wrong_value_is_named(name, value, sentence, monkeypatch):
    monkeypatch.setenv(f"QUANTIFICATION_LAB_{name}", value)
    with pytest.raises(InvalidInput, match=sentence):
        check_environment()


def test_right_values_are_accepted(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_HOSTS", "lab.example.org, *, my_host, 2001:db8::1, [::1], 192.168.1.4")
    monkeypatch.setenv("QUANTIFICATION_LAB_LESSONS", str(tmp_path))
    monkeypatch.setenv("QUANTIFICATION_LAB_DATA", "")
    check_environment()


def test_where_nothing_can_listen_is_said():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InvalidInput, match="must be free, and of this machine"):
            check_place("127.0.0.1", taken.getsockname()[1])
    for port in (0, -1, 65_536):
        with pytest.raises(InvalidInput, match="--port must be from 1 to 65535"):
            check_place("127.0.0.1", port)
    with pytest.raises(InvalidInput, match="of this machine"):
        check_place("203.0.113.7", 8501)
    with pytest.raises(InvalidInput, match="of this machine"):
        check_place("é..", 8501)


def test_a_wrong_number_of_processes_is_said(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["workers", "--workers", "0"])
    assert workers.main() == 2
    assert capsys.readouterr().err == "--workers must be at least 1, got 0. Choose for example 2.\n"
