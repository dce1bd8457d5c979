"""Run the cells of an experiment: in parallel, with progress, stopped and resumed; on this machine or on a Dask cluster."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import cpu_count
from pathlib import Path
from typing import Any

from qcore._base.validation import InvalidInput, check_integer
from qcore.datasets import Dataset, load_dataset
from qcore.evaluation.estimates import estimation_seconds
from qcore.evaluation.experiment.cell import Cell, cells
from qcore.evaluation.experiment.cluster import Cluster, on_cluster
from qcore.evaluation.experiment.execution import LOGGER, Answer, Step, Task, in_processes, in_this_process
from qcore.evaluation.experiment.folder import ExperimentFolder
from qcore.evaluation.experiment.provenance import data_hashes, differences, versions
from qcore.evaluation.experiment.settings import FOLDS, GIVEN, GIVEN_SCORES, ExperimentSettings, Sampling, is_user_class
from qcore.protocols import SimplexPrevalence, n_prevalences
from qcore.scoring.plan import scoring_seconds


@dataclass(frozen=True)
class Progress:
    """Progress of a run: cells that are done, all, failed; seconds so far, and left (None: not known yet); workers now."""

    done: int
    total: int
    failed: int
    seconds: float
    seconds_left: float | None
    workers: int = 1


@dataclass(frozen=True)
class RunSummary:
    """Outcome of a run: cells finished by it, cells finished before it, failures with their reasons, seconds.

    `damaged` are the files of cells that were no longer as they had been written, and were computed again; `was_stopped` says
    that too many cells failed, so that others were not tried.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> summary = run_experiment(settings, tempfile.mkdtemp(), n_jobs=1)
    >>> summary.finished, dict(summary.failures)
    (2, {})
    """

    finished: int
    found: int
    failures: Mapping[str, str]
    seconds: float
    damaged: tuple[str, ...] = ()
    was_stopped: bool = False


@dataclass(frozen=True)
class Execution:
    """How cells are executed.

    Attributes
    ----------
    n_jobs : processes on this machine, -1 for one for each processor; each uses one thread.
    isolated : whether a single job runs in a process of its own, too, so that a cell that crashes does not end this one.
    cluster : the Dask cluster on which they are executed instead.
    retries : how often a cell is tried again whose process or worker has ended.
    stop_after : number of failed cells after which the run stops; None: whatever fails.
    allow_other_versions : whether workers, and the cells that are finished, may have other versions than this process.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> run_experiment(settings, tempfile.mkdtemp(), execution=Execution(n_jobs=1, stop_after=1)).was_stopped
    False
    """

    n_jobs: int = -1
    isolated: bool = False
    cluster: Cluster | None = None
    retries: int = 1
    stop_after: int | None = None
    allow_other_versions: bool = False

    def __post_init__(self) -> None:
        if self.n_jobs == 0 or self.n_jobs < -1:
            hint = "Choose for example 2."
            raise InvalidInput("jobs", "be at least 1, or -1 for one for each processor", str(self.n_jobs), hint)
        check_integer("retries", self.retries, low=0)
        if self.stop_after is not None:
            check_integer("stop_after", self.stop_after, low=1)

    def steps(self, tasks: Sequence[Task], data_sets: Mapping[str, Dataset], known: Mapping[str, str]) -> Iterator[Step]:
        """The tasks with their answers, as they come; `known` are hashes of data sets that finished cells have used."""
        if self.cluster is not None:
            wanted = None if self.allow_other_versions else versions()
            tasks = [replace(task, versions=wanted) for task in tasks]
            return on_cluster(tasks, data_sets, self.cluster, known=known, retries=self.retries)
        if self.n_jobs == 1 and not self.isolated:
            return in_this_process(tasks, data_sets)
        n = (cpu_count() or 1) if self.n_jobs == -1 else self.n_jobs
        return in_processes(tasks, data_sets, n, retries=self.retries)


def experiment_seconds(settings: ExperimentSettings, data_sets: Mapping[str, Dataset] | None = None) -> float:
    """Rough seconds of an experiment on one core, as `scoring_seconds` and `estimation_seconds` have it.

    Classifiers of the user's own count as logistic regression, given samples as a thousand. Raises InvalidInput for a data set
    that cannot be loaded.

    Examples
    --------
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> 0.01 < experiment_seconds(settings) < 1
    True
    """
    sampling, seconds = settings.sampling, 0.0
    share = {FOLDS: 1.0 - 1.0 / sampling.folds, GIVEN: 1.0}.get(sampling.protocol, settings.training_share)
    draws = len({cell.draw for cell in cells(settings)})
    parts = len(settings.training_prevalences) or 1
    for problem in settings.problems:
        dataset = (data_sets or {}).get(problem.data) or load_dataset(problem.data)
        n, n_classes = len(dataset.labels), len(dataset.classes) if problem.all_classes else 2
        shares = [min(share, size / n) for size in settings.training_sizes] or [share]
        for classifier in dict.fromkeys(pair.classifier for pair in settings.pairs if pair.classifier != GIVEN_SCORES):
            key = "logistic regression" if is_user_class(classifier) else classifier
            each = (scoring_seconds(dataset, key, one, n_classes=n_classes) for one in shares)
            seconds += draws * parts * sum(each)
        n_samples, size = _samples_of(sampling, n, n_classes)
        estimating = estimation_seconds(len(settings.pairs), n_samples, size) * (n_classes if n_classes > 2 else 1)
        seconds += draws * parts * len(shares) * estimating
    return seconds


def _samples_of(sampling: Sampling, n: int, n_classes: int) -> tuple[int, int]:
    """(number of samples of one fold, draw or folder; their mean size), roughly."""
    if sampling.protocol == FOLDS:
        return sampling.grid, max(1, n // (2 * sampling.folds))
    if sampling.protocol == GIVEN:
        return 1000, 100
    protocol = sampling.protocol_of(sampling.sizes[0], n_classes)
    of_grid = n_prevalences(protocol.grid, n_classes) if isinstance(protocol, SimplexPrevalence) else sampling.grid
    each = (of_grid if sampling.protocol == "APP" else 100) * sampling.repeats
    return each * len(sampling.sizes), sum(sampling.sizes) // len(sampling.sizes)


def run_experiment(
    settings: ExperimentSettings,
    folder: str | Path,
    *,
    n_jobs: int = -1,
    dask: str | Cluster = "",
    own: Mapping[str, Any] | None = None,
    data_sets: Mapping[str, Dataset] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    execution: Execution | None = None,
) -> RunSummary:
    """Run all cells that are not finished yet.

    A method that fails in a cell is recorded with its reason and does not stop the others; the next run tries the cell again.
    Each result depends only on the settings and the cell: a run that was killed and resumed gives the same files as one that
    was not. A folder is refused if another version of qcore began it, if a data set has changed since cells were finished with
    it, or while another process works on it. Whoever changes a quantifier or class of their own names another folder.

    Parameters
    ----------
    settings : the experiment to run.
    folder : where results are stored; it may already hold some of them.
    n_jobs : processes on this machine, -1 for one for each processor; each uses one thread. With 1, this process itself.
    dask : address of a Dask scheduler, such as tcp://scheduler:8786, or a Cluster, to run there instead.
    own : quantifier objects of the user's by the name of their pair.
    data_sets : the user's own data sets by the word of their problem; all others are loaded by that word.
    on_progress : called after each cell, and each second on other processes; an exception it raises stops the run.
    execution : all choices on how cells are executed, in place of `n_jobs` and `dask`.

    Raises
    ------
    InvalidInput
        The folder has other settings, unfinished work of another version of qcore, or finished cells of another table; another
        process works on it, or it cannot be written to; the scheduler does not answer or is lost, or its workers differ.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> run_experiment(settings, tempfile.mkdtemp(), n_jobs=1).finished
    2
    """
    if execution is None:
        cluster = Cluster(dask) if isinstance(dask, str) and dask else dask or None
        execution = Execution(n_jobs, cluster=cluster)
    kept, data_sets = ExperimentFolder.create(folder, settings), data_sets or {}
    hashes = data_hashes(settings, data_sets, elsewhere=execution.cluster is not None)
    kept.check_data(hashes)
    if not kept.missing() and not kept.damaged():
        return RunSummary(0, len(cells(settings)), {}, 0.0)
    with kept.locked():
        return _Run(kept, own or {}, data_sets, hashes, execution).summary(on_progress)


class _Run:
    """The work on a folder that is locked."""

    def __init__(
        self,
        kept: ExperimentFolder,
        own: Mapping[str, Any],
        data_sets: Mapping[str, Dataset],
        hashes: Mapping[str, str],
        execution: Execution,
    ) -> None:
        self._kept, self._own, self._data_sets, self._hashes, self._execution = kept, own, data_sets, hashes, execution
        self._started = time.perf_counter()
        self._damaged = kept.damaged()
        for path in self._damaged:
            LOGGER.warning("%s is not as it was written: it is computed again", path)
            path.unlink()
        self._missing, self._total = kept.missing(), len(cells(kept.settings))
        kept.note_version(allow_others=execution.allow_other_versions)

    def summary(self, on_progress: Callable[[Progress], None] | None) -> RunSummary:
        """Run what is missing, and keep what comes."""
        known = self._kept.data_hashes()
        steps = self._execution.steps([self._task(cell) for cell in self._missing], self._data_sets, known)
        number, failed, limit = 0, 0, self._execution.stop_after
        try:
            for step in steps:
                if step.task is not None and step.answer is not None:
                    number += 1
                    failed += not self._keep(step.task.cell, step.answer, step.task.data)
                if on_progress:
                    on_progress(self._progress(number, failed, step.workers))
                if limit is not None and failed >= limit:
                    break
        finally:
            # What runs is ended now, and not when the generator is collected.
            steps.close()  # type: ignore[attr-defined]
        seconds, found = time.perf_counter() - self._started, self._total - len(self._missing)
        names, was_stopped = tuple(path.name for path in self._damaged), number < len(self._missing)
        return RunSummary(number - failed, found, self._kept.failures(), seconds, names, was_stopped)

    def _task(self, cell: Cell) -> Task:
        settings = self._kept.settings
        word, labels = settings.problems[cell.problem].data, [pair.label for pair in cell.pairs(settings)]
        own = {name: quantifier for name, quantifier in self._own.items() if name in labels}
        return Task(settings, cell, own, self._hashes[word] if word in self._data_sets else "")

    def _keep(self, cell: Cell, answer: Answer, word: str) -> bool:
        """Keep what came of a cell; whether it is whole. Raises InvalidInput for a mixture of versions or of data sets."""
        origin = answer.origin
        if answer.content is not None:
            where = f"on {origin.worker} ({origin.host})"
            if not self._execution.allow_other_versions and (others := differences(origin.versions, versions())):
                hint = "Install the same everywhere, and go on; --allow-other-versions admits it."
                raise InvalidInput("cells", "be computed with the same versions", f"{others} {where}", hint)
            self._kept.check_data({word: origin.data}, on=where)
            self._kept.note_data(word, origin.data)
        if answer.failures:
            self._kept.fail(cell, answer.failures, origin)
        if answer.content is not None:
            self._kept.write(cell, answer.content, origin)
        if not answer.failures:
            self._kept.forget_failure(cell)
        return not answer.failures

    def _progress(self, number: int, failed: int, workers: int) -> Progress:
        seconds, left = time.perf_counter() - self._started, len(self._missing) - number
        seconds_left = seconds / number * left if number else None
        return Progress(self._total - left, self._total, failed, seconds, seconds_left, workers)


def continue_experiment(
    settings: ExperimentSettings,
    folder: str | Path,
    data_sets: Mapping[str, Dataset] | None = None,
    dask: str = "",
    *,
    on_progress: Callable[[float, str], None] | None = None,
) -> None:
    """`run_experiment` in this process, or on a cluster; progress is reported as the share of finished cells, and in words."""

    def tell(progress: Progress) -> None:
        if on_progress:
            on_progress(progress.done / progress.total, f"{progress.done} of {progress.total} cells")

    run_experiment(settings, folder, n_jobs=1, dask=dask, data_sets=data_sets, on_progress=tell)
