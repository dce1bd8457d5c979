"""One process of the pool, seen from the server: it is started when it is needed, and killed when it does not stop."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from typing import Any, Final

from pages.work.job import Lane, Work
from pages.work.worker import Store, work_until_closed

_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT"), "1")
_PRELOADED: Final = [
    "pages.work.worker", "qcore", "qcore.evaluation.experiment", "qcore.recommender", "qcore.studies", "sklearn.ensemble",
]  # fmt: skip


class WorkerProcess:
    """One process of the pool, started when it is needed."""

    def __init__(self, store: Store, lane: Lane) -> None:
        self._store, self._lane = store, lane
        self._process: Any = None
        self._connection: Connection | None = None

    def begin(self, work: Work) -> None:
        """Send work to the process."""
        if self._process is None or not self._process.is_alive():
            self.start()
        assert self._connection is not None
        self._connection.send(work)

    def message(self, seconds: float) -> tuple[str, Any] | None:
        """The process's message within `seconds`, or None if there is none; ("died", why) if it has ended."""
        assert self._connection is not None
        try:
            if not self._connection.poll(seconds):
                return None
            message: tuple[str, Any] = self._connection.recv()
        except (EOFError, OSError):
            self.kill()
            return "died", "The process that computed this has ended, perhaps for lack of memory. Try it with less data."
        return message

    def ask(self, order: str) -> None:
        """Ask the process to STOP its work at the next step, or to PAUSE it after the next piece."""
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.send(order)

    def kill(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def start(self) -> None:
        """Start the process, or restart it."""
        self.kill()
        try:
            self._start_by(_context())
        except (OSError, EOFError):
            # The process that is forked may have ended, or its socket may be gone: some machines empty the folder of
            # temporary files. A process that imports everything itself starts later, but it starts.
            self._start_by(multiprocessing.get_context("spawn"))

    def _start_by(self, context: Any) -> None:
        ours, theirs = context.Pipe()
        with theirs, contextlib.ExitStack() as unless_it_starts:
            unless_it_starts.callback(ours.close)
            process = context.Process(target=work_until_closed, args=(theirs, self._store, self._lane), daemon=True)
            with _small_process(), _deaf_to_ctrl_c():
                process.start()
            unless_it_starts.pop_all()
        self._process, self._connection = process, ours


def _context() -> BaseContext:
    """How processes are started: as forks of a process with the needed imports, on systems that can do so."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that start meanwhile never get the signal that a terminal sends to all: they end with the server.

    While they import, they would write a traceback, and the server another one about them.
    """
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


_STARTING: Final = threading.Lock()


@contextlib.contextmanager
def _small_process() -> Iterator[None]:
    """Processes that start meanwhile use one thread each, and do not import the server's own main module."""
    main = vars(sys.modules["__main__"])
    with _STARTING:
        variables, attributes = dict(os.environ), dict(main)
        os.environ.update(_ONE_THREAD)
        main["__spec__"] = None
        main.pop("__file__", None)
        try:
            yield
        finally:
            for name in _ONE_THREAD:
                os.environ.pop(name)
            os.environ.update({name: variables[name] for name in _ONE_THREAD if name in variables})
            main.update({name: attributes[name] for name in ("__spec__", "__file__") if name in attributes})
