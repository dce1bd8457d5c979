"""A pool of processes with a limited size, and its queue of jobs."""

import contextlib
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final

from pages.work.job import Job, JobFailed, Lane, State, Work
from pages.work.process import WorkerProcess
from pages.work.queue import JobQueue
from pages.work.worker import PAUSE, STOP, Store

_GRACE: Final = 0.5
"""Seconds that a job continues when nobody waits for it, because a rerun may come back to it."""

_STOPS_WITHIN: Final = 1.0
"""Seconds that a function has to end after it was asked to; then its process is killed."""

_TURN: Final = 5.0
"""Seconds that interruptible work may run before it makes room for waiting jobs."""


@dataclass(frozen=True)
class PoolLimits:
    """The numbers of processes, of waiting jobs in total and from one address, and the seconds that a job may work."""

    processes: int
    waiting: int
    waiting_of_one: int
    seconds: float


class JobPool:
    """Processes that work on jobs; started with the first job, and ended with the server's process.

    Parameters
    ----------
    limits : of processes, queue and time.
    store : where pieces are kept.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from qcore import load_dataset
    >>> from qcore.scoring import score_dataset
    >>> with tempfile.TemporaryDirectory() as name:
    ...     pool = JobPool(PoolLimits(1, 10, 10, 60.0), Store(Path(name), 10**6))
    ...     job = pool.want("wine", Work(score_dataset, (load_dataset("wine"),)), visitor="here", seconds=None)
    ...     job.wait(60.0), job.answer().pool_scores.shape
    ...     pool.close()
    (True, (89, 3))
    """

    def __init__(self, limits: PoolLimits, store: Store) -> None:
        self.limits, self._store = limits, store
        self._queue = JobQueue(limits.waiting, limits.waiting_of_one)
        self._jobs: dict[Hashable, Job] = {}
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def want(
        self, key: Hashable, work: Work, visitor: str, seconds: float | None, keep: Callable[[Any], object] | None = None
    ) -> Job:
        """The job of that key, put into the queue if there is none; `let_go` it when its answer is not wanted any more.

        `keep` is called with the answer before the job is forgotten. Raises QueueIsFull.
        """
        with self._changed:
            job = self._jobs.get(key)
            if job is None:
                job = Job(key, work, visitor, seconds, keep)
                self._queue.add(job)
                self._jobs[key] = job
            job.n_waiting_for_it += 1
            self._start()
            self._changed.notify_all()
            return job

    def let_go(self, job: Job) -> None:
        """Note that one caller no longer waits for a job. A job for which nobody waits is ended soon."""
        with self._changed:
            job.n_waiting_for_it -= 1
            job.unwanted_since = time.monotonic()
            if job.state is State.WAITING and not job.n_waiting_for_it:
                timer = threading.Timer(_GRACE + 0.05, self._leave_queue, (job,))
                timer.daemon = True
                timer.start()

    def _leave_queue(self, job: Job) -> None:
        with self._changed:
            if job.state is State.WAITING and job.is_unwanted(_GRACE):
                self._queue.remove(job)
                self._forget(job)

    def place(self, job: Job) -> int:
        """How many jobs have their turn before this job; 0 if it is running."""
        with self._changed:
            if job.state is not State.WAITING:
                return 0
            lanes = [lane for lane in self._lanes() if lane.takes(job)]
            return sum(any(lane.takes(one) for lane in lanes) for one in self._queue.before(job))

    def _lanes(self) -> list[Lane]:
        return [Lane.of(number, self.limits.processes) for number in range(self.limits.processes)]

    def busy(self) -> bool:
        """Whether any job runs or waits."""
        with self._changed:
            return bool(self._jobs)

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def start(self) -> None:
        """Start the processes before the first job."""
        with self._changed:
            self._start()

    def _start(self) -> None:
        for number in range(len(self._threads), self.limits.processes):
            lane = Lane.of(number, self.limits.processes)
            thread = threading.Thread(target=self._serve, args=(lane,), name=f"jobs {number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, lane: Lane) -> None:
        """Run one job after the other in a worker process, which this thread manages."""
        worker = WorkerProcess(self._store, lane)
        # A process that can't be started now is started with the first job, which fails if the start fails again.
        with contextlib.suppress(OSError):
            worker.start()
        while True:
            job = self._next(lane)
            if job is None:
                worker.kill()
                return
            try:
                self._work(worker, job, lane)
            except Exception as error:
                # Whatever the error is, the threads that wait must get it.
                worker.kill()
                self._ended(job, error=error)

    def _next(self, lane: Lane) -> Job | None:
        """The next job that somebody wants; None when the pool is closed."""
        with self._changed:
            while not self._is_closed:
                job = self._queue.take(lane)
                if job is None:
                    self._changed.wait()
                elif job.is_unwanted(_GRACE):
                    self._forget(job)
                else:
                    job.begin()
                    return job
        return None

    def _work(self, worker: WorkerProcess, job: Job, lane: Lane) -> None:
        worker.begin(job.work)
        asked_to_stop, is_to_pause = 0.0, False
        while True:
            message = worker.message(0.05)
            if message is not None:
                kind, content = message
                if kind != "progress":
                    self._heard(job, kind, content)
                    return
                job.progress = content
            if not self._must_end(job):
                if not is_to_pause and self._must_pause(job, lane):
                    is_to_pause = True
                    worker.ask(PAUSE)
            elif not asked_to_stop:
                asked_to_stop = time.monotonic()
                worker.ask(STOP)
            elif time.monotonic() - asked_to_stop > _STOPS_WITHIN:
                worker.kill()
                self._stopped(job)
                return

    def _heard(self, job: Job, kind: str, content: Any) -> None:
        """Handle a process's final message on a job."""
        if kind == "interrupted":
            self._stopped(job)
        elif kind == "failed":
            self._ended(job, error=content)
        elif kind == "answer":
            self._ended(job, content)
        else:
            self._ended(job, error=JobFailed(content))

    def _must_end(self, job: Job) -> bool:
        """Whether the job is to end for good: nobody wants it, it took too long, or the server stops."""
        return self._is_closed or job.is_unwanted(_GRACE) or job.at_work > self.limits.seconds

    def _must_pause(self, job: Job, lane: Lane) -> bool:
        """Whether the job should make room for another one, and continue later."""
        long = job.work.may_be_interrupted and time.monotonic() - job.started > _TURN
        with self._changed:
            return long and self._queue.has_for(lane)

    def _stopped(self, job: Job) -> None:
        """Put a job that was interrupted back in the queue, or end it."""
        if job.at_work > self.limits.seconds:
            minutes = self.limits.seconds / 60.0
            self._ended(job, error=JobFailed(f"This takes longer than the {minutes:.3g} minutes that this server gives to it."))
            return
        with self._changed:
            if self._is_closed or job.is_unwanted(_GRACE):
                self._forget(job)
                return
            job.pause()
            self._queue.put_back(job)
            self._changed.notify_all()

    def _ended(self, job: Job, answer: Any = None, error: BaseException | None = None) -> None:
        if error is None and job.keep is not None:
            job.keep(answer)
        with self._changed:
            self._jobs.pop(job.key, None)
            job.end(answer, error)

    def _forget(self, job: Job) -> None:
        """End a job that nobody wants; a later request creates a new job."""
        self._jobs.pop(job.key, None)
        job.end(error=JobFailed("Nobody waited for this any more."))
