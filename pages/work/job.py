"""A job: a call of a function of qcore in another process, its progress, and who waits for it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Generic, TypeVar

SHORT_SECONDS: Final = 2.0

_FAR_OFF: Final = 5.0
"""A longer time left is told only if it exceeds twice the time told before by this many seconds."""

Progress = tuple[float, str]
"""(share that is done, text on what is being done, which is empty if the function gives none)."""


_Answer = TypeVar("_Answer", covariant=True)


@dataclass(frozen=True)
class Work(Generic[_Answer]):
    """A call, as it is sent to another process: everything in it can be pickled.

    Attributes
    ----------
    function : a function of a module that does not import Streamlit; if it `tells`, it also gets `on_progress`.
    arguments, named : positional and keyword arguments of the call.
    tells : whether the function reports its progress; it can be stopped at each report.
    resumes : whether the function itself keeps its finished parts.
    pieces : name under which finished pieces are kept, such as that of a data set; the function then gets `finished`, the
        store of pieces. Work that has pieces or resumes is interrupted when others wait, and continues later.
    """

    function: Callable[..., _Answer]
    arguments: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    pieces: str | None = None
    tells: bool = True
    resumes: bool = False

    @property
    def may_be_interrupted(self) -> bool:
        """Whether the work can be interrupted and continue later where it stopped."""
        return self.resumes or self.pieces is not None


class JobFailed(Exception):
    """A job ended without an answer: its process died, or it took too long. The message says which."""


class Lane(Enum):
    """Which jobs a process takes."""

    ANY = "any"
    SHORT = "short"
    LONG = "long"

    @classmethod
    def of(cls, number: int, n_processes: int) -> Lane:
        """The lane of process `number`: the first process takes only long jobs, the second only short jobs, the others any.

        So a short job never waits for a long one, and long jobs, which run with the lowest priority, do not slow it down.
        """
        return cls.ANY if n_processes == 1 or number > 1 else (cls.LONG, cls.SHORT)[number]

    def takes(self, job: Job) -> bool:
        """Whether a process of this lane takes a job."""
        return self is Lane.ANY or job.is_short == (self is Lane.SHORT)


class State(Enum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"


class Job:
    """Work in the queue or in a process; sessions that want the same answer share one.

    Attributes
    ----------
    key : the key of the answer.
    visitor : the address of the session that asked first: in the queue, addresses take turns.
    seconds : about how long the work takes; None if it is unknown.
    keep : called with the answer, so that the answer is kept even if all sessions that waited have just left.
    """

    def __init__(
        self,
        key: Hashable,
        work: Work,
        visitor: str,
        seconds: float | None,
        keep: Callable[[Any], object] | None = None,
    ) -> None:
        self.key, self.work, self.visitor, self.seconds, self.keep = key, work, visitor, seconds, keep
        self.state = State.WAITING
        self.progress: Progress = (0.0, "")
        self.n_waiting_for_it = 0
        self.unwanted_since = time.monotonic()
        self.started = 0.0
        self.worked = 0.0
        self._ended = threading.Event()
        self._answer: Any = None
        self._error: BaseException | None = None

    def is_unwanted(self, grace: float) -> bool:
        """Whether nobody has waited for the job for `grace` seconds; a rerun comes back sooner and finds it still running."""
        return self.n_waiting_for_it <= 0 and time.monotonic() - self.unwanted_since > grace

    @property
    def is_short(self) -> bool:
        """Whether it is known to take no longer than the user waits for a picture."""
        return self.seconds is not None and self.seconds <= SHORT_SECONDS

    def begin(self) -> None:
        """Note that a process works on the job."""
        self.state, self.started = State.RUNNING, time.monotonic()

    def pause(self) -> None:
        """Note that it is back in the queue."""
        self.worked += time.monotonic() - self.started
        self.state = State.WAITING

    def end(self, answer: Any = None, error: BaseException | None = None) -> None:
        """Store the answer or the error, and wake all threads that wait for it."""
        self._answer, self._error, self.state = answer, error, State.ENDED
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
        """Seconds that processes have worked on the job."""
        return self.worked + (time.monotonic() - self.started if self.state is State.RUNNING else 0.0)

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
