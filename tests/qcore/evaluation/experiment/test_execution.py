"""Processes of this machine: one that crashes takes its cell alone, and a failure belongs to a method."""

import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest
from joblib import effective_n_jobs
from threadpoolctl import threadpool_info

from qcore.__main__ import main
from qcore.evaluation.experiment import Execution, ExperimentFolder, read_experiment, run_experiment
from qcore.evaluation.experiment.cell import Cell
from qcore.evaluation.experiment.execution import Task, answer
from tests.browser.server import ROOT
from tests.qcore.evaluation.experiment.test_cluster import NB, SMALL, contents, failed, with_one

PROCESSES = Execution(2, isolated=True, retries=0)


@pytest.mark.thorough
def test_a_cell_that_crashes_is_that_cells_failure(tmp_path):
    summary = run_experiment(with_one("Crashing", draws=2), tmp_path / "run", execution=PROCESSES)
    assert summary.finished == 2
    assert [name[:13] for name in summary.failures] == ["000-000-00-01", "000-001-00-01"]
    assert all("WorkerLost: its worker ended while it computed this" in reason for reason in summary.failures.values())
    assert set(read_experiment(tmp_path / "run")[1].method) == {f"CC ({NB})"}


def test_a_cell_uses_one_thread_whatever_its_classifier_asks_for(monkeypatch):
    seen = []

    def run_cell(*_):
        seen.append((effective_n_jobs(-1), *(one["num_threads"] for one in threadpool_info())))
        return pd.DataFrame()

    monkeypatch.setattr("qcore.evaluation.experiment.execution.run_cell", run_cell)
    answer(Task(SMALL, Cell(0, 0), {}))
    assert set(seen[0]) == {1}


def test_a_crash_is_tried_again_as_often_as_is_asked(tmp_path):
    twice = replace(PROCESSES, n_jobs=1, retries=1)
    (reason,) = run_experiment(with_one("Crashing"), tmp_path / "run", execution=twice).failures.values()
    assert ", 2 times" in reason


def failing():
    settings = with_one("Failing", draws=2)
    pairs = tuple(replace(pair, classifier=NB, name=name) for pair, name in zip(settings.pairs, ("good", "bad"), strict=True))
    return replace(settings, pairs=pairs)


def test_a_failure_belongs_to_a_method_and_is_kept_with_its_traceback(tmp_path):
    run = tmp_path / "run"
    summary = run_experiment(failing(), run, n_jobs=1)
    assert summary.finished == 0
    assert summary.failures["000-000-00-00 (iris versicolor, bad)"] == "ZeroDivisionError: by nothing"
    assert set(read_experiment(run)[1].method) == {"good"}
    alone = replace(failing(), pairs=failing().pairs[:1])
    run_experiment(alone, tmp_path / "alone", n_jobs=1)
    good = {name: content for name, content in contents(run).items() if name.endswith("parquet")}
    assert good == contents(tmp_path / "alone"), "the others' numbers are those that they have alone"
    record = failed(run)[0]
    assert record["data"] == "iris versicolor"
    assert record["host"]
    assert record["worker"].startswith("process ")
    assert 'raise ZeroDivisionError("by nothing")' in record["methods"]["bad"]["traceback"]
    assert len(ExperimentFolder.open(run).missing()) == 2, "they are tried again"


def test_a_run_stops_after_as_many_failures_as_it_may_have(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(replace(failing(), draws=5).to_toml())
    words = ["experiment", str(tmp_path / "s.toml"), "--into", str(tmp_path / "run"), "--jobs", "1", "--stop-after", "2"]
    assert main(words) == 1
    told = capsys.readouterr().out
    assert "Stopped after 2 failed cells" in told
    assert len(failed(tmp_path / "run")) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--jobs 2 --dask tcp://h:1", "--dask must be given without the others, got --jobs"),
        ("--scheduler-file f --dask tcp://h:1", "--dask must be given without the others, got --scheduler-file"),
        ("--wait-for-workers 2", "--wait-for-workers must be given with a cluster"),
        ("--dask tcp://h:1 --resource memory", "--resource must be NAME=AMOUNT"),
        ("--dask tcp://h:1 --timeout 0", "--timeout"),
        ("--retries -1", "retries"),
        ("--stop-after 0", "stop_after"),
    ],
)
def test_options_that_do_not_go_together_are_one_sentence(words, sentence, tmp_path, capsys):
    assert main(["experiment", "bundled", "--into", str(tmp_path / "run"), *words.split()]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.thorough
def test_a_class_of_a_script_reaches_the_processes_of_this_machine(tmp_path):
    """As in a notebook: what is defined there cannot be imported, and nothing guards the script against being run again."""
    (tmp_path / "script.py").write_text(f"""
import numpy as np
from dataclasses import replace
from qcore.evaluation.experiment import run_experiment
from tests.qcore.evaluation.experiment.test_cluster import SMALL, NB, Pair

class Half:
    def fit(self, scores, labels):
        return self
    def predict(self, scores):
        return np.full(np.shape(scores)[:-1], 0.5)

settings = replace(SMALL, pairs=(Pair(NB, "CC", "half"),))
print(run_experiment(settings, {str(tmp_path / "run")!r}, n_jobs=2, own={{"half": Half()}}))
""")
    words = [sys.executable, str(tmp_path / "script.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True, env={"PYTHONPATH": str(ROOT)})
    assert done.stdout.count("RunSummary(finished=10, found=0, failures={}") == 1
