"""The time that a job still takes: nothing at first, then as expected, by its pace later; and what a person is told of it."""

import pytest

from pages.work import job as jobs
from pages.work.job import Job, TimeLeft, Work
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
    assert left(3, 0.0) is None, "nothing is finished"
    assert left(4, 0.1) == pytest.approx(0.1 * 36 + 0.9 * 11)
    assert left(10, 0.5) == pytest.approx(0.5 * 10 + 0.5 * 5)
    assert left(19, 0.95) == pytest.approx(1.0)


def test_a_pace_far_below_the_expected_one_is_seen(clock):
    left = running(clock, 5.0)
    # It takes a minute, not five seconds.
    assert left(15, 0.25) > 10
    assert left(30, 0.5) > 15
    assert left(45, 0.75) == pytest.approx(15)


def test_what_nobody_expected_is_told_by_its_pace(clock):
    left = running(clock, None)
    assert left(2, 0.0) is None
    assert left(5, 0.25) == pytest.approx(15)


@pytest.fixture
def told(clock):
    """A function that gives the time left that a person is told, so many seconds after the start at that share."""
    job = Job("a", Work(work.double, (1,)), "here", 5.5)
    job.begin()
    left = TimeLeft(job)

    def seconds(after, share):
        clock["seconds"], job.progress = 100.0 + after, (share, "")
        return left.seconds()

    return seconds


def test_on_a_busy_machine_no_second_is_left_for_ever(told):
    """The expected 5.5 s pass before the first piece is finished; later one piece takes longer than all before it."""
    assert [told(after, 0.0) for after in (0, 5, 30)] == [None] * 3
    assert told(40, 0.5) == pytest.approx(40)
    assert told(79, 0.5) == pytest.approx(1)
    assert [told(after, 0.5) for after in (81, 100, 1000)] == [None] * 3
    assert told(1001, 0.9) == pytest.approx(1001 / 9), "a piece more is news"


def test_a_time_left_counts_down_and_is_raised_only_if_it_was_far_too_low(told):
    assert told(6, 0.5) == pytest.approx(6)
    assert told(9, 0.6) == pytest.approx(3), "by its pace, 6 s"
    assert told(10, 0.8) == pytest.approx(2), "by its pace, 2.5 s"
    assert told(10.5, 0.95) == pytest.approx(10.5 / 19)
    assert told(30, 0.95) is None
    assert told(60, 0.96) == pytest.approx(2.5)
