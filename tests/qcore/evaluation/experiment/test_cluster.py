"""Experiments on a real scheduler with worker processes that die, starve, differ and come late."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, InvalidInput, load_dataset
from qcore.__main__ import main
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
from qcore.evaluation.experiment.cell import Cell
from qcore.evaluation.experiment.execution import Task, answer
from qcore.evaluation.experiment.lock import LOCK
from qcore.evaluation.experiment.provenance import SOURCES, versions
from tests.browser.server import ROOT
from tests.qcore.evaluation.experiment import dask_processes
from tests.qcore.evaluation.experiment.dask_processes import LIMIT, CountedBytes, DaskProcesses

NB = "Gaussian naive Bayes"
OWN = dask_processes.__name__
IRIS = Problem("iris", "versicolor")
SMALL = ExperimentSettings("small", (IRIS, Problem("wine", "1")), (Pair(NB, "CC"), Pair(NB, "AC")), Sampling(folds=5))


def pausing(seconds, folds=8):
    pairs = (Pair(NB, "CC"), Pair(NB, f"{OWN}:Pausing", "pausing", {"seconds": seconds}))
    return replace(SMALL, problems=(IRIS,), pairs=pairs, sampling=Sampling(folds=folds))


def with_one(name, draws=1):
    """An experiment of which one classifier's method does what a class of `dask_processes` does."""
    pairs = (Pair(NB, "CC"), Pair("logistic regression", f"{OWN}:{name}", name))
    return replace(SMALL, problems=(IRIS,), pairs=pairs, sampling=Sampling("APP", (20,), grid=3, repeats=1), draws=draws)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "cells").iterdir())}


def origins(folder):
    return list(ExperimentFolder.open(folder).journal().values())


def failed(folder):
    return [json.loads(path.read_text()) for path in sorted(folder.glob("cells/*.failed.json"))]


@pytest.fixture
def dask(tmp_path):
    (tmp_path / "dask").mkdir()
    started = DaskProcesses(tmp_path / "dask")
    yield started
    started.close()


def on(dask, **more):
    return Execution(cluster=Cluster(dask.address, timeout=40.0, **more))


@pytest.mark.thorough
def test_workers_that_come_late_are_used_and_nothing_is_computed_here(dask, tmp_path, monkeypatch):
    """From no worker to three: the one that is there first does not get everything."""
    monkeypatch.setattr("qcore.evaluation.experiment.cluster.LOOK_EVERY", 0.2)
    seen, run = [], tmp_path / "run"

    def on_progress(progress):
        if not seen:
            dask.worker("--nworkers", "1")
        if progress.done == 2 and seen[-1].done < 2:
            dask.worker("--nworkers", "2")
        seen.append(progress)

    summary = run_experiment(pausing(0.5, folds=24), run, execution=on(dask), on_progress=on_progress)
    assert (summary.finished, summary.failures) == (24, {})
    assert seen[0].workers == 0
    assert max(one.workers for one in seen) == 3
    workers = {one["worker"] for one in origins(run)}
    assert len(workers) == 3
    assert all(name.startswith("tcp://127.0.0.1") for name in workers)


@pytest.mark.thorough
@pytest.mark.parametrize("retries", [0, 1])
def test_a_cell_that_kills_its_worker_is_that_cells_failure(dask, tmp_path, retries):
    dask.worker("--nworkers", "1")
    run = tmp_path / "run"
    summary = run_experiment(with_one("Crashing"), run, execution=replace(on(dask), retries=retries))
    assert summary.finished == 1
    ((name, reason),) = summary.failures.items()
    assert name == "000-000-00-01 (iris versicolor)"
    assert "its worker ended while it computed this" + ", 2 times" * retries in reason
    (record,) = failed(run)
    assert record["worker"].startswith("tcp://127.0.0.1")
    assert record["host"] == os.uname().nodename
    assert run_experiment(SMALL, tmp_path / "after", execution=on(dask)).finished == 10, "the cluster goes on"


@pytest.fixture(scope="module")
def other_sources(tmp_path_factory):
    """A copy of qcore of the same version, of which a file has changed."""
    folder = tmp_path_factory.mktemp("other")
    shutil.copytree(ROOT / "qcore", folder / "qcore", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "qcore" / "quantifiers" / "__init__.py").open("a") as file:
        file.write("\n# changed\n")
    return folder


@pytest.mark.thorough
def test_a_worker_with_other_sources_is_refused_by_name_unless_it_is_admitted(dask, other_sources, tmp_path):
    dask.worker("--nworkers", "1", sources=other_sources)
    with pytest.raises(InvalidInput, match=r"worker tcp://.* must have the versions of this command, got sources of qcore"):
        run_experiment(SMALL, tmp_path / "run", execution=on(dask))
    allowed = replace(on(dask), allow_other_versions=True)
    assert run_experiment(SMALL, tmp_path / "run", execution=allowed).finished == 10
    assert {one["versions"][SOURCES] for one in origins(tmp_path / "run")}.isdisjoint({versions()[SOURCES]})


@pytest.mark.thorough
def test_a_worker_with_other_sources_that_comes_late_is_not_used(dask, other_sources, tmp_path, caplog):
    dask.worker("--nworkers", "1")

    def on_progress(progress):
        if progress.done == 1 and len(dask.running) == 2:
            dask.worker("--nworkers", "1", sources=other_sources)

    summary = run_experiment(pausing(1.0, folds=14), tmp_path / "run", execution=on(dask), on_progress=on_progress)
    assert (summary.finished, summary.failures) == (14, {})
    assert "is not used: sources of qcore" in caplog.text
    assert len({one["worker"] for one in origins(tmp_path / "run")}) == 1


def test_what_a_cell_finds_other_than_asked_it_refuses():
    """A worker may come and take a cell before it was asked for its versions."""
    wanted = {**versions(), "numpy": "1.0"}
    found = answer(Task(SMALL, Cell(0, 0), {}, versions=wanted))
    assert (found.content, found.failures) == (None, {})
    assert found.refused == f"numpy {np.__version__} instead of 1.0"


@pytest.mark.thorough
def test_two_data_folders_are_refused_by_name(dask, tmp_path):
    settings = replace(SMALL, problems=(Problem("folder:a.csv"),))
    for number in (0, 1):
        (tmp_path / f"data {number}").mkdir()
        table = load_dataset("iris").features.assign(**{"class": load_dataset("iris").labels})
        table.iloc[number:].to_csv(tmp_path / f"data {number}" / "a.csv", index=False)
    variables = [{"QUANTIFICATION_LAB_DATA": str(tmp_path / f"data {number}")} for number in (0, 1)]
    first = dask.worker("--nworkers", "1", **variables[0])
    assert run_experiment(settings, tmp_path / "run", execution=on(dask)).finished == 5
    second = dask.worker("--nworkers", "1", **variables[1])
    with pytest.raises(InvalidInput, match=r"worker tcp://.* must have the same files, got folder:a\.csv"):
        run_experiment(settings, tmp_path / "again", execution=on(dask, wait_for=2))
    dask.end(first)
    # The folder of results knows what its cells have used.
    (tmp_path / "run" / "cells" / "000-001-00-00.parquet").unlink()
    with pytest.raises(InvalidInput, match=r"folder:a\.csv"):
        run_experiment(settings, tmp_path / "run", execution=on(dask))
    dask.end(second)


@pytest.mark.thorough
def test_a_worker_that_starves_is_a_failure_of_its_cell(dask, tmp_path):
    dask.worker("--nworkers", "1", "--memory-limit", "600MB")
    summary = run_experiment(with_one("Hungry", draws=2), tmp_path / "run", execution=replace(on(dask), retries=0))
    assert summary.finished == 2
    assert all("for lack of memory" in reason for reason in summary.failures.values())


@pytest.mark.thorough
def test_forests_are_one_task_a_cell_and_a_killed_worker_fails_none(dask, tmp_path):
    forest = (Pair("random forest", "AC"), Pair("random forest", "CC"))
    settings = replace(SMALL, pairs=forest, problems=(IRIS,), sampling=Sampling(folds=3))
    dask.worker("--nworkers", "2")
    killed = []

    def on_progress(progress):
        if progress.done == 1 and not killed:
            killed.append(origins(tmp_path / "run")[0]["worker"])
            _kill(dask, killed[0])

    summary = run_experiment(settings, tmp_path / "run", execution=on(dask, wait_for=2), on_progress=on_progress)
    assert (summary.finished, summary.failures) == (3, {})
    assert run_experiment(settings, tmp_path / "here", n_jobs=1).finished == 3
    assert contents(tmp_path / "run") == contents(tmp_path / "here")


def _kill(dask, address):
    from distributed import Client

    with Client(dask.address, set_as_default=False) as client:
        number = client.run(os.getpid, workers=[address])[address]
    os.kill(number, signal.SIGKILL)


@pytest.mark.thorough
def test_no_worker_and_workers_without_the_package_are_sentences(dask, tmp_path):
    few = Execution(cluster=Cluster(dask.address, timeout=2.0))
    with pytest.raises(InvalidInput, match=r"cluster must have a worker, got none within 2 s"):
        run_experiment(SMALL, tmp_path / "run", execution=few)
    dask.worker("--nworkers", "1", sources=tmp_path)
    with pytest.raises(InvalidInput, match=r"must have qcore .*No module named 'qcore'"):
        run_experiment(SMALL, tmp_path / "run", execution=on(dask))
    assert not (tmp_path / "run" / LOCK).exists()
    bare = DaskProcesses(tmp_path, sources=tmp_path)
    try:
        with pytest.raises(InvalidInput, match=r"scheduler must have qcore .*, too, got .*No module named 'qcore'"):
            run_experiment(SMALL, tmp_path / "run", execution=on(bare))
    finally:
        bare.close()


@pytest.mark.thorough
def test_a_class_of_the_users_is_needed_by_workers_alone(dask, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "only_here.py").write_text("from qcore.quantifiers import MedianSweep as Mine\n")
    monkeypatch.syspath_prepend(str(tmp_path / "mine"))
    from only_here import Mine

    settings = replace(SMALL, pairs=(Pair(NB, "CC", "object"), Pair(NB, "only_here:Mine", "class")))
    dask.worker("--nworkers", "1")
    summary = run_experiment(settings, tmp_path / "run", execution=on(dask), own={"object": Mine()})
    assert summary.failures["000-000-00-00 (iris versicolor, class)"].startswith("InvalidInput: class must be one that can")
    dask.end(dask.running[1])
    dask.worker("--nworkers", "1", PYTHONPATH=os.pathsep.join([str(ROOT), str(tmp_path / "mine")]))
    assert not run_experiment(settings, tmp_path / "run", execution=on(dask), own={"object": Mine()}).failures


@pytest.mark.thorough
def test_a_scheduler_that_is_lost_ends_the_run_with_a_sentence_and_loses_nothing(dask, tmp_path):
    dask.worker("--nworkers", "1")
    settings = pausing(0.3)

    def on_progress(progress):
        if progress.done == 2:
            dask.end(dask.scheduler)

    with pytest.raises(InvalidInput, match=r"scheduler must be reachable.*The same command goes on"):
        run_experiment(settings, tmp_path / "run", execution=on(dask), on_progress=on_progress)
    assert run_experiment(settings, tmp_path / "run", n_jobs=1).found >= 2


@pytest.mark.thorough
def test_a_table_is_sent_once_and_again_where_its_worker_has_ended(dask, tmp_path):
    rng, n = np.random.default_rng(0), 60_000
    labels = np.where(rng.random(n) < 0.4, "yes", "no")
    columns = {f"x{number}": rng.normal(size=n) + 0.5 * (labels == "yes") for number in range(8)}
    table = Dataset.from_frame(pd.DataFrame({**columns, "class": labels}), "class")
    settings = replace(SMALL, problems=(Problem("mine.csv"),), sampling=Sampling(folds=10))
    dask.worker("--nworkers", "2")
    counted, killed = CountedBytes(dask.address), []

    def on_progress(progress):
        if progress.done == 3 and not killed:
            killed.append(origins(tmp_path / "run")[-1]["worker"])
            _kill(dask, killed[0])

    execution = Execution(cluster=Cluster(counted.address, wait_for=2))
    tables = {"mine.csv": table}
    summary = run_experiment(settings, tmp_path / "run", execution=execution, data_sets=tables, on_progress=on_progress)
    assert (summary.finished, summary.failures) == (10, {})
    assert 8 * 8 * n < counted.sent < 1.5 * 8 * 8 * n, "once, of ten cells"
    counted.close()
    task = Task(settings, Cell(0, 0), {}, "hash")
    assert len(pickle.dumps(task)) < 2_000


@pytest.mark.thorough
def test_cells_go_where_their_resources_are(dask, tmp_path):
    dask.worker("--nworkers", "1")
    dask.worker("--nworkers", "1", "--resources", "memory=2e9", threads=4)
    execution = on(dask, resources={"memory": 1e9})
    assert run_experiment(SMALL, tmp_path / "run", execution=execution).finished == 10
    assert len({one["worker"] for one in origins(tmp_path / "run")}) == 1
    none = Execution(cluster=Cluster(dask.address, timeout=2.0, resources={"memory": 4e9}))
    with pytest.raises(InvalidInput, match="cluster must have a worker"):
        run_experiment(SMALL, tmp_path / "other", execution=none)


@pytest.mark.thorough
def test_the_command_takes_the_schedulers_file_and_its_address_from_the_environment(dask, tmp_path, monkeypatch, capsys):
    (tmp_path / "s.toml").write_text(SMALL.to_toml())
    dask.worker("--nworkers", "2", DASK_LOGGING__QCORE="info")
    words = ["experiment", str(tmp_path / "s.toml"), "--wait-for-workers", "2", "--timeout", "40"]
    assert main([*words, "--into", str(tmp_path / "a"), "--scheduler-file", str(dask.file)]) == 0
    assert "no worker yet" in (told := capsys.readouterr().err)
    assert "10 of 10 cells, 2 workers, 0 s left" in told
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", dask.address)
    assert main([*words, "--into", str(tmp_path / "b")]) == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert origins(tmp_path / "b")[0]["worker"].startswith("tcp:")
    assert "000-000-00-00 begins (iris versicolor: Gaussian naive Bayes: CC (Gaussian naive Bayes), AC" in dask.log()


@pytest.mark.thorough
def test_over_tls_and_with_certificates_of_another_authority(tmp_path, monkeypatch):
    variables = {number: _certificates(tmp_path / number) for number in ("ours", "others")}
    for name, value in variables["ours"].items():
        monkeypatch.setenv(name, value)
    dask = DaskProcesses(tmp_path, "--protocol", "tls")
    try:
        dask.worker("--nworkers", "1")
        done = _command(tmp_path, "--dask", dask.address, "--timeout", "40")
        assert (done.returncode, dask.address[:6]) == (0, "tls://"), done.stderr
        for name, value in variables["others"].items():
            monkeypatch.setenv(name, value)
        done = _command(tmp_path, "--dask", dask.address, "--timeout", "3", into="other")
        assert done.returncode == 2
        assert "scheduler must answer" in done.stderr
        assert "Traceback" not in done.stderr
        for name in variables["others"]:
            monkeypatch.delenv(name)
        done = _command(tmp_path, "--dask", dask.address, "--timeout", "3", into="none")
        assert (done.returncode, "Traceback" in done.stderr) == (2, False)
        assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in done.stderr
    finally:
        dask.close()


def _certificates(folder):
    """A certificate that is its own authority, and the variables that name its files."""
    folder.mkdir()
    key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
    words = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=lab")
    subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    prefix = "DASK_DISTRIBUTED__COMM__TLS__"
    of_each = {f"{prefix}{who}__{part}": path for who in ("CLIENT", "SCHEDULER", "WORKER")
               for part, path in (("CERT", certificate), ("KEY", key))}  # fmt: skip
    return {f"{prefix}CA_FILE": certificate, **of_each}


def _command(folder, *words, into="run", limit=None):
    (folder / "s.toml").write_text(SMALL.to_toml())
    command = [sys.executable, "-m", "qcore", "experiment", str(folder / "s.toml"), "--into", str(folder / into), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, preexec_fn=limit)
