"""The time that a job still takes: as expected at first, by its pace later."""

import pytest

from pages.work import job as jobs
from pages.work.job import Job, Work
from tests.pages.work import work


@pytest.fixture
def clock(monkeypatch):
    now = {"seconds": 100.0}
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now["seconds"])
    return now


def running(clock, seconds):
    job = Job("a", Work(work.double, (1,)), "here", seconds)
    job.begin()

    def left(after, share):
        clock["seconds"], job.progress = 100.0 + after, (share, "")
        return job.seconds_left

    return left


def test_a_slow_start_does_not_make_the_time_left_jump(clock):
    left = running(clock, 15.0)
    # The first tenth took as long as a fifth of the whole should.
    assert left(0, 0.0) == 15
    assert left(3, 0.04) == 12
    assert left(4, 0.1) == pytest.approx(0.1 * 36 + 0.9 * 11)
    assert left(10, 0.5) == pytest.approx(0.5 * 10 + 0.5 * 5)
    assert left(19, 0.95) == pytest.approx(1.0)


def test_a_pace_far_below_the_expected_one_is_seen(clock):
    left = running(clock, 5.0)
    # It takes a minute, not five seconds.
    assert left(15, 0.25) > 10
    assert left(30, 0.5) > 15
    assert 11 < left(45, 0.75) < 15


def test_what_nobody_expected_is_told_by_its_pace(clock):
    left = running(clock, None)
    assert left(2, 0.01) is None
    assert left(5, 0.25) == pytest.approx(15)


def test_what_takes_longer_than_expected_never_says_that_it_is_over(clock):
    assert running(clock, 2.0)(60, 0.0) == 1
