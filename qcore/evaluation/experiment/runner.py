"""Run the cells of an experiment: in parallel, with progress, stopped and resumed; on this machine or on a Dask cluster."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import pandas as pd
from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

from qcore._base.threads import keep_freed_memory
from qcore._base.validation import InvalidInput
from qcore.datasets import Dataset
from qcore.evaluation.experiment.cell import Cell, cells, run_cell
from qcore.evaluation.experiment.results import ExperimentFolder, data_hashes
from qcore.evaluation.experiment.settings import ExperimentSettings

_SECONDS_FOR_A_SCHEDULER = 10


@dataclass(frozen=True)
class Progress:
    """Progress of a run: finished cells, all cells, failed cells, seconds so far and seconds left (None: not known yet)."""

    done: int
    total: int
    failed: int
    seconds: float
    seconds_left: float | None


@dataclass(frozen=True)
class RunSummary:
    """Outcome of a run: cells finished by it, cells finished before it, failures with their reasons, seconds."""

    finished: int
    found: int
    failures: Mapping[str, str]
    seconds: float


def run_experiment(
    settings: ExperimentSettings,
    folder: str | Path,
    *,
    n_jobs: int = -1,
    dask: str = "",
    own: Mapping[str, Any] | None = None,
    data_sets: Mapping[str, Dataset] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> RunSummary:
    """Run all cells that are not finished yet.

    A cell that fails is recorded with its reason and does not stop the others; the next run tries it again. Each result depends
    only on the settings and the cell: a run that was killed and resumed gives the same files as one that was not. A folder is
    refused if another version of qcore began it, or if a data set of the user's has changed since cells were finished with it.
    Whoever changes a quantifier or class of their own names another folder.

    Parameters
    ----------
    settings : the experiment to run.
    folder : where results are stored; it may already hold some of them.
    n_jobs : processes on this machine, -1 for one for each processor; each uses one thread.
    dask : address of a Dask scheduler, such as tcp://scheduler:8786, to run there instead.
    own : quantifier objects of the user's by the name of their pair.
    data_sets : the user's own data sets by the word of their problem; all others are loaded by that word.
    on_progress : called after each cell; an exception it raises stops the run.

    Raises
    ------
    InvalidInput
        The folder has other settings, unfinished work of another version of qcore, or finished cells of another table; or the
        scheduler does not answer.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> run_experiment(settings, tempfile.mkdtemp(), n_jobs=1).finished
    2
    """
    if n_jobs == 0 or n_jobs < -1:
        raise InvalidInput("jobs", "be at least 1, or -1 for one for each processor", str(n_jobs), "Choose for example 2.")
    kept = ExperimentFolder.create(folder, settings)
    missing, total = kept.missing(), len(cells(settings))
    if missing:
        kept.note_version()
    hashes = data_hashes(settings, data_sets or {}, elsewhere=bool(dask))
    kept.check_data(hashes)
    kept.clear()
    started, failed = time.perf_counter(), 0
    with _workers(dask):
        answers = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
            delayed(answer)(settings, cell, own, data_sets) for cell in missing
        )
        for number, (cell, table, reason) in enumerate(answers, start=1):
            if table is None:
                kept.fail(cell, reason)
                failed += 1
            else:
                kept.write(cell, table)
                word = settings.problems[cell.problem].data
                if word in hashes:
                    kept.note_data(word, hashes[word])
            if on_progress:
                seconds = time.perf_counter() - started
                left = seconds / number * (len(missing) - number)
                on_progress(Progress(total - len(missing) + number, total, failed, seconds, left))
    seconds = time.perf_counter() - started
    return RunSummary(len(missing) - failed, total - len(missing), kept.failures(), seconds)


def continue_experiment(
    settings: ExperimentSettings,
    folder: str | Path,
    data_sets: Mapping[str, Dataset] | None = None,
    *,
    on_progress: Callable[[float, str], None] | None = None,
) -> None:
    """`run_experiment` in this process; progress is reported as the share of finished cells, and in words."""

    def tell(progress: Progress) -> None:
        if on_progress:
            on_progress(progress.done / progress.total, f"{progress.done} of {progress.total} cells")

    run_experiment(settings, folder, n_jobs=1, data_sets=data_sets, on_progress=tell)


def answer(
    settings: ExperimentSettings,
    cell: Cell,
    own: Mapping[str, Any] | None = None,
    data_sets: Mapping[str, Dataset] | None = None,
) -> tuple[Cell, pd.DataFrame | None, str]:
    """(cell, result, reason if there is none): what a worker sends back."""
    if parent_process() is not None:
        keep_freed_memory()
    try:
        with threadpool_limits(1):
            return cell, run_cell(settings, cell, own, data_sets), ""
    except Exception as error:
        return cell, None, f"{type(error).__name__}: {error}"


@contextlib.contextmanager
def _workers(dask: str) -> Iterator[None]:
    """The processes of this machine, or those of a Dask cluster. Raises InvalidInput if the scheduler does not answer."""
    if not dask:
        yield
        return
    client = dask_client(dask)
    with client, parallel_config(backend="dask", client=client):
        yield


def dask_client(address: str) -> Any:
    """A client of the Dask cluster whose scheduler is at an address, such as tcp://scheduler:8786.

    Raises
    ------
    InvalidInput
        The package distributed is not installed, the text is no address, or no scheduler answers there.
    """
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError as error:
        hint = "Run: pip install -r requirements-cluster.txt."
        raise InvalidInput("dask", "be installed", "no package distributed", hint) from error
    try:
        # A client for a text that is no address waits 20 s as the program ends, and then writes a traceback.
        if not address.startswith("inproc://"):
            get_address_host_port(address)
    except ValueError as error:
        hint = "Write for example tcp://scheduler:8786."
        raise InvalidInput("scheduler", "be an address with a host and a port", repr(address), hint) from error
    try:
        return Client(address, timeout=_SECONDS_FOR_A_SCHEDULER, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InvalidInput("scheduler", "answer", address, "Is it running, and is its port open from here?") from error
