"""Runs work that may take long: light work at once, other work in other processes, while the page shows progress."""

import contextlib
import logging
import math
import os
import time
from collections.abc import Callable, Hashable, Iterator
from functools import cache, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar, cast

import streamlit as st

from pages.streamlit_internals import make_way
from pages.work.answers import arguments_of, keep, key_of, known, one_at_a_time, with_cache_key
from pages.work.engines import Store, Work, call
from pages.work.jobs import Job, JobFailed, JobLimits, Jobs, QueueIsFull, TimeLeft
from pages.work.limits import PREFIX, limit, pieces_folder
from pages.work.refusals import NotNow, TakesLong, agreed
from pages.work.turns import visitor, yield_turn
from qcore import InvalidInput

LIGHT_SECONDS = 0.06
"""Work that takes less is done at once: in another process it would not be sooner."""

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")
_LOOK_EVERY = 0.1
_SHOWN_AFTER_SECONDS = 0.2

Show = Callable[[float, str], bool]

_LOGGER = logging.getLogger(__name__)


@cache
def jobs() -> Jobs:
    """The jobs of this server. Raises InvalidInput if it is to use a cluster that does not answer."""
    limits = JobLimits(
        limit("PROCESSES"), limit("WAITING"), limit("WAITING_OF_ONE_ADDRESS"), float(limit("COMPUTATION_SECONDS"))
    )
    store = Store(pieces_folder(), limit("PIECES_MEGABYTES") * 1_000_000)
    return Jobs(limits, store, os.environ.get(f"{PREFIX}DASK", ""))


class HeavyWork(Generic[_Arguments, _Answer]):
    """A function that makes a piece of work, as a function that gives the work's answer: see `work`."""

    def __init__(
        self,
        function: Callable[_Arguments, Work[_Answer]],
        doing: Callable[..., str],
        seconds: Callable[..., float | None],
    ) -> None:
        update_wrapper(self, function)
        self._function, self._doing, self._seconds = function, doing, seconds

    def key(self, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Hashable:
        """The key of the answer."""
        return key_of(self._function, *args, **kwargs)

    def finished(self, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer | None:
        """The answer, if it is there already."""
        answer: _Answer | None = known(self.key(*args, **kwargs))
        return answer

    def __call__(self, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer:
        """The answer, computed unless it is there.

        Work that takes long runs in another process while the page shows its place in the queue, how far it is and how long it
        will take. A control that moves, or a page that is closed, ends it, unless others wait for it too.

        Raises InvalidInput as the function; NotNow if the queue is full or the work has failed.
        """
        key = self.key(*args, **kwargs)
        answer: _Answer | None = known(key)
        if answer is not None:
            no_bar()
            return answer
        arguments = arguments_of(self._function, *args, **kwargs)
        doing, seconds = self._doing(*arguments), self._seconds(*arguments)

        def make() -> Work[_Answer]:
            return self._function(*args, **kwargs)

        if seconds is not None and seconds < LIGHT_SECONDS:
            return cast("_Answer", _at_once(key, make, doing))
        return cast("_Answer", _beside(key, make, doing, seconds))


def work(
    doing: str | Callable[..., str], seconds: float | Callable[..., float | None] | None = None
) -> Callable[[Callable[_Arguments, Work[_Answer]]], HeavyWork[_Arguments, _Answer]]:
    """Decorator: a function that makes a piece of work becomes one that gives its answer, kept by the arguments.

    Parameters
    ----------
    doing : the text of the progress bar on what is being done; or a function of the same arguments that gives it.
    seconds : about how long it takes, or a function of the same arguments that gives it; None if that is unknown.
    """
    words = doing if callable(doing) else lambda *_args, **_kwargs: doing
    takes = seconds if callable(seconds) else lambda *_args, **_kwargs: seconds
    return lambda function: HeavyWork(function, words, takes)


def no_bar() -> None:
    """Draw an empty element in place of the bar, so that later elements keep their position, and a chart its zoom."""
    st.empty()


def _at_once(key: Hashable, make: Callable[[], Work], doing: str) -> Any:
    with progress() as show, one_at_a_time(key):
        answer = known(key)
        if answer is None:
            answer = keep(key, call(make(), lambda share, now="": show(share, now or f"{doing}: {share:.0%} done")))
        return answer


def _beside(key: Hashable, make: Callable[[], Work], doing: str, seconds: float | None) -> Any:
    _agree(key, doing, seconds)
    with _wanted(key, make(), seconds) as job, progress() as show, yield_turn():
        shown, left = "", TimeLeft(job)
        while not job.wait(_LOOK_EVERY):
            make_way()
            text = _status(job, doing, left.seconds())
            if text != shown and show(job.progress[0], text):
                shown = text
    try:
        return with_cache_key(job.answer(), key)
    except InvalidInput:
        raise
    except JobFailed as error:
        raise NotNow(str(error)) from error
    except Exception as error:
        _LOGGER.exception("%s failed", doing)
        raise NotNow("This could not be computed on this server just now. Try again, or try less of it.") from error


@contextlib.contextmanager
def _wanted(key: Hashable, work: Work, seconds: float | None) -> Iterator[Job]:
    try:
        job = jobs().want(key, work, visitor(), seconds, lambda answer: keep(key, answer))
    except QueueIsFull as error:
        raise NotNow(str(error)) from error
    try:
        yield job
    finally:
        jobs().let_go(job)


def _status(job: Job, doing: str, left: float | None) -> str:
    """The text of the progress bar: the place in the queue or what is being done, and the time left, if it is known."""
    time_left = "" if left is None else f", {duration(left)} left"
    before = jobs().place(job)
    share, now = job.progress
    if before or not job.started:
        ahead = "next in the queue" if before == 0 else f"{before} before you in the queue"
        return f"{doing}: {ahead}{time_left}"
    return f"{now or f'{doing}: {share:.0%} done'}{time_left}"


def duration(seconds: float) -> str:
    """A time as the user would say it, roughly."""
    if seconds < 10:
        return f"{max(1, math.ceil(seconds))} s"
    return f"{math.ceil(seconds / 5) * 5} s" if seconds < 100 else f"{math.ceil(seconds / 60)} min"


def _agree(key: Hashable, doing: str, seconds: float | None) -> None:
    """Raise TakesLong for long work to which the person has not agreed, and NotNow for work over the server's limit."""
    if seconds is None or seconds < limit("ASK_SECONDS"):
        return
    if seconds > limit("COMPUTATION_SECONDS"):
        raise NotNow(
            f"{doing} would take about {duration(seconds)}; this server gives {duration(limit('COMPUTATION_SECONDS'))} to a "
            "computation. Choose a faster classifier, a smaller data set or fewer samples."
        )
    if key not in agreed():
        raise TakesLong(f"{doing} takes about {duration(seconds)} on one processor.", key)


@contextlib.contextmanager
def progress() -> Iterator[Show]:
    """Yield a function to call with (share that is done, what is being done); it draws a bar once the work has taken 0.2 s.

    It returns whether it has drawn.

    Streamlit stops a run when it draws something: if a control was moved meanwhile, such a call stops the work.
    """
    started = time.perf_counter()
    # This element is always there, so that later elements keep their position in the page.
    slot = st.empty()

    def show(share: float, doing: str) -> bool:
        is_long = time.perf_counter() - started > _SHOWN_AFTER_SECONDS
        if is_long:
            slot.progress(min(share, 1.0), doing)
        return is_long

    yield show
    slot.empty()
