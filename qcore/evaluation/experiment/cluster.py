"""What executes the cells of an experiment on a Dask cluster, and nothing of them in the process that asks.

Cells are submitted one by one, twice as many as the workers of the moment have threads: workers that come late get their part,
and Dask moves cells from busy workers to idle ones. Each worker tells with which versions and files it computes before it is
counted; a cell checks it once more, since a worker may come and take a cell in between. A worker tells, too, which cell it
begins: when it ends, that cell is known to have been on it, and others that waited there are not suspected.
"""

import json
import os
import queue
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qcore._base.validation import InvalidInput
from qcore.datasets import Dataset
from qcore.evaluation.experiment.execution import LOGGER, LOOK_EVERY, Answer, Step, Task, answer, failure_of, lost
from qcore.evaluation.experiment.folder import Origin
from qcore.evaluation.experiment.provenance import describe_worker, differences, versions

_SECONDS_FOR_A_SCHEDULER = 10.0
_SECONDS_FOR_DESCRIPTIONS = 60.0
"""Workers that are busy with others' work answer later: the first cells do not wait for them any longer."""

_SECONDS_FOR_A_RESULT = 120.0
_BEHIND_OTHERS = -1
"""The priority of cells: what people wait for at a page comes first."""


@dataclass(frozen=True)
class Cluster:
    """A Dask cluster, and how it is used.

    Attributes
    ----------
    address : of the scheduler, such as tcp://scheduler:8786 or tls://scheduler:8786.
    scheduler_file : the file that `dask scheduler --scheduler-file` writes, in place of an address.
    wait_for : number of workers that are awaited before the first cell.
    timeout : seconds to wait for the scheduler, and for a worker whenever there is none; None: 10 s, and without limit.
    resources : what a cell needs of a worker's resources (`dask worker --resources`), such as {"memory": 8e9}.

    Examples
    --------
    >>> Cluster("tcp://scheduler:8786", wait_for=4, resources={"memory": 8e9}).wait_for
    4
    """

    address: str = ""
    scheduler_file: str = ""
    wait_for: int = 1
    timeout: float | None = None
    resources: Mapping[str, float] = field(default_factory=dict)

    def client(self) -> Any:
        """A client of the cluster. Raises InvalidInput as `dask_client` does."""
        seconds = _SECONDS_FOR_A_SCHEDULER if self.timeout is None else self.timeout
        address = _address_in(Path(self.scheduler_file), seconds) if self.scheduler_file else self.address
        return dask_client(address, seconds)


def dask_client(address: str, seconds: float | None = None) -> Any:
    """A client of the Dask cluster whose scheduler is at an address, such as tcp://scheduler:8786.

    Raises
    ------
    InvalidInput
        The package distributed is not installed, the text is no address, or no scheduler answers there within that time.
    """
    try:
        from distributed import Client, Security
        from distributed.comm import get_address_host_port
    except ImportError as error:
        hint = 'Run: pip install "quantification-lab[cluster]".'
        raise InvalidInput("dask", "be installed", "no package distributed", hint) from error
    try:
        # A client for a text that is no address waits 20 s as the program ends, and then writes a traceback.
        if not address.startswith("inproc://"):
            get_address_host_port(address)
    except ValueError as error:
        hint = "Write for example tcp://scheduler:8786."
        raise InvalidInput("scheduler", "be an address with a host and a port", repr(address), hint) from error
    try:
        # A client without certificates fails, too, and then writes a traceback as it is collected.
        if address.startswith("tls:") and not Security().get_connection_args("client").get("ssl_context"):
            raise ValueError("no certificates are named")
        return Client(address, timeout=seconds or _SECONDS_FOR_A_SCHEDULER, set_as_default=False)
    except (OSError, ValueError, TimeoutError, TypeError, RuntimeError) as error:
        hint = "Is it running, and is its port open from here?"
        if address.startswith("tls:"):
            hint += " Are DASK_DISTRIBUTED__COMM__TLS__CA_FILE, __CLIENT__CERT and __CLIENT__KEY the files of its authority?"
        raise InvalidInput("scheduler", "answer", f"{address} ({_first_line(error)})", hint) from error


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:120]


def _address_in(path: Path, seconds: float) -> str:
    """The address that a scheduler has written into its file, which is awaited: a batch job may start later."""
    limit = time.monotonic() + seconds
    while True:
        try:
            return str(json.loads(path.read_text())["address"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            if time.monotonic() > limit:
                hint = "Start one: dask scheduler --scheduler-file FILE; --timeout waits longer for it."
                raise InvalidInput("scheduler file", "be one that a scheduler wrote", repr(str(path)), hint) from error
        time.sleep(0.2)


def on_cluster(
    tasks: Sequence[Task],
    data_sets: Mapping[str, Dataset],
    cluster: Cluster,
    *,
    known: Mapping[str, str],
    retries: int,
) -> Iterator[Step]:
    """Cells on the workers of a cluster.

    `known` are hashes of the data sets that finished cells have used. A cell whose worker ends is tried again `retries` times.
    Raises InvalidInput if the scheduler is lost, if no worker comes in time, or if workers differ before the first cell.
    """
    with cluster.client() as client:
        _check_scheduler(client)
        run = _Run(client, tasks, data_sets, cluster, known=known, retries=retries)
        try:
            yield from run.steps()
        finally:
            run.end()


def _check_scheduler(client: Any) -> None:
    """Raise InvalidInput if the scheduler, which hands the cells on, has no qcore."""
    try:
        client.run_on_scheduler(describe_worker, ())
    except Exception as error:
        hint = "Start it in the environment of its workers."
        raise InvalidInput("scheduler", f"have qcore {versions()['qcore']}, too", _first_line(error), hint) from error


def _answer_there(pickled: bytes, dataset: Dataset | None, topic: str) -> Answer:
    from distributed import get_worker
    from distributed.protocol import pickle

    worker = get_worker()
    worker.log_event(topic, (worker.get_current_task(), worker.address))
    return answer(pickle.loads(pickled), dataset, worker.address)


def _same(table: Dataset) -> Dataset:
    """A table as a task: unlike scattered data, it is made again where the worker that held it has ended."""
    return table


class _Run:
    """The cells that wait and those that were submitted; the workers that are counted, and those that are refused."""

    def __init__(
        self,
        client: Any,
        tasks: Sequence[Task],
        data_sets: Mapping[str, Dataset],
        cluster: Cluster,
        *,
        known: Mapping[str, str],
        retries: int,
    ) -> None:
        self._client, self._cluster, self._data_sets, self._retries = client, cluster, data_sets, retries
        self._versions = tasks[0].versions if tasks else None
        self._known = dict(known)
        self._waiting = deque(tasks)
        self._words = tuple(dict.fromkeys(task.data for task in tasks if not task.content))
        self._left = Counter(task.data for task in tasks)
        self._topic = f"qcore-{os.urandom(8).hex()}"
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._submitted: dict[str, tuple[Task, Any, tuple[str, ...]]] = {}
        self._begun: dict[str, str] = {}
        self._hosts: dict[str, str] = {}
        self._lost = Counter[str]()
        self._tables: dict[str, Any] = {}
        self._asked: dict[str, object] = {}
        self._threads: dict[str, int] = {}
        self._refused: dict[str, str] = {}
        self._has_begun, self._first_asked, self._last_worker = False, 0.0, time.monotonic()
        client.subscribe_topic(self._topic, lambda event: self._events.put(("begun", *event[1])))

    def end(self) -> None:
        """Leave nothing of the run on the cluster; a scheduler that is lost has nothing of it."""
        futures = [future for _, future, _ in self._submitted.values()]
        if self._client.status == "running":
            self._client.cancel([*futures, *self._tables.values()])

    def steps(self) -> Iterator[Step]:
        """Submit cells as workers are free, until each has its answer."""
        next_look = time.monotonic()
        while self._waiting or self._submitted:
            if time.monotonic() >= next_look:
                yield from self._look()
                yield Step(self._workers)
                next_look = time.monotonic() + LOOK_EVERY
            if self._may_begin():
                self._submit()
            try:
                kind, name, found = self._events.get(timeout=max(0.01, next_look - time.monotonic()))
            except queue.Empty:
                continue
            if kind == "worker":
                self._described(name, *found)
            elif name in self._submitted:
                yield from self._began(name, found) if kind == "begun" else self._ended(name, found)

    @property
    def _workers(self) -> int:
        """How many workers there are that have room for a cell."""
        return sum(room > 0 for room in self._threads.values())

    def _may_begin(self) -> bool:
        """Whether enough workers are there, and all have told their versions or had the time to."""
        if not self._has_begun and self._workers >= self._cluster.wait_for:
            self._has_begun = not self._asked or time.monotonic() - self._first_asked > _SECONDS_FOR_DESCRIPTIONS
        return self._has_begun

    def _look(self) -> Iterator[Step]:
        """See which workers are there now, and count the cells of those that are gone."""
        if self._client.status != "running":
            raise _scheduler_lost(self._cluster)
        there = self._client.scheduler_info(n_workers=-1)["workers"]
        self._count(there)
        if self._workers:
            self._last_worker = time.monotonic()
        elif self._cluster.timeout is not None and time.monotonic() - self._last_worker > self._cluster.timeout:
            raise _no_worker(self._cluster, self._refused)
        for key, address in list(self._begun.items()):
            if address not in there:
                yield from self._worker_lost(key, address)
        for key, (_, _, places) in list(self._submitted.items()):
            if places and not there.keys() & set(places):
                self._again(key)

    def _count(self, there: Mapping[str, Mapping[str, Any]]) -> None:
        """Forget workers that are gone, and ask new ones for their versions."""
        for address in {*self._asked, *self._threads, *self._refused} - there.keys():
            self._threads.pop(address, None)
            self._refused.pop(address, None)
            self._asked.pop(address, None)
        for address, worker in there.items():
            if address in self._threads:
                self._threads[address] = _room(worker, self._cluster.resources)
            elif address not in self._asked and address not in self._refused:
                self._ask(address)

    def _ask(self, address: str) -> None:
        """Ask a worker for its versions and files; its answer is an event.

        Not by a task: a worker that lacks qcore ends when it is sent one. In a thread: one that is busy may not answer soon.
        """
        self._first_asked = self._first_asked or time.monotonic()
        asked = self._asked[address] = object()

        def ask() -> None:
            try:
                found = self._client.run(describe_worker, self._words, workers=[address], on_error="return")[address]
            except Exception as error:
                found = error
            self._events.put(("worker", address, (asked, found)))

        threading.Thread(target=ask, name=f"versions of {address}", daemon=True).start()

    def _described(self, address: str, asked: object, found: Any) -> None:
        """Count a worker, or refuse it. Raises InvalidInput for one that differs before the first cell."""
        worker = self._client.scheduler_info(n_workers=-1)["workers"].get(address)
        if self._asked.get(address) is not asked or worker is None:
            return
        del self._asked[address]
        if isinstance(found, OSError):
            # It could not be reached: if it is still there at the next look, it is asked again.
            return
        if isinstance(found, BaseException):
            host, what, others = str(worker["host"]), f"have qcore {versions()['qcore']}", _first_line(found)
        else:
            host, its_versions, contents = found
            self._hosts[address] = host
            others = differences(its_versions, versions())
            if others and self._versions is None:
                LOGGER.warning("Worker %s (%s) computes with %s", address, host, others)
                others = ""
            what = "have the versions of this command" if others else "have the same files"
            others = others or differences(contents, self._known)
            self._known |= {} if others else contents
        if not others:
            self._threads[address] = _room(worker, self._cluster.resources)
            return
        if not self._has_begun:
            hint = "Install the same everywhere, or leave this worker out."
            if what.startswith("have the versions"):
                hint += " --allow-other-versions admits it: its numbers may differ."
            raise InvalidInput(f"worker {address} ({host})", what, others, hint)
        self._refuse(address, host, others)

    def _refuse(self, address: str, host: str, others: str) -> None:
        LOGGER.warning("Worker %s (%s) is not used: %s", address, host, others)
        self._threads.pop(address, None)
        self._refused[address] = others

    def _submit(self) -> None:
        """Submit cells: two for each thread. As long as a worker is refused, only to the others."""
        from distributed.protocol.pickle import dumps

        places = tuple(address for address, room in self._threads.items() if room) if self._refused else ()
        while self._waiting and len(self._submitted) < 2 * sum(self._threads.values()):
            task = self._waiting.popleft()
            table = self._table(task) if task.content else None
            # The scheduler reads what it hands on, and has no modules of the user's: for it, a task is bytes.
            future = self._client.submit(
                _answer_there,
                dumps(task),
                table,
                self._topic,
                key=f"{task.title}-{task.cell.name}-{os.urandom(6).hex()}",
                workers=list(places) or None,
                resources=dict(self._cluster.resources) or None,
                priority=_BEHIND_OTHERS,
                pure=False,
            )
            self._submitted[future.key] = task, future, places
            future.add_done_callback(lambda future: self._events.put(("cell", future.key, future)))

    def _table(self, task: Task) -> Any:
        """The user's table on the cluster, which is sent once."""
        if task.data not in self._tables:
            with warnings.catch_warnings():
                # Dask advises to scatter it: what is scattered is gone with the worker that holds it.
                warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
                table, key = self._data_sets[task.data], f"table {task.data}-{task.content[:12]}-{os.urandom(4).hex()}"
                self._tables[task.data] = self._client.submit(_same, table, key=key, pure=False)
        return self._tables[task.data]

    def _began(self, key: str, address: str) -> Iterator[Step]:
        """Note on which worker a cell is; one that begins again was on a worker that has ended."""
        before = self._begun.get(key)
        if before is not None:
            yield from self._worker_lost(key, before)
        if key in self._submitted:
            self._begun[key] = address

    def _ended(self, key: str, future: Any) -> Iterator[Step]:
        """The answer of a cell; one that its worker refused or lost is submitted again."""
        from distributed import CancelledError, KilledWorker

        try:
            found: Answer = future.result(timeout=_SECONDS_FOR_A_RESULT)
        except KilledWorker as error:
            yield from self._worker_lost(key, str(getattr(error.last_worker, "address", "a worker")))
        except (CancelledError, TimeoutError):
            if self._client.status != "running":
                raise _scheduler_lost(self._cluster) from None
            self._again(key)
        except Exception as error:
            where = self._begun.get(key, "a worker of the cluster")
            yield self._done(key, Answer(Origin(self._hosts.get(where, "unknown"), where), failures={"": failure_of(error)}))
        else:
            if found.refused:
                self._refuse(found.origin.worker, found.origin.host, found.refused)
                self._again(key)
            else:
                yield self._done(key, found)

    def _done(self, key: str, found: Answer) -> Step:
        task, _, _ = self._submitted.pop(key)
        self._begun.pop(key, None)
        self._left[task.data] -= 1
        if not self._left[task.data]:
            self._tables.pop(task.data, None)
        return Step(self._workers, task, found)

    def _again(self, key: str) -> None:
        """Submit a cell again."""
        task, future, _ = self._submitted.pop(key)
        self._begun.pop(key, None)
        future.cancel()
        self._waiting.appendleft(task)

    def _worker_lost(self, key: str, address: str) -> Iterator[Step]:
        """Try a cell elsewhere whose worker has ended, unless that has happened too often."""
        task, future, _ = self._submitted[key]
        name = task.cell.name
        self._begun.pop(key, None)
        self._lost[name] += 1
        LOGGER.warning("Worker %s ended while it computed %s (%s)", address, name, task.title)
        if self._lost[name] > self._retries:
            future.cancel()
            yield self._done(key, lost(Origin(self._hosts.get(address, "unknown"), address), self._lost[name]))
        elif future.status == "error":
            # The scheduler gives a cell to another worker itself, unless it has given it up, or the table that it needs.
            self._tables.pop(task.data, None)
            self._again(key)


def _room(worker: Mapping[str, Any], resources: Mapping[str, float]) -> int:
    """How many cells a worker computes at once."""
    has = worker.get("resources") or {}
    return int(min([worker["nthreads"], *(has.get(name, 0.0) // amount for name, amount in resources.items())]))


def _scheduler_lost(cluster: Cluster) -> InvalidInput:
    hint = "The same command goes on from the finished cells as soon as a scheduler is there."
    return InvalidInput("scheduler", "be reachable", f"none at {cluster.scheduler_file or cluster.address} any longer", hint)


def _no_worker(cluster: Cluster, refused: Mapping[str, str]) -> InvalidInput:
    got = f"none within {cluster.timeout:.0f} s"
    got += "".join(f"; {address} is not used: {others}" for address, others in refused.items())
    hint = "Start one: dask worker ADDRESS --nthreads 1; --timeout waits longer. The same command goes on."
    return InvalidInput("cluster", "have a worker", got, hint)
