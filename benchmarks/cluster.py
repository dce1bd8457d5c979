"""Experiments on a Dask cluster: time with more workers, forests beside this machine alone, what is sent, and memory.

python -m benchmarks.cluster [--json] [--cells 6000]   (ten minutes; scheduler and workers are processes of this machine)
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import psutil

from benchmarks.report import Row, arguments, show
from qcore import Dataset
from qcore.evaluation.experiment import (
    Cluster,
    Execution,
    ExperimentFolder,
    ExperimentSettings,
    Pair,
    Problem,
    Sampling,
    run_experiment,
)
from qcore.evaluation.experiment.cell import COLUMNS, cells
from qcore.evaluation.experiment.folder import Origin, parquet_of
from tests.qcore.evaluation.experiment import dask_processes
from tests.qcore.evaluation.experiment.dask_processes import CountedBytes, DaskProcesses, until

NB = "Gaussian naive Bayes"
PAUSING = f"{dask_processes.__name__}:Pausing"


@contextmanager
def on(workers: int) -> Iterator[tuple[DaskProcesses, Execution]]:
    """A cluster whose workers are ready before the clock starts, and how to run on it."""
    with tempfile.TemporaryDirectory() as folder:
        dask = DaskProcesses(Path(folder))
        try:
            dask.worker("--nworkers", str(workers))
            until(lambda: dask.log().count("Registered to") == workers)
            execution = Execution(cluster=Cluster(dask.address, wait_for=workers))
            # They have loaded qcore, too.
            seconds(ExperimentSettings("warm", (Problem("iris"),), (Pair(NB, "CC"),), Sampling(folds=4 * workers)), execution)
            yield dask, execution
        finally:
            dask.close()


def seconds(settings: ExperimentSettings, execution: Execution) -> float:
    """How long a run takes, from the call to the summary."""
    with tempfile.TemporaryDirectory() as folder:
        summary = run_experiment(settings, Path(folder) / "run", execution=execution)
    assert not summary.failures, summary.failures
    return summary.seconds


def time_by_workers() -> list[Row]:
    """Forty cells that wait a second each."""
    pairs = (Pair(NB, PAUSING, "pausing", {"seconds": 1.0}),)
    problems = tuple(Problem(name) for name in ("iris", "wine", "wdbc", "balance"))
    settings = ExperimentSettings("seconds", problems, pairs, Sampling(folds=10))
    rows: list[Row] = []
    for n in (1, 2, 4):
        with on(n) as (_, execution):
            rows.append({"workers": n, "seconds": seconds(settings, execution)})
    return rows


def forests() -> list[Row]:
    """Forests of 200 trees on two workers, and on two processes of this machine."""
    problems = tuple(Problem(name) for name in ("wdbc", "wine", "balance"))
    settings = ExperimentSettings("forests", problems, (Pair("random forest", "AC"),), Sampling(folds=4))
    with on(2) as (_, execution):
        there = seconds(settings, execution)
    return [
        {"where": "two workers", "seconds": there},
        {"where": "two processes, no cluster", "seconds": seconds(settings, Execution(2))},
    ]


def megabytes_sent() -> list[Row]:
    """What the process that asks sends for 40 cells: of a bundled data set, and of a table of its own of 32 MB."""
    rng, n = np.random.default_rng(0), 500_000
    labels = np.where(rng.random(n) < 0.4, "yes", "no")
    table = Dataset.from_frame(pd.DataFrame(rng.normal(size=(n, 8))).add_prefix("x").assign(**{"class": labels}), "class")
    rows: list[Row] = []
    with on(2) as (dask, _), tempfile.TemporaryDirectory() as folder:
        for name, tables in (("bundled", {}), ("a table of 32 MB", {"mine.csv": table})):
            word = "mine.csv" if tables else "iris"
            settings = ExperimentSettings("sent", (Problem(word),), (Pair(NB, "CC"),), Sampling("APP", (50,), grid=3), draws=40)
            counted = CountedBytes(dask.address)
            execution = Execution(cluster=Cluster(counted.address, wait_for=2))
            run_experiment(settings, Path(folder) / name, execution=execution, data_sets=tables)
            rows.append({"data": name, "megabytes sent": counted.sent / 1e6})
            counted.close()
    return rows


def peak(process: psutil.Process) -> float:
    """The most megabytes that a process has held."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024.0


def memory_over(n_cells: int) -> list[Row]:
    """The most memory of each kind of process over many small cells."""
    settings = ExperimentSettings(
        "many",
        (Problem("iris"), Problem("wine")),
        (Pair(NB, "CC"),),
        Sampling("APP", (20,), grid=3, repeats=1),
        draws=n_cells // 2,
    )
    with on(2) as (dask, execution), tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "s.toml").write_text(settings.to_toml())
        assert execution.cluster is not None
        words = ["experiment", f"{folder}/s.toml", "--into", f"{folder}/run", "--dask", execution.cluster.address]
        started = time.perf_counter()
        command, held = psutil.Popen([sys.executable, "-m", "qcore", *words], stderr=-3, stdout=-3), 0.0
        while command.poll() is None:
            held = max(held, command.memory_info().rss / 2**20)
            time.sleep(0.2)
        taken = time.perf_counter() - started
        workers = psutil.Process(dask.running[1].pid).children(recursive=True)
        return [
            {"process": f"command ({n_cells / taken:.0f} cells a second)", "megabytes": held},
            {"process": "scheduler", "megabytes": peak(psutil.Process(dask.scheduler.pid))},
            {"process": "worker", "megabytes": max(peak(each) for each in workers)},
        ]


def memory_of_the_summary() -> list[Row]:
    """The most memory of the command that only sums up 4.2 million rows: 8 problems, 10 draws, 15 methods."""
    problems = tuple(
        Problem(name) for name in ("wdbc", "iris", "wine", "balance", "tictactoe", "digits", "waveform", "monks-1")
    )
    pairs = tuple(Pair(NB, "CC", f"method {number}") for number in range(15))
    settings = ExperimentSettings("summary", problems, pairs, Sampling("APP", (100,), grid=101, repeats=35), draws=10)
    rng, n = np.random.default_rng(0), 101 * 35
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "s.toml").write_text(settings.to_toml())
        kept, target = ExperimentFolder.create(Path(folder) / "run", settings), np.repeat(np.linspace(0.0, 1.0, 101), 35)
        rows = 0
        for cell in cells(settings):
            tables = [
                pd.DataFrame({"method": pair.label, "target": target, "prevalence": target, "estimate": rng.random(n)})
                for pair in pairs
            ]
            table = pd.concat(tables).assign(size=100, repeat=0, training_size=50, training_prevalence=0.5, draw=cell.draw)
            table = table.assign(data=problems[cell.problem].name)[list(COLUMNS)]
            kept.write(cell, parquet_of(table), Origin("here", "none"))
            rows += len(table)
        words = ["experiment", f"{folder}/s.toml", "--into", f"{folder}/run", "--jobs", "1"]
        started = time.perf_counter()
        command, held = psutil.Popen([sys.executable, "-m", "qcore", *words], stderr=-3, stdout=-3), 0.0
        while command.poll() is None:
            held = max(held, command.memory_info().rss / 2**20)
            time.sleep(0.02)
        return [{"rows": rows, "seconds": time.perf_counter() - started, "megabytes": held}]


if __name__ == "__main__":
    parsed = arguments(__doc__ or "", cells=6000)
    show(
        {
            "40 cells that wait a second": time_by_workers,
            "12 cells of a forest of 200 trees": forests,
            "40 cells, sent by the command": megabytes_sent,
            f"{parsed.cells} small cells on two workers, the most memory": lambda: memory_over(parsed.cells),
            "the summary alone": memory_of_the_summary,
        },
        parsed,
    )
