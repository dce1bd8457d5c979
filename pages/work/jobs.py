"""Heavy work: the jobs of all sessions, who waits for them, and their queue before the processes of this machine or a cluster.

Sessions that want the same answer share a job. A job for which no process is free waits here and not in the engine: so one that
nobody wants any more leaves at no cost, addresses take turns, and each knows its place.
"""

import itertools
import math
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pebble import ProcessExpired

from pages.work.engines import DaskEngine, PebbleEngine, Progress, Store, Work

SHORT_SECONDS = 2.0

_GRACE = 0.5
"""Seconds that a job continues when nobody waits for it, because a rerun may come back to it."""

_FAR_OFF = 5.0
"""A longer time left is told only if it exceeds twice the time told before by this many seconds."""

_SHORT_NICENESS, _LONG_NICENESS = 2, 5
"""Pages come first (the server's own process has niceness 0), then short, then long jobs.

No more than that: other programs of the machine would hardly leave the processor to a job with the lowest priority.
"""


class JobFailed(Exception):
    """A job ended without an answer: its process died, or it took too long. The message says which."""


class QueueIsFull(Exception):
    """Raised when no further job may wait in the queue. The message says so."""


class Job:
    """Work that waits or is done in another process; sessions that want the same answer share one.

    Attributes
    ----------
    key : the key of the answer.
    visitor : the address of the session that asked first: in the queue, addresses take turns.
    seconds : about how long the work takes; None if it is unknown.
    keep : called with the answer, so that the answer is kept even if all sessions that waited have just left.
    started : the time at which it was begun; 0 while it waits.
    """

    def __init__(
        self,
        key: Hashable,
        work: Work[Any],
        visitor: str,
        seconds: float | None,
        keep: Callable[[Any], object] | None = None,
    ) -> None:
        self.key, self.work, self.visitor, self.seconds, self.keep = key, work, visitor, seconds, keep
        self.progress: Progress = (0.0, "")
        self.n_waiting_for_it = 0
        self.started = 0.0
        self.future: Any = None
        self._ended = threading.Event()
        self._answer: Any = None
        self._error: BaseException | None = None

    @property
    def is_short(self) -> bool:
        """Whether it is known to take no longer than the user waits for a picture."""
        return self.seconds is not None and self.seconds <= SHORT_SECONDS

    def tell(self, share: float, doing: str) -> None:
        """Note how far it is."""
        self.progress = (share, doing)

    def end(self, answer: Any = None, error: BaseException | None = None) -> None:
        """Store the answer or the error, and wake all threads that wait for it."""
        self._answer, self._error = answer, error
        self._ended.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for the end of the job; returns whether it has ended."""
        return self._ended.wait(seconds)

    def answer(self) -> Any:
        """The function's return value. Raises the function's exception, or JobFailed."""
        if self._error is not None:
            raise self._error
        return self._answer

    @property
    def at_work(self) -> float:
        """Seconds since it was begun."""
        return time.monotonic() - self.started if self.started else 0.0

    @property
    def seconds_left(self) -> float | None:
        """About how many seconds are left; None before a first piece is finished.

        By the job's pace, and at first more by the expected time, unless that has passed: the first piece also loads what all
        need.
        """
        share, at_work = self.progress[0], self.at_work
        if share <= 0.0:
            return None
        by_pace, expected = at_work / share * (1.0 - share), (self.seconds or 0.0) - at_work
        return by_pace if expected <= 0.0 else share * by_pace + (1.0 - share) * expected


class TimeLeft:
    """The time left of a job as the user is told it: it counts down, and is told no more when it has passed."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._share = 0.0
        self._end = -math.inf

    def seconds(self) -> float | None:
        """The seconds to tell, or None.

        A time left that goes up and down would be no help: a finished piece raises it only if it was far too low.
        """
        now, share = time.monotonic(), self._job.progress[0]
        if share != self._share:
            self._share, told, left = share, self._end - now, self._job.seconds_left
            if left is not None and not told < left < 2 * told + _FAR_OFF:
                self._end = now + left
        return self._end - now if self._end > now else None


@dataclass(frozen=True)
class JobLimits:
    """The numbers of processes, of waiting jobs in total and from one address, and the seconds that a job may work."""

    processes: int
    waiting: int
    waiting_of_one: int
    seconds: float


@dataclass(eq=False)
class _Lane:
    """Jobs that one engine executes: those at work, and those that wait, in order of arrival."""

    engine: PebbleEngine | DaskEngine
    at_work: set[Job] = field(default_factory=set)
    waiting: list[Job] = field(default_factory=list)
    served: dict[str, int] = field(default_factory=dict)
    """Address -> the number of the last of its jobs that was begun."""

    def in_turn(self) -> list[Job]:
        """The jobs that wait in the order in which they will be begun: addresses take turns."""
        lines: dict[str, list[Job]] = {}
        for job in self.waiting:
            lines.setdefault(job.visitor, []).append(job)
        by_turn = sorted(lines.values(), key=lambda line: self.served.get(line[0].visitor, 0))
        return [job for turn in itertools.zip_longest(*by_turn) for job in turn if job is not None]


class Jobs:
    """The jobs of this server; processes are started with the first one, and ended with the server's process.

    Where there are several processes, the first is for short jobs alone, so that these never wait for long ones, which have a
    lower priority. Where a cluster is named, it gets the work that does not need the files of this machine.

    Parameters
    ----------
    limits : of processes, queue and time.
    store : where pieces are kept.
    dask : address of a Dask scheduler, or "".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from qcore import load_dataset
    >>> from qcore.scoring import score_dataset
    >>> with tempfile.TemporaryDirectory() as name:
    ...     jobs = Jobs(JobLimits(1, 10, 10, 60.0), Store(Path(name), 10**6))
    ...     job = jobs.want("wine", Work(score_dataset, (load_dataset("wine"),)), visitor="here", seconds=None)
    ...     job.wait(60.0), job.answer().pool_scores.shape
    ...     jobs.close()
    (True, (89, 3))
    """

    def __init__(self, limits: JobLimits, store: Store, dask: str = "") -> None:
        self.limits, self.dask = limits, dask
        n_short = 1 if limits.processes > 1 else 0
        self._long = _Lane(PebbleEngine(limits.processes - n_short, _LONG_NICENESS, store, limits.seconds))
        self._short = _Lane(PebbleEngine(n_short, _SHORT_NICENESS, store, limits.seconds)) if n_short else self._long
        self._cluster = _Lane(DaskEngine(dask, store, limits.seconds)) if dask else None
        self._lanes = list(dict.fromkeys(lane for lane in (self._short, self._long, self._cluster) if lane))
        self._jobs: dict[Hashable, Job] = {}
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._is_closed = False

    def start(self) -> None:
        """Start the processes before the first job. Those that cannot start now are started with the first job."""
        for lane in self._lanes:
            try:
                lane.engine.start()
            except OSError:
                return

    def want(
        self,
        key: Hashable,
        work: Work[Any],
        visitor: str,
        seconds: float | None,
        keep: Callable[[Any], object] | None = None,
    ) -> Job:
        """The job of that key, put into the queue if there is none; `let_go` it when its answer is not wanted any more.

        `keep` is called with the answer before the job is forgotten. Raises QueueIsFull.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                self._check_room(visitor)
                job = Job(key, work, visitor, seconds, keep)
                self._jobs[key] = job
                self._lane(job).waiting.append(job)
            job.n_waiting_for_it += 1
        self._begin_jobs()
        return job

    def _check_room(self, visitor: str) -> None:
        waiting = [job.visitor for lane in self._lanes for job in lane.waiting]
        if len(waiting) >= self.limits.waiting:
            raise QueueIsFull(f"{self.limits.waiting} computations are waiting on this server already. Try again in a minute.")
        if waiting.count(visitor) >= self.limits.waiting_of_one:
            raise QueueIsFull(
                f"{self.limits.waiting_of_one} computations that were asked for from your address are waiting already. "
                "Try again when one of them has ended."
            )

    def _lane(self, job: Job) -> _Lane:
        if self._cluster and not job.work.is_local:
            return self._cluster
        return self._short if job.is_short else self._long

    def let_go(self, job: Job) -> None:
        """Note that one caller no longer waits for a job. A job for which nobody waits is ended soon."""
        with self._lock:
            job.n_waiting_for_it -= 1
            if job.n_waiting_for_it <= 0:
                timer = threading.Timer(_GRACE, self._end_unwanted, (job,))
                timer.daemon = True
                timer.start()

    def _end_unwanted(self, job: Job) -> None:
        with self._lock:
            if job.n_waiting_for_it > 0 or job.wait(0.0):
                return
            # A later request creates a new job.
            self._forget(job)
        self._end(job, JobFailed("Nobody waited for this any more."))

    def _end(self, job: Job, error: JobFailed) -> None:
        if job.future is not None:
            job.future.cancel()
        job.end(error=error)
        self._begin_jobs()

    def _forget(self, job: Job) -> None:
        lane = self._lane(job)
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        lane.at_work.discard(job)
        if job in lane.waiting:
            lane.waiting.remove(job)
        if not lane.at_work and not lane.waiting:
            lane.served.clear()

    def _begin_jobs(self) -> None:
        """Begin as many jobs as processes are free."""
        for lane in self._lanes:
            while (job := self._next(lane)) is not None:
                try:
                    job.future = lane.engine.submit(job.work, job.tell)
                except Exception as error:
                    # Whatever the error is, the threads that wait must get it.
                    with self._lock:
                        self._forget(job)
                    job.end(error=error)
                    continue
                job.future.add_done_callback(partial(self._ended, job))
                if job.wait(0.0):
                    # Nobody wanted it any more while it was sent.
                    job.future.cancel()

    def _next(self, lane: _Lane) -> Job | None:
        """The next job of a lane, noted as begun; None if none waits, or if no process is free."""
        with self._lock:
            if self._is_closed or not lane.waiting or len(lane.at_work) >= lane.engine.capacity:
                return None
            job = lane.in_turn()[0]
            lane.waiting.remove(job)
            lane.at_work.add(job)
            lane.served[job.visitor] = next(self._numbers)
            job.started = time.monotonic()
            return job

    def _ended(self, job: Job, future: Any) -> None:
        """Give a job's answer or error to those who wait for it."""
        answer, error = None, None
        try:
            answer = future.result()
        except BaseException as raised:
            error = self._reason(job, raised)
        if error is None and job.keep is not None:
            job.keep(answer)
        with self._lock:
            self._forget(job)
        if not job.wait(0.0):
            job.end(answer, error)
        self._begin_jobs()

    def _reason(self, job: Job, error: BaseException) -> BaseException:
        """The error to tell of a future's error."""
        if isinstance(error, TimeoutError) and job.at_work > self.limits.seconds:
            minutes = self.limits.seconds / 60.0
            return JobFailed(f"This takes longer than the {minutes:.3g} minutes that this server gives to it.")
        if isinstance(error, ProcessExpired | BrokenProcessPool | CancelledError) or not isinstance(error, Exception):
            return JobFailed("The process that computed this has ended, perhaps for lack of memory. Try it with less data.")
        return error

    def place(self, job: Job) -> int:
        """How many jobs have their turn before this job; 0 if it is running."""
        with self._lock:
            in_turn = self._lane(job).in_turn()
            return in_turn.index(job) if job in in_turn else 0

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._is_closed = True
            jobs = list(self._jobs.values())
        for lane in self._lanes:
            lane.engine.close()
        for job in jobs:
            job.end(error=JobFailed("The server ends."))
