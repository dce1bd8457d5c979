"""The recipes of docs/clusters.md: the programs that they name take their commands, their files are read, one is run."""

import argparse
import ast
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import dask.config
import distributed
import pytest
import yaml
from distributed.cli import dask_scheduler, dask_worker

from qcore.evaluation.experiment import ExperimentFolder, run_experiment
from qcore.evaluation.experiment.command import ADDRESS, _execution, add_experiment
from tests.browser.server import ROOT

TEXT = (ROOT / "docs" / "clusters.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def blocks(language):
    return [text for name, text in BLOCKS if name == language]


def in_yaml():
    return [one for text in blocks("yaml") for one in yaml.safe_load_all(text)]


def containers():
    return [
        one for thing in in_yaml() if "template" in thing["spec"] for one in thing["spec"]["template"]["spec"]["containers"]
    ]


def commands():
    """The words of every command of Dask's and of ours, in scripts and in containers."""
    lines = [line.split(" #")[0].rstrip(" &") for text in blocks("sh") for line in text.splitlines()]
    words = [shlex.split(line) for line in lines if re.search(r"(dask (scheduler|worker)|qcore experiment) ", line)]
    words += [shlex.split(line) for line in re.findall(r"`([^`\n]*(?:dask worker|qcore experiment)[^`\n]*)`", TEXT)]
    return [*words, *(one["command"] for one in containers())]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_each_command_is_one_that_its_program_takes(words, monkeypatch):
    monkeypatch.setenv(ADDRESS, "tcp://scheduler:8786")
    if "qcore" in words:
        parser = argparse.ArgumentParser()
        add_experiment(parser.add_subparsers())
        chosen = parser.parse_args(words[words.index("qcore") + 1 :])
        _execution(chosen)
        return
    where = words.index("dask")
    program = {"scheduler": dask_scheduler, "worker": dask_worker}[words[where + 1]]
    given = [word for word in words[where + 2 :] if word != "..."]
    assert program.main.make_context(words[where + 1], given).params


def test_every_kind_of_command_is_found():
    found = [" ".join(words) for words in commands()]
    assert len([words for words in found if "qcore experiment" in words]) >= 4
    assert len([words for words in found if "dask worker" in words]) >= 5


@pytest.mark.parametrize("text", blocks("sh"), ids=lambda text: text.splitlines()[0][:40])
def test_scripts_are_read_by_the_shell(text):
    subprocess.run(["bash", "-n"], input=text, text=True, check=True, capture_output=True)


def test_the_options_of_the_table_are_all_of_a_cluster():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    add_experiment(commands)
    known = set(re.findall(r"--[a-z-]+", commands.choices["experiment"].format_help()))
    named = set(re.findall(r"^\| `(--[a-z-]+)", TEXT, re.MULTILINE))
    assert named <= known
    local = {"--help", "--into", "--jobs", "--combine", "--show", "--loss", "--smoothing", "--allow-other-versions"}
    assert known - named - local <= {"--scheduler-file", "--resources"}


def test_the_services_of_kubernetes_fit_each_other():
    kinds = {(thing["kind"], thing["metadata"]["name"]): thing for thing in in_yaml()}
    assert set(kinds) == {
        ("Deployment", "scheduler"),
        ("Service", "scheduler"),
        ("Deployment", "worker"),
        ("Job", "experiment"),
    }
    (port,) = kinds["Service", "scheduler"]["spec"]["ports"]
    address = f"tcp://scheduler:{port['port']}"
    scheduler, worker, command = containers()
    assert str(port["port"]) in scheduler["command"]
    assert address in worker["command"]
    assert {"name": ADDRESS, "value": address} in command["env"]
    for thing in in_yaml():
        if "template" in thing["spec"]:
            pod = thing["spec"]["template"]
            wanted = thing["spec"].get("selector", {}).get("matchLabels", {})
            assert wanted.items() <= pod.get("metadata", {}).get("labels", {}).items()
            mounted = [mount["name"] for one in pod["spec"]["containers"] for mount in one.get("volumeMounts", [])]
            assert mounted == [one["name"] for one in pod["spec"].get("volumes", [])]


def test_the_image_installs_what_is_there():
    (text,) = blocks("dockerfile")
    for line in re.findall(r"^COPY (.+)$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in line.split()[:-1])
    (extras,) = re.findall(r"\"\.\[([\w,]+)\]", text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    assert (ROOT / "constraints.txt").read_text().count(f"\ndistributed=={distributed.__version__}\n") == 1


def test_the_python_of_a_recipe_calls_what_is_there():
    (text,) = blocks("python")
    tree = ast.parse(text)
    (call,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "run_experiment"]
    assert {word.arg for word in call.keywords} <= set(run_experiment.__kwdefaults__)


def test_the_variables_of_tls_are_daskss():
    names = re.findall(r"\b(DASK_DISTRIBUTED__\w+)=", TEXT)
    assert len(set(names)) == 8
    known = dask.config.config["distributed"]["comm"]
    for key in dask.config.collect_env(dict.fromkeys(names, "x"))["distributed"]["comm"]["tls"]:
        assert dask.config.canonical_name(key, known["tls"]) in known["tls"]
    assert dask.config.canonical_name("require_encryption", known) in known


@pytest.mark.thorough
def test_the_script_for_slurm_runs_with_a_stand_in_for_srun(tmp_path):
    """It starts scheduler, worker and command as SLURM does; only how many, and the experiment, are smaller here."""
    (script,) = [text for text in blocks("sh") if "SBATCH" in text]
    (tmp_path / "lab").mkdir()
    for name in ("qcore", "docs"):
        (tmp_path / "lab" / name).symlink_to(ROOT / name)
    (tmp_path / "lab" / "s.toml").write_text(
        'name = "s"\n[[problems]]\ndata = "iris"\n[[problems]]\ndata = "wine"\n'
        '[[pairs]]\nclassifier = "KNN"\nquantifier = "CC"\n[[pairs]]\nclassifier = "KNN"\nquantifier = "AC"\n'
    )
    for before, after in (("maletzke-2020", "s.toml"), ("--wait-for-workers 8", "--wait-for-workers 1")):
        assert before in script
        script = script.replace(before, after)
    (tmp_path / "srun").write_text('#!/bin/bash\nwhile [[ "$1" == --* ]]; do shift; done\nexec "$@"\n')
    (tmp_path / "srun").chmod(0o755)
    places = [str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]]
    variables = {"PATH": os.pathsep.join(places), "SLURM_SUBMIT_DIR": str(tmp_path / "lab"), "SLURM_JOB_ID": "1"}
    words, told = ["bash", "-c", script], (tmp_path / "told").open("w")
    job = subprocess.Popen(words, env={**os.environ, **variables}, stderr=told, stdout=told, start_new_session=True)
    try:
        assert job.wait(120) == 0, (tmp_path / "told").read_text()
    finally:
        os.killpg(job.pid, signal.SIGKILL)
    folder = ExperimentFolder.open(tmp_path / "lab" / "results")
    assert not folder.missing()
    assert all(str(one["worker"]).startswith("tcp://") for one in folder.journal().values())
    assert "000-000-00-00 begins" in (tmp_path / "told").read_text()
