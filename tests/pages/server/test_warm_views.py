"""The server draws views by itself when nobody is served."""

import pytest

from pages.frame.view import View
from pages.server import start, warm_views
from pages.server.warm_views import draw_when_idle
from pages.work import turns
from pages.work.jobs import Jobs
from tests.pages.server import run_asynchronously

VIEWS = [View("corrections", {"threshold": 0.4}), View("home", {}), View("home", {}), View("losses", {"true_p": 0.3})]


@pytest.fixture(params=[TimeoutError(), RuntimeError("no runtime")], ids=["late", "broken"])
def drawn(monkeypatch, request):
    """What is drawn, (path, query), with no waiting; the first view fails."""
    done, failure = [], request.param

    async def draw(path, query, _seconds):
        done.append((path, query))
        if path == "corrections":
            raise failure

    monkeypatch.setattr(warm_views, "draw_unseen", draw)
    monkeypatch.setattr(warm_views, "_FIRST_AFTER", 0.0)
    monkeypatch.setattr(warm_views, "_LOOK_EVERY", 0.01)
    return done


def test_each_view_is_drawn_once_and_one_that_fails_does_not_stop_the_others(drawn):
    run_asynchronously(draw_when_idle(lambda: VIEWS))
    assert drawn == [("corrections", "threshold=0.4"), ("", ""), ("losses", "true_p=0.3")]


def test_a_limit_says_how_many(drawn, monkeypatch):
    monkeypatch.setattr(warm_views, "limit", lambda _key: 1)
    run_asynchronously(draw_when_idle(lambda: VIEWS))
    assert drawn == [("corrections", "threshold=0.4")]


@pytest.mark.parametrize("most", [0, 1])
def test_a_limit_of_none_prepares_nothing(drawn, monkeypatch, most):
    packed = []

    async def pack(_until_idle):
        packed.append(True)

    for module in (start, warm_views):
        monkeypatch.setattr(module, "limit", lambda _key: most)
    monkeypatch.setattr(start, "pack_further", pack)
    run_asynchronously(start._when_idle(lambda: VIEWS))
    assert (len(drawn), len(packed)) == (most, most)


def test_people_come_first(drawn, monkeypatch):
    looks = iter([True, False, False, False, False])
    asked = []

    def busy():
        asked.append(len(drawn))
        return next(looks)

    monkeypatch.setattr(turns, "busy", busy)
    jobs = iter([True, False, False, False])
    monkeypatch.setattr(Jobs, "busy", lambda _jobs: next(jobs))
    run_asynchronously(draw_when_idle(lambda: VIEWS))
    assert asked == [0, 0, 0, 1, 2]
    assert len(drawn) == 3


def test_a_run_at_work_is_seen():
    assert not turns.busy()
    with turns.turn():
        assert turns.busy()
    assert not turns.busy()
