"""What executes the cells of an experiment on this machine: this process, or processes of which one that dies takes one cell.

Each engine takes tasks and yields steps: a task with its answer, or nothing new but the number of workers of the moment.
Processes are loky's, as joblib's are: what is defined in a notebook or a script reaches them. Each is a pool of its own, since
a pool whose process crashes is broken as a whole: so it is known which cell the process was at, and the others go on.
"""

import logging
import os
import platform
import time
import traceback
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import parent_process
from typing import Any

from joblib import parallel_config
from threadpoolctl import threadpool_limits

from qcore._base.threads import keep_freed_memory
from qcore._base.validation import optional_package
from qcore.datasets import Dataset, load_dataset
from qcore.evaluation.experiment.cell import Cell, run_cell
from qcore.evaluation.experiment.folder import Failure, Origin, parquet_of
from qcore.evaluation.experiment.provenance import data_digest, differences, versions
from qcore.evaluation.experiment.settings import ExperimentSettings

LOGGER = logging.getLogger("qcore.experiment")
"""Cells as they begin and end, on workers; on the machine of the command, what a person should know of the run."""

LOOK_EVERY = 1.0
"""Seconds between two looks at the workers; each is a step, so that progress is told while long cells last."""

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT"), "1")
_IDLE_SECONDS = 60.0
"""A process ends after this time without a cell, as when the command has been killed."""


@dataclass(frozen=True)
class Task:
    """A cell as it is sent to a worker.

    Attributes
    ----------
    settings, cell : what is to be done.
    own : the user's quantifiers by the name of their pair, only those of the cell.
    content : hash of the data set if the user gives it; empty if the worker loads it.
    versions : those with which the cell is to be computed; None for any.
    """

    settings: ExperimentSettings
    cell: Cell
    own: Mapping[str, Any]
    content: str = ""
    versions: Mapping[str, str] | None = None

    @property
    def data(self) -> str:
        """The word of the data set."""
        return self.settings.problems[self.cell.problem].data

    @property
    def title(self) -> str:
        """Data set, classifier and methods, as they are shown to people."""
        pairs = self.cell.pairs(self.settings)
        methods = ", ".join(pair.label for pair in pairs)
        return f"{self.settings.problems[self.cell.problem].name}: {pairs[0].classifier}: {methods}"


@dataclass(frozen=True)
class Answer:
    """What a worker sends back.

    Attributes
    ----------
    origin : where it was computed.
    content : the estimates as a Parquet file; None if there are none.
    failures : why methods have no result, by their names; under an empty name, why the whole cell has none.
    refused : in which versions the worker differs from those that were asked for, if it therefore computed nothing.
    """

    origin: Origin
    content: bytes | None = None
    failures: Mapping[str, Failure] = field(default_factory=dict)
    refused: str = ""


@dataclass(frozen=True)
class Step:
    """A task that has its answer, or None for both; and the workers of the moment."""

    workers: int
    task: Task | None = None
    answer: Answer | None = None


def answer(task: Task, dataset: Dataset | None = None, worker: str = "") -> Answer:
    """Compute a cell, with one thread; whatever it raises is in the answer."""
    origin = Origin(platform.node(), worker or f"process {os.getpid()}", versions())
    if task.versions is not None and (refused := differences(origin.versions, task.versions)):
        return Answer(origin, refused=refused)
    if parent_process() is not None:
        keep_freed_memory()
    started, failed = time.perf_counter(), dict[str, Exception]()
    LOGGER.info("%s begins (%s)", task.cell.name, task.title)
    try:
        used = load_dataset(task.data) if dataset is None else dataset
        origin = Origin(origin.host, origin.worker, origin.versions, task.content or data_digest(task.data, used))
        # A forest that asks for all processors gets one: cells are what runs at once.
        with threadpool_limits(1), parallel_config(backend="sequential"):
            table = run_cell(task.settings, task.cell, task.own, {task.data: used}, failed)
    except Exception as error:
        LOGGER.info("%s failed (%s)", task.cell.name, task.title, exc_info=True)
        return Answer(origin, failures={"": failure_of(error)})
    LOGGER.info("%s took %.1f s", task.cell.name, time.perf_counter() - started)
    has_some = len(table) or not failed
    return Answer(origin, parquet_of(table) if has_some else None, {name: failure_of(each) for name, each in failed.items()})


def failure_of(error: Exception) -> Failure:
    """What is kept of an error."""
    return Failure(f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


def lost(origin: Origin, times: int) -> Answer:
    """The answer of a cell whose worker ended, each time that it was tried."""
    how_often = "" if times == 1 else f", {times} times"
    reason = f"WorkerLost: its worker ended while it computed this{how_often}: for lack of memory, or by a crash"
    return Answer(origin, failures={"": Failure(reason)})


def in_this_process(tasks: Sequence[Task], data_sets: Mapping[str, Dataset]) -> Iterator[Step]:
    """One cell after the other, in this process: one that crashes ends it."""
    for task in tasks:
        yield Step(1, task, answer(task, data_sets.get(task.data)))


class _Slot:
    """A process, which is replaced when it has died."""

    def __init__(self, data_sets: Mapping[str, Dataset]) -> None:
        self._data_sets = data_sets
        self._pool = self._new()

    def _new(self) -> Any:
        loky = optional_package("loky", "run experiments in several processes", '"quantification-lab[experiments]"')
        initial = (dict(self._data_sets),)
        return loky.ProcessPoolExecutor(1, timeout=_IDLE_SECONDS, initializer=_begin, initargs=initial, env=_ONE_THREAD)

    def submit(self, task: Task) -> Any:
        return self._pool.submit(_answer_here, task)

    def renew(self) -> None:
        self.end()
        self._pool = self._new()

    def end(self) -> None:
        self._pool.shutdown(wait=False, kill_workers=True)


_data_sets: dict[str, Dataset] = {}
"""In a process of this machine: the user's tables, which it is sent once."""


def _begin(data_sets: dict[str, Dataset]) -> None:
    _data_sets.update(data_sets)


def _answer_here(task: Task) -> Answer:
    return answer(task, _data_sets.get(task.data))


def in_processes(tasks: Sequence[Task], data_sets: Mapping[str, Dataset], n: int, *, retries: int) -> Iterator[Step]:
    """Cells in `n` processes of this machine. One whose process dies is tried again `retries` times, then it has failed."""
    waiting, died, running = deque(tasks), Counter[str](), dict[Any, tuple[Task, _Slot]]()
    slots = [_Slot(data_sets) for _ in range(min(n, len(tasks)))]
    idle = list(slots)
    try:
        while waiting or running:
            while waiting and idle:
                task, slot = waiting.popleft(), idle.pop()
                running[slot.submit(task)] = task, slot
            ended, _ = wait(running, timeout=LOOK_EVERY, return_when=FIRST_COMPLETED)
            for future in ended:
                task, slot = running.pop(future)
                found = _answer_of(future)
                if found is None:
                    slot.renew()
                    died[task.cell.name] += 1
                    if died[task.cell.name] <= retries:
                        waiting.appendleft(task)
                    else:
                        found = lost(Origin(platform.node(), "a process of this machine"), died[task.cell.name])
                idle.append(slot)
                if found is not None:
                    yield Step(len(slots), task, found)
            if not ended:
                yield Step(len(slots))
    finally:
        for slot in slots:
            slot.end()


def _answer_of(future: Any) -> Answer | None:
    """The answer; None if the process has died; a failure if the task cannot be sent, or its answer not be read."""
    try:
        found: Answer = future.result()
    except BrokenProcessPool:
        return None
    except Exception as error:
        return Answer(Origin(platform.node(), "a process of this machine"), failures={"": failure_of(error)})
    return found
