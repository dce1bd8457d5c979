"""The pool: answers, errors, progress, an end when nobody waits, a time for each, and pieces that are not lost."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing import Pipe, forkserver
from multiprocessing.context import SpawnProcess

import pytest

from pages.work import pool as module
from pages.work import process, worker
from pages.work.job import Job, JobFailed, Lane, State, Work
from pages.work.pool import JobPool, PoolLimits
from pages.work.worker import Store
from qcore import InvalidInput, ScoringSettings, load_dataset, score_dataset
from tests.pages.work import work

LIMIT = 30.0


@pytest.fixture
def make(tmp_path):
    pools = []

    def pool(processes=1, seconds=60.0):
        pools.append(JobPool(PoolLimits(processes, 20, 20, seconds), Store(tmp_path / "pieces", 10**7)))
        return pools[-1]

    yield pool
    for one in pools:
        one.close()


def until(condition, seconds=LIMIT):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def answer(job: Job):
    assert job.wait(LIMIT)
    return job.answer()


def test_the_answer_is_that_of_the_function(make):
    pool = make()
    assert answer(pool.want("a", Work(work.double, (21,)), "here", None)) == 42
    data = load_dataset("iris")
    result = answer(pool.want("b", Work(score_dataset, (data, ScoringSettings(None))), "here", None))
    assert (result.pool_scores == score_dataset(data, ScoringSettings(None)).pool_scores).all()


def test_an_error_is_that_of_the_function(make):
    pool = make()
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        answer(pool.want("a", Work(work.fail), "here", None))
    with pytest.raises(InvalidInput, match="'nothing'"):
        answer(pool.want("b", Work(load_dataset, ("nothing",), tells=False), "here", None))
    assert answer(pool.want("c", Work(work.double, (2,)), "here", None)) == 4, "the process goes on"


def test_a_process_that_dies_is_a_sentence_and_another_takes_its_place(make):
    pool = make()
    with pytest.raises(JobFailed, match="has ended, perhaps for lack of memory"):
        answer(pool.want("a", Work(work.die), "here", None))
    assert answer(pool.want("b", Work(work.double, (2,)), "here", None)) == 4


def _without_forks(monkeypatch):
    """As where the socket of the process that is forked has been removed from the folder of temporary files."""

    def nowhere(*_args):
        raise FileNotFoundError("[Errno 2] No such file or directory")

    # Popen looks it up here at each start.
    monkeypatch.setattr(forkserver, "connect_to_new_process", nowhere)


def test_a_process_starts_where_none_can_be_forked(make, monkeypatch):
    _without_forks(monkeypatch)
    assert answer(make().want("a", Work(work.double, (2,)), "here", None)) == 4


def test_a_process_that_cannot_start_fails_its_job_and_the_next_one_is_tried(make, monkeypatch):
    _without_forks(monkeypatch)
    pool = make()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(SpawnProcess, "start", _refuse)
        for key in "ab":
            with pytest.raises(OSError, match="no memory"):
                answer(pool.want(key, Work(work.double, (2,)), "here", None))
    assert answer(pool.want("c", Work(work.double, (2,)), "here", None)) == 4


def _refuse(_process):
    raise OSError("no memory")


def test_who_wants_the_same_shares_one_job(make):
    pool = make()
    first, second = (pool.want("a", Work(work.steps, (2, 0.05)), visitor, None) for visitor in ("here", "there"))
    assert first is second
    pool.let_go(first)
    assert answer(second)[0] == 2


def test_progress_and_place_are_told(make):
    pool = make()
    first = pool.want("first", Work(work.steps, (40, 0.05)), "here", 2.0)
    second = pool.want("second", Work(work.double, (1,)), "here", 0.5)
    until(lambda: first.progress[0] > 0.05)
    assert pool.place(first) == 0
    assert first.progress[1].endswith("of 40")
    assert pool.place(second) == 0
    assert len(pool._queue) == 1


def test_a_job_that_nobody_wants_ends_at_its_next_step(make):
    pool = make()
    job = pool.want("a", Work(work.steps, (1000, 0.05)), "here", None)
    until(lambda: job.progress[0] > 0)
    pool.let_go(job)
    until(lambda: job.state is State.ENDED, 5.0)
    assert answer(pool.want("b", Work(work.double, (2,)), "here", None)) == 4


def test_one_that_makes_no_steps_is_killed(make):
    pool = make()
    job = pool.want("a", Work(work.sleep, (60.0,), tells=False), "here", None)
    until(lambda: job.state is State.RUNNING)
    pool.let_go(job)
    until(lambda: job.state is State.ENDED, 8.0)


def test_one_that_waits_leaves_the_queue(make):
    pool = make()
    pool.want("long", Work(work.sleep, (60.0,), tells=False), "here", None)
    job = pool.want("a", Work(work.double, (1,)), "here", None)
    pool.let_go(job)
    until(lambda: len(pool._queue) == 0, 5.0)
    with pytest.raises(JobFailed, match="Nobody waited"):
        job.answer()


def test_who_comes_back_at_once_finds_it_at_work(make):
    pool = make()
    job = pool.want("a", Work(work.steps, (20, 0.05)), "here", None)
    until(lambda: job.progress[0] > 0)
    pool.let_go(job)
    assert pool.want("a", Work(work.steps, (20, 0.05)), "here", None) is job
    assert answer(job)[0] == 20


def test_one_that_takes_too_long_is_a_sentence(make):
    pool = make(seconds=0.3)
    with pytest.raises(JobFailed, match=r"longer than the 0\.005 minutes"):
        answer(pool.want("a", Work(work.steps, (1000, 0.05)), "here", None))


def test_work_with_pieces_makes_room_and_goes_on_where_it_ended(make, monkeypatch):
    monkeypatch.setattr(module, "_TURN", 0.2)
    pool = make()
    long = pool.want("long", Work(work.steps, (12, 0.1), pieces="test"), "here", None)
    until(lambda: long.progress[0] > 0)
    short = pool.want("short", Work(work.double, (1,)), "here", None)
    assert answer(short) == 2
    assert long.state is not State.ENDED, "the short one did not wait for the long one"
    made, _ = answer(long)
    assert made < 12, "pieces that were finished are not made again"


def test_short_jobs_do_not_wait_for_long_ones(make):
    pool = make(processes=2)
    for number in range(3):
        pool.want(number, Work(work.sleep, (60.0,), tells=False), "here", 60.0)
    assert answer(pool.want("short", Work(work.double, (1,)), "here", 0.5)) == 2
    until(lambda: len(pool._queue) == 2)


@pytest.mark.parametrize("seconds", [0.5, 60.0], ids=["short", "long"])
def test_processes_let_the_pages_go_first_but_not_every_other_program_and_use_one_thread(make, seconds):
    pool = make(processes=2)
    niceness, policy, threads = answer(pool.want("a", Work(work.niceness, tells=False), "here", seconds))
    assert os.nice(0) < niceness <= min(19, os.nice(0) + 10)
    assert policy == work.scheduler()
    assert threads == "1"


def test_a_table_of_a_process_has_texts_as_python_strings(make):
    table = answer(make().want("a", Work(work.table_of_texts, tells=False), "here", None))
    assert (table.method.dtype.storage, table.columns.dtype.storage) == ("python", "python")


def test_the_environment_is_left_as_it_was(make, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    answer(make().want("a", Work(work.double, (1,)), "here", None))
    assert os.environ["OMP_NUM_THREADS"] == "7"


def test_work_that_pauses_gets_further_each_time(make, monkeypatch):
    """Two long jobs with large pieces make room for each other, and both end: no piece is thrown away half made."""
    monkeypatch.setattr(module, "_TURN", 0.05)
    pool = make()
    jobs = [pool.want(name, Work(work.blocks, (3, 0.3), pieces=name), "here", None) for name in ("one", "other")]
    assert [answer(job) for job in jobs] == [3, 3]
    assert max(job.worked for job in jobs) > 0.0, "they made room for each other"


def test_where_no_pieces_can_be_kept_work_is_done_all_the_same(make, tmp_path):
    (tmp_path / "pieces").mkdir()
    (tmp_path / "pieces").chmod(0o777)
    assert answer(make().want("a", Work(work.steps, (2, 0.0), pieces="test"), "here", None))[0] == 2


def test_an_answer_is_kept_before_the_job_is_forgotten(make):
    pool, kept = make(), []
    job = pool.want("a", Work(work.double, (2,)), "here", None, kept.append)
    pool.let_go(job)
    until(lambda: job.state is State.ENDED)
    assert kept == [4]


def test_ctrl_c_in_a_terminal_leaves_the_end_of_a_process_to_its_server(monkeypatch, tmp_path):
    """A terminal sends the signal to all processes, and each would write a traceback."""
    for name in ("keep_freed_memory", "keep_texts_as_python_strings"):
        monkeypatch.setattr(worker, name, lambda: None)
    monkeypatch.setattr(os, "nice", lambda _more: None)
    here, there = Pipe()
    there.close()
    before = signal.getsignal(signal.SIGINT)
    try:
        worker.work_until_closed(here, Store(tmp_path, 0), Lane.SHORT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks of signals")
def test_a_process_that_starts_inherits_that_it_does_not_hear_ctrl_c():
    asked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    with process._deaf_to_ctrl_c():
        heard = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert heard == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
