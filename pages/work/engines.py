"""What executes heavy work: processes of this machine (pebble), or the workers of a Dask cluster; and what these run.

An engine starts a call and gives its future, with `result`, `cancel` and `add_done_callback`. A call that is cancelled, or that
takes too long, ends: on this machine its process is killed at once, on a cluster when it next reports its progress.

Processes import this file: it does not import Streamlit, so that they stay small and start fast.
"""

import contextlib
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import context as contexts
from multiprocessing import parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, TypeVar

import pandas as pd
from pebble import ProcessPool
from threadpoolctl import threadpool_limits

import qcore
from qcore import keep_freed_memory
from qcore.base import FinishedPieces, StoredPieces
from qcore.evaluation.experiment.cluster import dask_client

Progress = tuple[float, str]
"""(share that is done, text on what is being done, which is empty if the function gives none)."""

Tell = Callable[[float, str], None]

_Answer = TypeVar("_Answer", covariant=True)

_TELL_EVERY = 0.1
_COUNT_EVERY = 5.0
_LONGEST_TEXT = 300
"""Characters of a text on what is being done: a message this short is written to a pipe as a whole, whoever else writes."""

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT"), "1")
_PRELOADED = [
    "pages.work.engines",
    *(f"{qcore.__name__}{room}" for room in ("", ".evaluation.experiment", ".recommender", ".studies")),
    "sklearn.ensemble",
]


@dataclass(frozen=True)
class Work(Generic[_Answer]):
    """A call, as it is sent to another process: everything in it can be pickled.

    Attributes
    ----------
    function : a function of a module that does not import Streamlit; if it `tells`, it also gets `on_progress`.
    arguments, named : positional and keyword arguments of the call.
    tells : whether the function reports its progress.
    is_local : whether it needs the files of this machine, so that it is not sent to a cluster.
    pieces : name under which finished pieces are kept, such as that of a data set; the function then gets `finished`, the
        store of pieces, so that work that was cancelled continues where it ended when it is asked for again.
    """

    function: Callable[..., _Answer]
    arguments: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    pieces: str | None = None
    tells: bool = True
    is_local: bool = False


@dataclass(frozen=True)
class Store:
    """The folder in which pieces are kept, and how many bytes it may hold."""

    folder: Path
    max_bytes: int


def call(work: Work[_Answer], tell: Callable[..., object], store: Store | None = None) -> _Answer:
    """Make the call in this process; without a store, pieces are not kept."""
    named = dict(work.named)
    if work.pieces is not None and store is not None:
        named["finished"] = _kept(store, work.pieces)
    if work.tells:
        named["on_progress"] = tell
    return work.function(*work.arguments, **named)


def _kept(store: Store, about: str) -> FinishedPieces:
    """The store of pieces on disk; if that is impossible, a store that keeps nothing after this work."""
    try:
        return StoredPieces(store.folder, about, store.max_bytes)
    except OSError as error:
        warnings.warn(f"No pieces are kept: {error}", stacklevel=1)
        return FinishedPieces()


class PebbleEngine:
    """Processes of this machine, forked from one that has the libraries loaded.

    Parameters
    ----------
    n : number of processes.
    niceness : of each, added to the server's own.
    store : where pieces are kept.
    seconds : after which a call is cancelled.
    """

    def __init__(self, n: int, niceness: int, store: Store, seconds: float) -> None:
        self.capacity, self._niceness, self._store, self._seconds = n, niceness, store, seconds
        self._numbers, self._tells = itertools.count(), dict[int, Tell]()
        self._pool, self._reports = self._new_pool("forkserver")
        self._lock = threading.Lock()

    def _new_pool(self, method: str) -> tuple[ProcessPool, Connection]:
        has_it = method in multiprocessing.get_all_start_methods()
        context = _ForkContext() if has_it and method == "forkserver" else _SpawnContext()
        context.set_forkserver_preload(_PRELOADED)
        ours, theirs = context.Pipe(duplex=False)
        pool = ProcessPool(self.capacity, initializer=_begin, initargs=(theirs, self._niceness), context=context)
        threading.Thread(target=self._hear, args=(ours,), name="progress of jobs", daemon=True).start()
        return pool, theirs

    def start(self) -> None:
        """Start the processes before the first call. A pool that is broken is replaced.

        The process that is forked may have ended, or its socket may be gone: some machines empty the folder of temporary files.
        A process that imports everything itself starts later, but it starts.
        """
        with self._lock:
            if not _is_active(self._pool):
                self._stop()
                self._pool, self._reports = self._new_pool("spawn")
                if not _is_active(self._pool):
                    raise OSError("no process can be started")

    def submit(self, work: Work[Any], tell: Tell) -> Any:
        """The future of a call; `tell` gets its progress."""
        self.start()
        number = next(self._numbers)
        self._tells[number] = tell
        future = self._pool.schedule(_answer_here, (number, work, self._store), timeout=self._seconds)
        future.add_done_callback(lambda _: self._tells.pop(number, None))
        return future

    def _hear(self, reports: Connection) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                number, share, doing = reports.recv()
                if tell := self._tells.get(number):
                    tell(share, doing)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        self._pool.stop()
        self._pool.join()
        self._reports.close()


def _is_active(pool: ProcessPool) -> bool:
    """Whether a pool takes calls; asked for the first time, it starts its processes."""
    try:
        return bool(pool.active)
    except BrokenProcessPool:
        return False


class DaskEngine:
    """The workers of a Dask cluster, each of which has this app and its libraries installed.

    Parameters
    ----------
    address : of the scheduler, such as tcp://scheduler:8786.
    store : where pieces are kept, a folder of each worker's own machine or one that all share.
    seconds : after which a call is cancelled.

    Raises
    ------
    InvalidInput
        The scheduler does not answer.
    """

    def __init__(self, address: str, store: Store, seconds: float) -> None:
        self._client, self._store, self._seconds = dask_client(address), store, seconds
        self.capacity = self._threads()
        self._is_closed = threading.Event()
        threading.Thread(target=self._count, name="workers of the cluster", daemon=True).start()

    def _threads(self) -> int:
        return max(1, sum(self._client.nthreads().values()))

    def _count(self) -> None:
        """Follow how many calls the cluster executes at once: nobody who waits for a job waits for its scheduler, too."""
        while not self._is_closed.wait(_COUNT_EVERY):
            # A scheduler that has gone may come back.
            with contextlib.suppress(Exception):
                self.capacity = self._threads()

    def start(self) -> None:
        """Do nothing: the cluster is there."""

    def submit(self, work: Work[Any], tell: Tell) -> Any:
        """The future of a call; `tell` gets its progress."""
        return _OnCluster(self._client, work, tell, self._store, self._seconds)

    def close(self) -> None:
        """Leave the cluster."""
        self._is_closed.set()
        self._client.close()


class _OnCluster:
    """A call on a cluster. Dask does not end a call that has begun: an event tells it to end itself."""

    def __init__(self, client: Any, work: Work[Any], tell: Tell, store: Store, seconds: float) -> None:
        from distributed import Event

        self._took_too_long = False
        self._timer = threading.Timer(seconds, self._end_for_its_time)
        self._timer.daemon = True
        self._timer.start()
        name = f"quantification-lab-{os.urandom(8).hex()}"
        self._client, self._topic, self._ends = client, name, Event(name, client=client)
        client.subscribe_topic(name, lambda event: tell(*event[1]))
        self._future = client.submit(_answer_on_cluster, name, work, store, key=name, pure=False)

    def add_done_callback(self, function: Callable[[Any], object]) -> None:
        def ended(_: object) -> None:
            self._timer.cancel()
            with contextlib.suppress(Exception):
                self._client.unsubscribe_topic(self._topic)
            function(self)

        self._future.add_done_callback(ended)

    def result(self) -> Any:
        if self._took_too_long:
            raise TimeoutError
        return self._future.result()

    def _end_for_its_time(self) -> None:
        self._took_too_long = True
        self.cancel()

    def cancel(self) -> None:
        self._ends.set()
        self._future.cancel()


def _answer_here(number: int, work: Work[Any], store: Store) -> Any:
    return _answered(work, lambda share, doing: _reports.send((number, share, doing)), store)


def _answer_on_cluster(topic: str, work: Work[Any], store: Store) -> Any:
    from distributed import Event, get_worker

    worker, ends = get_worker(), Event(topic)

    def tell(share: float, doing: str) -> None:
        if ends.is_set():
            raise Cancelled
        worker.log_event(topic, (share, doing))

    with threadpool_limits(1):
        return _answered(work, tell, store)


class Cancelled(BaseException):
    """Ends a call on a cluster. It is not an Exception, so that no function handles it as its own error."""


def _answered(work: Work[Any], tell: Tell, store: Store) -> Any:
    last = 0.0

    def tell_now_and_then(share: float, doing: str = "") -> None:
        nonlocal last
        if time.monotonic() - last > _TELL_EVERY:
            last = time.monotonic()
            tell(share, doing[:_LONGEST_TEXT])

    try:
        return call(work, tell_now_and_then, store)
    except Exception as error:
        raise _that_can_be_sent(error) from None


def _that_can_be_sent(error: Exception) -> Exception:
    """The error itself if it can be pickled and restored (as InvalidInput can), otherwise a RuntimeError with its text."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - of this process's own making
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def keep_texts_as_python_strings() -> None:
    """Have pandas keep texts as Python's strings, not as Arrow's, in this process.

    The tables behind a picture have some hundred rows. There, taking a column or some rows, or making a table, is a third to a
    half faster so.
    """
    pd.set_option("mode.string_storage", "python")


_reports: Connection
"""In a process of a pool: where progress is told."""


def _begin(reports: Connection, niceness: int) -> None:
    """Called in each new process of a pool before its first call."""
    global _reports
    _reports = reports
    # pebble's own way to end would wait for a long step of a library.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.update(_ONE_THREAD)
    threadpool_limits(1)
    keep_freed_memory()
    keep_texts_as_python_strings()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(niceness)
    # Forests use one thread in this process; this is intended, so their warning is not shown.
    warnings.filterwarnings("ignore", "Loky-backed parallel loops cannot be called in a multiprocessing")
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """End this process as soon as the server's process has ended, for whatever reason."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


_STARTING = threading.Lock()


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Processes that start meanwhile use one thread, do not import the server's own main module, and never hear Ctrl-C.

    They end with the server; while they import, they would write a traceback, and the server another one about them.
    """
    with _STARTING:
        main = vars(sys.modules["__main__"])
        variables, attributes = dict(os.environ), dict(main)
        os.environ.update(_ONE_THREAD)
        main["__spec__"] = None
        main.pop("__file__", None)
        try:
            with _deaf_to_ctrl_c():
                yield
        finally:
            for name in _ONE_THREAD:
                os.environ.pop(name)
            os.environ.update({name: variables[name] for name in _ONE_THREAD if name in variables})
            main.update({name: attributes[name] for name in ("__spec__", "__file__") if name in attributes})


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Where multiprocessing starts its tracker, it unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _SpawnProcess(contexts.SpawnProcess):
    def start(self) -> None:
        with _quietly():
            super().start()


class _SpawnContext(contexts.SpawnContext):
    Process = _SpawnProcess


if sys.platform == "win32":
    _ForkContext = _SpawnContext
else:

    class _ForkProcess(contexts.ForkServerProcess):
        def start(self) -> None:
            with _quietly():
                super().start()

    class _ForkContext(contexts.ForkServerContext):
        Process = _ForkProcess
