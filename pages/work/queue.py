"""The queue of jobs: addresses take turns, so that an address with many jobs waits longest."""

from collections import deque

from pages.work.job import Job, Lane


class QueueIsFull(Exception):
    """Raised when no further job may wait in the queue. The message says so."""


class JobQueue:
    """Jobs that wait for a process: addresses take turns, and the jobs of one address are served in order of arrival.

    It is not safe for threads by itself: its owner must hold a lock.
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._lines: dict[str, deque[Job]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def add(self, job: Job) -> None:
        """Put a job at the end of its address's line. Raises QueueIsFull."""
        line = self._lines.get(job.visitor, deque())
        if len(self) >= self._most:
            raise QueueIsFull(f"{self._most} computations are waiting on this server already. Try again in a minute.")
        if len(line) >= self._most_of_one:
            raise QueueIsFull(
                f"{self._most_of_one} computations that were asked for from your address are waiting already. "
                "Try again when one of them has ended."
            )
        self._lines.setdefault(job.visitor, line).append(job)

    def put_back(self, job: Job) -> None:
        """Put an interrupted job at the end of its address's line, even if the queue is full."""
        self._lines.setdefault(job.visitor, deque()).append(job)

    def remove(self, job: Job) -> None:
        """Remove a job, if it is in the queue."""
        line = self._lines.get(job.visitor, deque())
        if job in line:
            line.remove(job)
        if not line:
            self._lines.pop(job.visitor, None)

    def take(self, lane: Lane = Lane.ANY) -> Job | None:
        """Remove and return the next job for a lane, or None; its address then has the last turn."""
        for visitor, line in self._lines.items():
            job = next(filter(lane.takes, line), None)
            if job is not None:
                line.remove(job)
                del self._lines[visitor]
                if line:
                    self._lines[visitor] = line
                return job
        return None

    def has_for(self, lane: Lane) -> bool:
        """Whether a job waits that a process of this lane takes."""
        return any(map(lane.takes, (job for line in self._lines.values() for job in line)))

    def before(self, job: Job) -> list[Job]:
        """The jobs whose turn comes before this one's, in order; all of them if it is not there."""
        lines = [list(line) for line in self._lines.values()]
        ordered = [line[turn] for turn in range(max(map(len, lines), default=0)) for line in lines if turn < len(line)]
        return ordered[: ordered.index(job)] if job in ordered else ordered
