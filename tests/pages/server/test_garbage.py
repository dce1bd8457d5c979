"""What the server collects of garbage, and when."""

import gc
import time
import tomllib
import weakref
from pathlib import Path

from pages.server import start as garbage


class Ring:
    """Garbage that only a collection finds."""

    def __init__(self):
        self.ring = self


def test_what_is_there_is_frozen_and_old_objects_are_not_examined_in_a_run():
    threshold, there = gc.get_threshold(), gc.get_freeze_count()
    with garbage.frozen_heap():
        assert gc.get_freeze_count() > 1000
        old = Ring()
        gc.collect()
        lost = weakref.ref(old)
        del old
        # Many more than after which Python would look through all: ten times ten times 700, a quarter of which are kept.
        kept = [[[] for _ in range(1000)] for _ in range(500)]
        assert lost() is not None
        gc.collect()
        assert lost() is None
        del kept
    assert (gc.get_threshold(), gc.get_freeze_count()) == (threshold, there)


def test_old_garbage_is_let_go_in_time():
    with garbage.frozen_heap(0.01):
        old = Ring()
        gc.collect()
        lost = weakref.ref(old)
        del old
        deadline = time.monotonic() + 10
        while lost() is not None and time.monotonic() < deadline:
            kept = [[] for _ in range(1000)]
            time.sleep(0.01)
        assert lost() is None
        del kept


def test_a_run_collects_nothing_by_itself():
    settings = tomllib.loads((Path(__file__).parents[3] / ".streamlit" / "config.toml").read_text())
    assert settings["runner"]["postScriptGC"] is False
