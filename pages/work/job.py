"""A job: a function of qcore to be called in another process, how far it is, and who waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Generic, TypeVar

SHORT_SECONDS: Final = 2.0

Progress = tuple[float, str]
"""Share that is done, and what is being done; empty if the function does not say."""


_Answer = TypeVar("_Answer", covariant=True)


@dataclass(frozen=True)
class Work(Generic[_Answer]):
    """A call, as it is sent to another process: everything in it can be pickled.

    Attributes
    ----------
    function : of a module that does not import Streamlit; called with `on_progress` beside what is below, if it tells.
    arguments, named : what it is called with.
    tells : whether the function says how far it is, and can be stopped where it does.
    resumes : whether it keeps what is finished by itself.
    pieces : what its pieces are about, such as a data set: it is then called with `finished`, where they are kept. Work
        with pieces, or that resumes, is interrupted when others wait, and goes on where it ended.
    """

    function: Callable[..., _Answer]
    arguments: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    pieces: str | None = None
    tells: bool = True
    resumes: bool = False

    @property
    def may_be_interrupted(self) -> bool:
        """Whether it goes on where it ended."""
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
        """That of one of several processes: the first is for long jobs alone, the second for short ones, the others for any.

        So a short job never waits for a long one, and long ones, which leave the processor to all others, are not in its way.
        """
        return cls.ANY if n_processes == 1 or number > 1 else (cls.LONG, cls.SHORT)[number]

    def takes(self, job: Job) -> bool:
        """Whether such a process takes a job."""
        return self is Lane.ANY or job.is_short == (self is Lane.SHORT)


class State(Enum):
    """Where a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"


class Job:
    """Work in the queue or in a process; sessions that want the same answer share one.

    Attributes
    ----------
    key : what the answer is known by.
    visitor : the address of whoever asked first: the queue gives addresses their turns.
    seconds : about how long it takes; None if nobody knows.
    keep : called with the answer, which is not lost then when those who waited have just left.
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
        """Whether nobody has waited for it for `grace` seconds: who comes back at once, as a rerun does, finds it at work."""
        return self.n_waiting_for_it <= 0 and time.monotonic() - self.unwanted_since > grace

    @property
    def is_short(self) -> bool:
        """Whether it is known to take no longer than a person waits for a picture."""
        return self.seconds is not None and self.seconds <= SHORT_SECONDS

    def begin(self) -> None:
        """Note that a process is at work on it."""
        self.state, self.started = State.RUNNING, time.monotonic()

    def pause(self) -> None:
        """Note that it is back in the queue."""
        self.worked += time.monotonic() - self.started
        self.state = State.WAITING

    def end(self, answer: Any = None, error: BaseException | None = None) -> None:
        """Keep the answer or the error, and tell all who wait."""
        self._answer, self._error, self.state = answer, error, State.ENDED
        self._ended.set()

    def wait(self, seconds: float) -> bool:
        """Wait so long for the end; whether it has come."""
        return self._ended.wait(seconds)

    def answer(self) -> Any:
        """What the function returned. Raises what it raised, or JobFailed."""
        if self._error is not None:
            raise self._error
        return self._answer

    @property
    def at_work(self) -> float:
        """Seconds that processes have been at work on it."""
        return self.worked + (time.monotonic() - self.started if self.state is State.RUNNING else 0.0)

    @property
    def seconds_left(self) -> float | None:
        """About how long it takes from now on, by its progress or else by what is known of such work; None if unknown."""
        share = self.progress[0]
        if self.state is State.RUNNING and share > 0.05:
            return (time.monotonic() - self.started) / share * (1.0 - share) if self.worked == 0.0 else self._by_price()
        return self._by_price()

    def _by_price(self) -> float | None:
        return None if self.seconds is None else max(1.0, self.seconds - self.at_work)
