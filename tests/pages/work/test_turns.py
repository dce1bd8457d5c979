"""Turns: so many at a time, by address, and no two wait for each other for ever."""

import threading
import time

import pytest

from pages.work import turns as module
from pages.work.turns import Turns


def in_threads(work, *arguments):
    threads = [threading.Thread(target=work, args=one, daemon=True) for one in arguments]
    for thread in threads:
        thread.start()
    return threads


def until(condition, seconds=5.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.002)


def test_no_more_than_so_many_are_inside():
    turns, most, lock = Turns(3), [0, 0], threading.Lock()

    def run(visitor):
        with turns.turn(visitor):
            with lock:
                most[0] += 1
                most[1] = max(most)
            time.sleep(0.002)
            with lock:
                most[0] -= 1

    for thread in in_threads(run, *[(str(number % 4),) for number in range(60)]):
        thread.join(10)
    assert most == [0, 3]
    assert turns.n_inside == 0


def test_addresses_take_turns():
    turns, order = Turns(1), []

    def run(visitor, name):
        with turns.turn(visitor):
            order.append(name)

    with turns.turn("first"):
        threads = []
        for waiting, (visitor, name) in enumerate((("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1")), start=1):
            threads += in_threads(run, (visitor, name))
            until(lambda waiting=waiting: sum(map(len, turns._lines.values())) == waiting)
    for thread in threads:
        thread.join(5)
    assert order == ["a1", "b1", "a2", "a3"]


def test_a_long_run_does_not_keep_the_others_waiting(monkeypatch):
    monkeypatch.setattr(module, "_LONG_RUN", 0.05)
    turns, inside, leaves = Turns(1, at_most=2), [], threading.Event()

    def run(name):
        with turns.turn(name):
            inside.append(name)
            leaves.wait(5)

    threads = in_threads(run, ("long",))
    until(lambda: inside == ["long"])
    threads += in_threads(run, ("second",), ("third",))
    until(lambda: len(inside) == 2)
    time.sleep(0.2)
    assert len(inside) == 2, "no more than two"
    leaves.set()
    until(lambda: len(inside) == 3)
    for thread in threads:
        thread.join(5)
    assert turns.n_inside == 0
    assert not turns._lines


def test_beside_a_long_run_the_others_go_on_in_their_order(monkeypatch):
    monkeypatch.setattr(module, "_LONG_RUN", 0.1)
    turns, order, leaves = Turns(1, at_most=2), [], threading.Event()

    def long():
        with turns.turn("long"):
            order.append("long")
            leaves.wait(5)

    def short(visitor, name):
        with turns.turn(visitor):
            order.append(name)
            # From here on, nobody who waits is let in by time alone.
            monkeypatch.setattr(module, "_LONG_RUN", 1e6)

    threads = in_threads(long, ())
    until(lambda: order)
    for waiting, (visitor, name) in enumerate((("a", "a1"), ("a", "a2"), ("b", "b1")), start=1):
        threads += in_threads(short, (visitor, name))
        until(lambda waiting=waiting: sum(map(len, turns._lines.values())) == waiting or len(order) > 1)
    until(lambda: len(order) == 4)
    assert order == ["long", "a1", "b1", "a2"]
    monkeypatch.setattr(module, "_LONG_RUN", 0.1)
    leaves.set()
    for thread in threads:
        thread.join(5)
    assert turns.n_inside == 0
    assert not turns._beside_long


def test_others_go_first_while_a_run_waits():
    turns, order = Turns(1), []

    def other():
        with turns.turn("b"):
            order.append("other")

    with turns.turn("a"):
        threads = in_threads(other, ())
        until(lambda: turns._lines)
        with turns.yield_turn("a"):
            threads[0].join(5)
        order.append("again")
    assert order == ["other", "again"]
    assert turns.n_inside == 0


def test_who_comes_back_waits_no_longer_than_a_second(monkeypatch):
    monkeypatch.setattr(module, "_COMES_BACK_WITHIN", 0.05)
    turns, inside, leaves = Turns(1), threading.Event(), threading.Event()

    def keeps():
        with turns.turn("b"):
            inside.set()
            leaves.wait(5)

    with turns.turn("a"):
        with turns.yield_turn("a"):
            (thread,) = in_threads(keeps, ())
            assert inside.wait(5)
        assert turns.n_inside == 2
    leaves.set()
    thread.join(5)
    assert turns.n_inside == 0


def test_a_turn_is_given_back_when_work_fails():
    turns = Turns(1)
    with pytest.raises(ZeroDivisionError), turns.turn("a"):
        raise ZeroDivisionError
    assert turns.n_inside == 0
