"""Memory that was freed stays with the process, or goes back to the system, as one asks."""

import platform
import subprocess
import sys

import pytest

from qcore import keep_freed_memory

_HELD = """
import gc, sys
import numpy as np, psutil
from qcore import keep_freed_memory
if sys.argv[1] == "keep":
    keep_freed_memory()
held = psutil.Process().memory_info
before = held().rss
arrays = [np.ones(2**20) for _ in range(4)]
del arrays
print((held().rss - before) / 2**20)
"""
"""Prints how many more megabytes the process holds after four arrays of eight were freed."""


def megabytes_held(how: str) -> float:
    return float(subprocess.run([sys.executable, "-c", _HELD, how], capture_output=True, check=True, text=True).stdout)


@pytest.mark.thorough
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc's allocator is told")
def test_what_is_freed_is_kept_when_one_asks():
    assert megabytes_held("keep") > 16
    assert megabytes_held("as usual") < 16


def test_without_glibc_nothing_happens(monkeypatch):
    def none(_name: str | None) -> object:
        raise OSError("no such library")

    monkeypatch.setattr("ctypes.CDLL", none)
    keep_freed_memory()
