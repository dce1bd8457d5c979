"""The queue: addresses take turns, short jobs have a process of their own, and there is an end to it."""

import pytest

from pages.work.job import Job, Lane, Work
from pages.work.queue import JobQueue, QueueIsFull


def job(name, visitor="a", seconds=None):
    return Job(name, Work(print), visitor, seconds)


def filled(*jobs, most=10, most_of_one=10):
    queue = JobQueue(most, most_of_one)
    for one in jobs:
        queue.add(one)
    return queue


def taken(queue, **more):
    names = []
    while (one := queue.take(**more)) is not None:
        names.append(one.key)
    return names


def test_addresses_take_turns():
    queue = filled(job("a1"), job("a2"), job("a3"), job("b1", "b"), job("c1", "c"))
    assert taken(queue) == ["a1", "b1", "c1", "a2", "a3"]
    assert len(queue) == 0


def test_places_are_those_in_which_they_are_taken():
    jobs = [job("a1"), job("a2"), job("b1", "b"), job("a3"), job("b2", "b")]
    queue = filled(*jobs)
    order = ["a1", "b1", "a2", "b2", "a3"]
    assert [len(queue.before(one)) for one in jobs] == [order.index(one.key) for one in jobs]
    assert taken(queue) == order


def test_lanes_take_their_own():
    queue = filled(job("unknown"), job("long", seconds=60.0), job("short", seconds=1.0), job("b", "b", 0.5))
    assert queue.has_for(Lane.SHORT)
    assert taken(queue, lane=Lane.SHORT) == ["short", "b"]
    assert not queue.has_for(Lane.SHORT)
    assert taken(queue, lane=Lane.LONG) == ["unknown", "long"]


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_every_job_has_a_lane(n):
    lanes = [Lane.of(number, n) for number in range(n)]
    for one in (job("unknown"), job("long", seconds=60.0), job("short", seconds=1.0)):
        assert any(lane.takes(one) for lane in lanes)


def test_one_that_was_interrupted_comes_after_the_others():
    first = job("first")
    queue = filled(job("second"))
    queue.put_back(first)
    assert taken(queue) == ["second", "first"]


def test_one_that_nobody_wants_is_removed():
    one = job("one")
    queue = filled(one, job("two"))
    queue.remove(one)
    queue.remove(one)
    assert taken(queue) == ["two"]


@pytest.mark.parametrize(
    ("limits", "visitor", "sentence"),
    [({"most": 2}, "b", "2 computations are waiting on this server"), ({"most_of_one": 2}, "a", "from your address")],
)
def test_a_full_queue_is_a_sentence(limits, visitor, sentence):
    queue = filled(job("a1"), job("a2"), **limits)
    with pytest.raises(QueueIsFull, match=sentence):
        queue.add(job("more", visitor))
    assert taken(queue) == ["a1", "a2"]


def test_who_asks_for_much_does_not_keep_others_from_the_queue():
    queue = filled(job("a1"), job("a2"), most_of_one=2)
    queue.add(job("b1", "b"))
    assert taken(queue) == ["a1", "b1", "a2"]
