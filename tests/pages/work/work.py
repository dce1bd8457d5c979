"""What jobs do in the tests: functions that another process can import."""

import os
import time

import pandas as pd


def double(number, *, on_progress):
    on_progress(0.5, "half way")
    return 2 * number


def fail(*, on_progress):
    raise ZeroDivisionError("by nothing")


class Unsendable(Exception):
    """Cannot be restored from what it is pickled as."""

    def __init__(self, first, second):
        super().__init__(f"{first} {second}")


def fail_unsendably(*, on_progress):
    raise Unsendable("by a", "function")


def steps(n, seconds, *, on_progress, finished=None):
    """n steps of so many seconds each, which are kept; how many this call made, and the process that made them."""
    made = []

    def make(number):
        time.sleep(seconds)
        made.append(number)
        return number

    for number in range(n):
        on_progress(number / n, f"{number} of {n}")
        finished.get(number, lambda number=number: make(number)) if finished is not None else make(number)
    return len(made), os.getpid()


def sleep(seconds):
    time.sleep(seconds)


def die(*, on_progress):
    os._exit(3)


def scheduler():
    return os.sched_getscheduler(0) if hasattr(os, "sched_getscheduler") else None


def niceness():
    return os.nice(0), scheduler(), os.environ["OMP_NUM_THREADS"]


def table_of_texts():
    return pd.DataFrame({"method": ["CC", "AC"]})
