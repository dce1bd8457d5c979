"""The folder of results: checksums, a lock, a full disk."""

import json
import os
import resource
import shutil
import subprocess
import sys
import time

import pandas as pd
import pytest

from qcore import InvalidInput, __version__
from qcore.__main__ import main
from qcore.evaluation.experiment import ExperimentFolder, compared_losses, read_experiment, run_experiment
from qcore.evaluation.experiment import lock as module
from qcore.evaluation.experiment.lock import LOCK, folder_lock
from tests.browser.server import ROOT
from tests.qcore.evaluation.experiment.test_cluster import LIMIT, SMALL, contents, pausing


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "run"
    run_experiment(SMALL, folder, n_jobs=1)
    return folder


@pytest.fixture
def finished(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "finished")


def command(folder, into, *words, limit=None):
    (folder / "s.toml").write_text(SMALL.to_toml())
    line = [sys.executable, "-m", "qcore", "experiment", str(folder / "s.toml"), "--into", str(into), "--jobs", "1", *words]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, preexec_fn=limit)


class TestChecksums:
    @pytest.mark.parametrize("damage", [lambda content: b"", lambda content: content[:-9] + b"x" + content[-8:]])
    def test_a_file_of_no_bytes_and_one_changed_byte_are_computed_again_and_named(self, whole, finished, damage, capsys):
        path = finished / "cells" / "001-002-00-00.parquet"
        path.write_bytes(damage(path.read_bytes()))
        with pytest.raises(InvalidInput, match=r"001-002-00-00\.parquet' must be a whole Parquet file, as it was written"):
            read_experiment(finished)
        (finished.parent / "s.toml").write_text(SMALL.to_toml())
        assert main(["experiment", str(finished.parent / "s.toml"), "--into", str(finished), "--jobs", "1"]) == 0
        assert "damaged, and computed again: 001-002-00-00.parquet" in capsys.readouterr().out
        assert contents(finished) == contents(whole)

    def test_the_end_of_a_line_that_a_kill_left_out_costs_no_other_line(self, finished):
        journal = finished / "journal.jsonl"
        journal.write_bytes(journal.read_bytes()[:-20])
        assert run_experiment(SMALL, finished, n_jobs=1).finished == 0, "a file without a checksum is read"
        (finished / "cells" / "000-000-00-00.parquet").unlink()
        run_experiment(SMALL, finished, n_jobs=1)
        assert len(ExperimentFolder.open(finished).journal()) == 9

    def test_a_combined_file_that_is_damaged_ends_the_command_with_an_error(self, finished, capsys):
        ExperimentFolder.open(finished).combine()
        path = finished / "estimates.parquet"
        assert read_experiment(finished)
        path.write_bytes(path.read_bytes()[:-9] + b"x" * 9)
        (finished.parent / "s.toml").write_text(SMALL.to_toml())
        assert main(["experiment", str(finished.parent / "s.toml"), "--into", str(finished), "--jobs", "1"]) == 1
        assert "estimates.parquet' must be a whole Parquet file" in capsys.readouterr().out

    def test_where_each_comes_from_is_kept(self, whole):
        entries = ExperimentFolder.open(whole).journal()
        assert len(entries) == 10
        assert {entry["versions"]["qcore"] for entry in entries.values()} == {__version__}
        assert len({entry["data"] for entry in entries.values()}) == 2
        assert {entry["host"] for entry in entries.values()} == {os.uname().nodename}


def test_problem_by_problem_the_losses_are_those_of_all(finished):
    settings, estimates = read_experiment(finished)
    expected = compared_losses(estimates, settings)
    folder = ExperimentFolder.open(finished)
    for _ in range(2):
        tables = list(folder.tables())
        assert [set(table["data"]) for table in tables] == [{"iris versicolor"}, {"wine 1"}]
        found = pd.concat([compared_losses(table, settings) for table in tables], ignore_index=True)
        pd.testing.assert_frame_equal(found, expected)
        folder.combine()


def test_cells_of_the_former_cut_are_read_and_not_continued(finished):
    """Before, a cell had all classifiers of a fold or draw, and no line in a journal."""
    (finished / "journal.jsonl").unlink()
    for path in (finished / "cells").iterdir():
        path.rename(path.with_name(f"{path.name[:7]}.parquet"))
    written = json.loads((finished / "format.json").read_text())
    (finished / "format.json").write_text(json.dumps({**written, "format": 1}))
    assert len(read_experiment(finished)[1]) == 2 * 5 * 2 * 11
    assert run_experiment(SMALL, finished, n_jobs=1).found == 10
    (finished / "cells" / "001-002.parquet").unlink()
    with pytest.raises(InvalidInput, match=r"which cuts cells otherwise\..*this one can still be read"):
        run_experiment(SMALL, finished, n_jobs=1)


def test_other_libraries_continue_a_folder_only_where_they_are_allowed(finished):
    from qcore.evaluation.experiment import Execution

    written = json.loads((finished / "format.json").read_text())
    written["versions"]["scipy"] = "1.0"
    (finished / "format.json").write_text(json.dumps(written))
    (finished / "cells" / "001-002-00-00.parquet").unlink()
    with pytest.raises(InvalidInput, match=r"versions that began it, got scipy .* instead of 1\.0"):
        run_experiment(SMALL, finished, n_jobs=1)
    assert run_experiment(SMALL, finished, execution=Execution(1, allow_other_versions=True)).finished == 1


def test_a_mixture_of_versions_is_named_in_the_summary(finished, capsys):
    lines = (finished / "journal.jsonl").read_text().splitlines()
    entry = json.loads(lines[0])
    lines[0] = json.dumps({**entry, "host": "another", "versions": {**entry["versions"], "scipy": "1.0"}})
    (finished / "journal.jsonl").write_text("\n".join(lines) + "\n")
    (finished.parent / "s.toml").write_text(SMALL.to_toml())
    assert main(["experiment", str(finished.parent / "s.toml"), "--into", str(finished), "--jobs", "1"]) == 0
    assert "with other versions than the folder's: scipy 1.0 instead of" in (told := capsys.readouterr().out)
    assert "(1 on another)" in told


class TestLock:
    def test_a_second_command_says_who_has_the_folder(self, tmp_path):
        (tmp_path / "long.toml").write_text(pausing(1.0, folds=9).to_toml())
        line = [sys.executable, "-m", "qcore", "experiment", str(tmp_path / "long.toml"), "--into", str(tmp_path / "run")]
        first = subprocess.Popen([*line, "--jobs", "1"], cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + LIMIT
            while not (tmp_path / "run" / LOCK).exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            with pytest.raises(
                InvalidInput, match=rf"that no other command uses, got one on which process {first.pid} on \S+ has worked"
            ):
                run_experiment(pausing(1.0, folds=9), tmp_path / "run", n_jobs=1)
        finally:
            first.kill()
            first.wait()
        with folder_lock(tmp_path / "run"):
            assert json.loads((tmp_path / "run" / LOCK).read_text())["pid"] == os.getpid(), "a process that was killed has none"
        assert not (tmp_path / "run" / LOCK).exists()

    def test_two_threads_of_a_process_keep_each_other_out(self, tmp_path):
        with folder_lock(tmp_path), pytest.raises(InvalidInput, match="that no other command uses"), folder_lock(tmp_path):
            pass

    @pytest.mark.parametrize(("age", "is_free"), [(0.0, False), (1000.0, True)])
    def test_another_machines_is_left_behind_when_it_is_not_renewed(self, tmp_path, age, is_free):
        who = {"host": "another", "pid": 1, "since": "2026-01-01T00:00:00+00:00"}
        (tmp_path / LOCK).write_text(json.dumps(who))
        then = time.time() - age
        os.utime(tmp_path / LOCK, (then, then))
        if is_free:
            with folder_lock(tmp_path):
                assert json.loads((tmp_path / LOCK).read_text())["host"] == os.uname().nodename
        else:
            with pytest.raises(InvalidInput, match="process 1 on another"), folder_lock(tmp_path):
                pass

    def test_it_is_renewed_while_the_work_lasts(self, tmp_path, monkeypatch):
        monkeypatch.setattr(module, "_RENEWED_EVERY", 0.05)
        with folder_lock(tmp_path):
            os.utime(tmp_path / LOCK, (1.0, 1.0))
            deadline = time.monotonic() + LIMIT
            while (tmp_path / LOCK).stat().st_mtime == 1.0:
                assert time.monotonic() < deadline
                time.sleep(0.01)

    def test_a_file_that_names_nobody_keeps_others_out_for_a_while(self, tmp_path):
        (tmp_path / LOCK).write_text("")
        with pytest.raises(InvalidInput, match="an unknown machine"), folder_lock(tmp_path):
            pass


@pytest.mark.thorough
def test_a_full_disk_ends_the_command_with_a_sentence_and_the_next_goes_on(whole, tmp_path):
    """A limit for the size of files stands for the disk."""
    done = command(tmp_path, tmp_path / "run", limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4200, 4200)))
    assert done.returncode == 2
    assert "must be one that can be written to, got File too large. Make room" in done.stderr
    assert "Traceback" not in done.stderr
    assert not run_experiment(SMALL, tmp_path / "run", n_jobs=1).failures
    assert contents(tmp_path / "run") == contents(whole)
